// What a peg is, on its board: pointing at one, or going to it by keyboard, brings its card; on a touch screen a tap does.
//   <aside class="board"> <li data-peg="…"><a href="tool/?name=…">…</a></li> … <div id="peg-card" hidden></div> </aside>
const SOON = 140;
const card = document.getElementById("peg-card");
let asking = 0;
let shown = "";

async function show(link) {
  if (link.href === shown) return;
  shown = link.href;
  const answer = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok || shown !== link.href) return;
  card.innerHTML = await answer.text();
  card.querySelector("[data-peg-page]")?.setAttribute("href", link.href);
  card.hidden = false;
}

function point({ target }) {
  const link = target.closest?.(".board [data-peg]")?.querySelector("a");
  clearTimeout(asking);
  if (link) asking = setTimeout(show, SOON, link);
}

if (card) {
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    card.hidden = true;
    shown = "";
  });
  document.addEventListener("pointerover", point);
  document.addEventListener("focusin", point);
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".board [data-peg] a");
    if (!link || !matchMedia("(hover: none)").matches || shown === link.href) return;
    event.preventDefault();
    show(link);
  });
}
