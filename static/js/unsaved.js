// A field that differs from what is saved is marked amber, and leaving the page asks first.
//   <form data-guard> <div class="field"> <textarea name="description">…</textarea> </div>
//     <span data-unsaved-note hidden>Not saved yet</span> <button>Save</button> </form>
// With data-draft it was sent already and not saved. What would take its place without sending it asks first, too.
const isChanged = (input) => {
  if (input.type === "checkbox" || input.type === "radio") return input.checked !== input.defaultChecked;
  if (input.tagName === "SELECT") {
    const options = [...input.options];
    if (!options.some((option) => option.defaultSelected)) return !input.multiple ? input.selectedIndex > 0 : input.selectedOptions.length > 0;
    return options.some((option) => option.selected !== option.defaultSelected);
  }
  return input.value !== input.defaultValue;
};

const isDraft = (form) => "draft" in form.dataset || changedIn(form).length > 0;

const changedIn = (form) => [...form.elements].filter((input) => input.name && !["hidden", "submit"].includes(input.type) && isChanged(input));

document.addEventListener("input", ({ target }) => {
  const form = target.closest("[data-guard]");
  if (!form) return;
  target.closest(".field")?.classList.toggle("unsaved", isChanged(target));
  const any = isDraft(form);
  for (const note of form.querySelectorAll("[data-unsaved-note]")) note.hidden = !any;
});

let isSubmitting = false;
document.addEventListener("submit", ({ target }) => { isSubmitting = target.matches("[data-guard]:not([hx-post])"); });
addEventListener("beforeunload", (event) => {
  if (isSubmitting) return;
  if ([...document.querySelectorAll("[data-guard]")].some(isDraft)) event.preventDefault();
});

const leave = () => confirm("What you wrote is not saved yet. Leave it?");

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, target } = event.detail;
  const form = target?.querySelector?.("[data-guard]");
  if (!form || elt === form || !isDraft(form)) return;
  if (!leave()) event.preventDefault();
});

// Back and Forward between states of one page unload nothing. Whoever stays has the address of the form again, as a new entry.
let here = location.href;
const pathOf = (address) => address.split("#")[0];
document.addEventListener("htmx:pushedIntoHistory", () => { here = location.href; });
addEventListener("popstate", (event) => {
  const isElsewhere = pathOf(location.href) !== pathOf(here);
  if (isElsewhere && [...document.querySelectorAll("[data-guard]")].some(isDraft) && !leave()) {
    event.stopImmediatePropagation(); // htmx would bring the other state
    history.pushState({ htmx: true }, "", here);
  }
  here = location.href;
});
