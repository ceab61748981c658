// Where what had the keyboard is gone after a swap, what took its place has it, so that Tab goes on from there and not from the top.
// An element with an id that is there again keeps it by itself.
let held = false;

const isLost = () => !document.activeElement || document.activeElement === document.body;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  held ||= detail.target?.contains(document.activeElement) || detail.requestConfig?.elt === document.activeElement;
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (!held) return;
  held = false;
  const place = document.getElementById(detail.target?.id);
  if (!isLost() || !place) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
});
