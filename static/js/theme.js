// The theme switch. The server renders <html data-theme> from the cookie "theme", so that nothing flashes on load;
// this writes the cookie and shows the choice at once.
//   <fieldset data-theme-switch>
//     <label><input type="radio" name="theme" value="dark"> …</label>
//   </fieldset>
const YEAR = 60 * 60 * 24 * 365;

document.addEventListener("change", ({ target }) => {
  if (!target.closest("[data-theme-switch]")) return;
  document.documentElement.dataset.theme = target.value;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `theme=${target.value}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
});
