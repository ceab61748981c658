// Closing a message.
//   <div class="callout" data-dismissible> … <button type="button" data-dismiss aria-label="Dismiss">…</button></div>
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-dismiss]")) event.target.closest("[data-dismissible]")?.remove();
});
