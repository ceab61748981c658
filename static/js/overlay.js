// Filling in a form beside a list: a button fills a field, Ctrl+Enter saves, and the value of an act is asked for only where it takes one.
//   <button type="button" data-fill="#field" data-fill-with="…">…</button>   <form data-submit-keys>…</form>
//   <select data-asks><option data-asked="tag">…</option></select> <input data-asked-for>
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fill]");
  if (!button) return;
  const field = document.querySelector(button.dataset.fill);
  field.value = button.dataset.fillWith;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

document.addEventListener("keydown", (event) => {
  const form = event.target.closest?.("form[data-submit-keys]");
  if (!form || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit();
});

function ask(select) {
  const field = select.form.querySelector("[data-asked-for]");
  const asked = select.selectedOptions[0]?.dataset.asked;
  field.hidden = !asked;
  field.required = Boolean(asked);
  field.placeholder = asked ? asked[0].toUpperCase() + asked.slice(1) : "";
}

const askAll = () => document.querySelectorAll("[data-asks]").forEach(ask);
document.addEventListener("change", ({ target }) => { if (target.matches("[data-asks]")) ask(target); });
document.addEventListener("htmx:afterSettle", askAll);
askAll();
