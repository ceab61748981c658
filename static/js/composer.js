// Writing a task: Ctrl+Enter starts the run, and a suggested task fills the field in place.
//   <form data-composer> <textarea data-task></textarea> <button>…</button> </form>   <a href="?task=…" data-fill-task="…">…</a>
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches("[data-task]")) {
    event.preventDefault();
    const { form } = event.target;
    form.requestSubmit(form.querySelector("button.main-act:not(:disabled)") ?? undefined);
  }
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-fill-task]");
  const field = document.querySelector("[data-task]");
  if (!link || !field || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  field.value = link.dataset.fillTask;
  field.focus();
  field.scrollIntoView({ block: "center" });
});
