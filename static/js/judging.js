// Judging by key: 1, 2 and 3 press the verdict of the tool that has the keyboard, else of the first one. Escape in the field goes back to the tools.
//   <ol data-walk> <li> <button data-walk-stop data-verdict="1">…</button> <button data-verdict="2">…</button> </li> </ol>
const isTyping = (element) => element.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  if (isTyping(event.target) || !["1", "2", "3"].includes(event.key)) return;
  const row = event.target.closest("[data-walk] li") ?? document.querySelector("[data-walk] li:has([data-verdict])");
  const button = row?.querySelector(`[data-verdict="${event.key}"]`);
  if (!button) return;
  event.preventDefault();
  button.focus();
  button.click();
});
