// Writing a note: it is kept when the field is left, or by Ctrl+Enter. Kept, it no longer counts as unsaved.
//   <form data-note data-guard hx-post="…" hx-trigger="submit, change"> <textarea data-note-text></textarea> <span id="note-3-state">…</span> </form>
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.matches("[data-note-text]")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const form = detail.elt.closest?.("[data-note]");
  if (!form || !detail.successful) return;
  const field = form.querySelector("[data-note-text]");
  if (field.value !== detail.requestConfig.parameters.text) return;
  field.defaultValue = field.value;
  field.closest(".field").classList.remove("unsaved");
});
