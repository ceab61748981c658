// A run as slides, all of them in the page: one is shown, and the board says what each peg is on it. Needs no server.
//   <main data-deck="?at="> <section data-slide="12" data-played="0.4" data-waited="31 s in the run" hidden>…</section> …
//     <ul data-deck-pegs><li data-deck-peg="3:new 5:in-view"> <span data-deck-mark></span></li></ul>
//     <a data-deck-step="1"> <button data-deck-play> <input type="range" data-deck-scrub> <select data-deck-pace> <select data-deck-speed>
//     <span data-deck-place> <span data-deck-wait> <button data-deck-full> <button data-deck-theme> <a data-deck-follow> <a data-deck-leave> </main>
// Keys: ← → space, page keys, Home, End; P plays, F fills the screen, T changes the theme, Esc leaves.
// It tells the page of each step by "deck-shown" on the deck, and goes where "deck-go" says.
const EVEN = 1.4;
const deck = document.querySelector("[data-deck]");
const part = (name) => deck.querySelector(`[data-deck-${name}]`);
const slides = () => [...deck.querySelectorAll("[data-slide]")];
const OWN_KEYS = { " ": "summary, button", ArrowUp: "pre", ArrowDown: "pre" };
const isTaken = (element, key) => element.closest("select") ?? (key in OWN_KEYS && element.closest(OWN_KEYS[key]));
let isPlaying = false;
let waiting = 0;

const place = () => slides().findIndex((slide) => !slide.hidden);

function hang(peg, number, isStep) {
  const changes = peg.dataset.deckPeg.split(" ").map((change) => change.split(":"));
  const [since, state] = changes.findLast(([from]) => Number(from) <= number) ?? [0, ""];
  peg.hidden = state === "";
  for (const name of ["new", "called", "failed", "dropped", "in-view"]) peg.classList.toggle(name, name === state);
  peg.classList.toggle("arriving", isStep && state === "new" && Number(since) === number);
  peg.querySelector("[data-deck-mark]").textContent = state === "in-view" ? "" : state;
}

function aim(link, slide) {
  if (slide) link.href = deck.dataset.deck + slide.dataset.slide;
  else link.removeAttribute("href");
  link.toggleAttribute("aria-disabled", !slide);
}

function follow(link, seq) {
  const address = new URL(link.href);
  address.searchParams.set("at", seq);
  link.href = address;
}

function show(index, isStep = false) {
  const all = slides();
  const slide = all[index];
  if (!slide) return false;
  for (const other of all) other.hidden = other !== slide;
  for (const peg of deck.querySelectorAll("[data-deck-peg]")) hang(peg, index + 1, isStep);
  deck.querySelector(".peg.arriving")?.scrollIntoView({ block: "nearest" });
  part("progress").setAttribute("width", index + 1);
  part("scrub").value = index + 1;
  part("place").textContent = index + 1;
  part("wait").textContent = "";
  for (const link of deck.querySelectorAll("[data-deck-step]")) aim(link, all[index + Number(link.dataset.deckStep)]);
  for (const link of deck.querySelectorAll("[data-deck-follow]")) follow(link, slide.dataset.slide);
  history.replaceState(null, "", deck.dataset.deck + slide.dataset.slide);
  deck.dispatchEvent(new CustomEvent("deck-shown", { detail: slide.dataset.slide }));
  return true;
}

function play(plays) {
  isPlaying = plays;
  clearTimeout(waiting);
  part("play").setAttribute("aria-pressed", String(plays));
  part("play").setAttribute("aria-label", plays ? "Pause" : "Play");
  if (plays) wait();
  else part("wait").textContent = "";
}

function wait() {
  const slide = slides()[place()];
  const isRecorded = part("pace").value === "recorded";
  const seconds = (isRecorded ? Number(slide.dataset.played) : EVEN) / Number(part("speed").value);
  part("wait").textContent = isRecorded && slide.dataset.waited ? `${slide.dataset.waited}, shortened` : "";
  waiting = setTimeout(() => (show(place() + 1, true) ? wait() : play(false)), seconds * 1000);
}

function toggle() {
  if (!isPlaying && place() === slides().length - 1) show(0);
  play(!isPlaying);
}

function go(index, isStep = false) {
  play(false);
  show(index, isStep);
}

function fill() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

function changeTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const { dataset } = document.documentElement;
  dataset.theme = (dataset.theme === "system" ? isDark : dataset.theme === "dark") ? "light" : "dark";
}

const on = () => go(place() + 1, true);
const back = () => go(place() - 1);
const keys = {
  ArrowRight: on, ArrowDown: on, PageDown: on, " ": on, ArrowLeft: back, ArrowUp: back, PageUp: back,
  Home: () => go(0), End: () => go(slides().length - 1), p: toggle, f: fill, t: changeTheme, Escape: () => part("leave")?.click(),
};

function goTo(seq) {
  const index = slides().findIndex((slide) => slide.dataset.slide === String(seq));
  if (index >= 0 && index !== place()) go(index, true);
}

if (deck && slides().length) {
  document.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey || !(key in keys) || isTaken(event.target, key)) return;
    event.preventDefault();
    keys[key]();
  });
  deck.addEventListener("click", (event) => {
    const { target } = event;
    const step = target.closest("[data-deck-step]");
    if (step && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      if (step.dataset.deckStep === "1") on();
      else back();
    } else if (target.closest("[data-deck-play]")) toggle();
    else if (target.closest("[data-deck-full]")) fill();
    else if (target.closest("[data-deck-theme]")) changeTheme();
  });
  part("scrub").addEventListener("input", ({ target }) => go(Number(target.value) - 1));
  deck.addEventListener("change", ({ target }) => target.blur());
  deck.addEventListener("deck-go", ({ detail }) => goTo(detail));
  goTo(new URLSearchParams(location.hash.slice(1)).get("at") ?? "");
  show(place());
}
