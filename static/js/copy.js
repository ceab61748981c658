// Copying a text: that of the element named, or of the nearest block.
//   <div class="code"><pre>…</pre><button type="button" class="copy" data-copy aria-label="Copy">…</button></div>
//   <button type="button" data-copy="#as-curl">Copy</button>
const textOf = (button) => {
  const source = button.dataset.copy ? document.querySelector(button.dataset.copy) : button.closest(".code")?.querySelector("pre");
  return source ? (source.value ?? source.textContent) : null;
};

const announce = (words) => { document.getElementById("announcer").textContent = words; };

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  const text = button && textOf(button);
  if (text === null || text === undefined) return;
  try {
    await navigator.clipboard.writeText(text.trim());
    button.dataset.copied = "";
    announce("Copied.");
    setTimeout(() => delete button.dataset.copied, 1600);
  } catch {
    announce("The browser did not allow copying. Select the text and copy it by hand.");
  }
});
