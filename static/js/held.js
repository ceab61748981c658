// A call that waits for a person: the page's title says so, it has the keyboard unless somebody types, and keys decide within it.
//   <section data-held tabindex="-1"> … <button data-held-key="a">…</button> <summary data-held-key="e">…</summary> … </section>
const MARK = "Waits for you · ";
const seen = new Set();

const isTyping = (element) => element?.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
const isFree = () => !document.activeElement || document.activeElement === document.body || document.activeElement.id === "main";

function look() {
  const waiting = [...document.querySelectorAll("[data-held]")];
  const title = document.title.replaceAll(MARK, "");
  const wanted = waiting.length ? MARK + title : title;
  if (document.title !== wanted) document.title = wanted;
  const fresh = waiting.filter((held) => !seen.has(held.id));
  for (const held of fresh) seen.add(held.id);
  if (fresh.length && isFree()) fresh[0].focus({ preventScroll: false });
}

function press(key, held) {
  const act = held.querySelector(`[data-held-key="${CSS.escape(key)}"]`);
  if (!act) return false;
  act.click();
  if (act.matches("summary")) act.parentElement.querySelector("textarea, input:not([type=hidden])")?.focus();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
  const held = event.target.closest("[data-held]");
  if (held && press(event.key.toLowerCase(), held)) {
    event.preventDefault();
    event.stopPropagation();
  }
}, { capture: true });

new MutationObserver(look).observe(document.getElementById("main"), { childList: true, subtree: true });
look();
