// A file dropped anywhere on a form goes into its file field.
//   <form data-drop> <input type="file" name="file"> </form>
const formUnder = ({ target, dataTransfer }) => (dataTransfer?.types.includes("Files") ? target.closest?.("[data-drop]") : null);

for (const type of ["dragenter", "dragover"]) {
  document.addEventListener(type, (event) => {
    const form = formUnder(event);
    if (!form) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
}

document.addEventListener("dragleave", ({ target, relatedTarget }) => {
  const form = target.closest?.("[data-drop]");
  if (form && !form.contains(relatedTarget)) form.classList.remove("dropping");
});

document.addEventListener("drop", (event) => {
  const form = formUnder(event);
  if (!form) return;
  event.preventDefault();
  form.classList.remove("dropping");
  const input = form.querySelector("input[type=file]");
  input.files = event.dataTransfer.files;
  input.dispatchEvent(new Event("input", { bubbles: true }));
});
