// Stepping through a recorded run. Each moment is an address (?at=12); htmx brings its view without loading the page anew.
//   <form data-replay hx-boost="true" …> <div> <a rel="first" href="?at=1">…</a> <a rel="prev" href="?at=9">…</a>
//     <button type="button" data-replay-play>…</button> <a rel="next" href="?at=14">…</a> </div>
//     <input type="range" name="at" data-replay-scrub data-moments="1 9 12 14" data-waits="0.4 4.0 1.2 0.25" data-waited="|31 s||">
//     <select data-replay-pace>…</select> <select data-replay-speed>…</select> <p id="run-moment">…</p> <p data-replay-wait hidden></p> </form>
// Keys: ← and → step, Home and End go to the ends, space plays and pauses.
const BETWEEN = 1200;
const SOON = 70;
let isPlaying = false;
let waiting = 0;
let scrubbing = 0;
let hung = null;

const replay = () => document.querySelector("[data-replay]");
const scrubber = () => replay()?.querySelector("[data-replay-scrub]");
const isTaken = (element) => element.closest("input:not([type=range]), textarea, select, button, summary, [contenteditable], dialog, pre");
const pegs = () => [...document.querySelectorAll("[data-peg]")];

function step(rel) {
  const link = replay()?.querySelector(`a[rel="${rel}"]`);
  link?.click();
  return Boolean(link);
}

function goTo(seq) {
  scrubber().value = seq;
  scrubber().form.requestSubmit();
}

function show() {
  const button = replay()?.querySelector("[data-replay-play]");
  button?.setAttribute("aria-pressed", String(isPlaying));
  button?.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
}

function play(plays) {
  isPlaying = plays;
  clearTimeout(waiting);
  say("");
  show();
}

// Its line is there as long as it may have something to say, so that nothing moves while the run plays.
function say(words) {
  const line = replay()?.querySelector("[data-replay-wait]");
  if (!line) return;
  line.textContent = words;
  line.hidden = replay().querySelector("[data-replay-pace]").value !== "recorded";
}

const momentsOf = () => scrubber().dataset.moments.trim().split(" ").map(Number);

// As long as the run took from this moment to the next, a long wait shortened and said so; or always as long.
function wait() {
  const isRecorded = replay().querySelector("[data-replay-pace]").value === "recorded";
  const seq = Number(document.getElementById("run-seq").dataset.seq);
  const index = momentsOf().findLastIndex((moment) => moment <= seq);
  const { waits, waited } = scrubber().dataset;
  const long = isRecorded ? waited.split("|")[index] : "";
  say(long ? `The run waited ${long} here; shortened.` : "");
  const pause = isRecorded ? Number(waits.split(" ")[index]) * 1000 : BETWEEN;
  waiting = setTimeout(playOn, pause / Number(replay().querySelector("[data-replay-speed]").value));
}

function playOn() {
  if (!step("next")) play(false);
}

function toggle() {
  play(!isPlaying);
  if (isPlaying && !step("next")) step("first");
}

function toEnd(seq) {
  play(false);
  goTo(seq);
}

function stepByHand(rel) {
  play(false);
  step(rel);
}

// A slider stops at moments only: between two of them nothing would change but a text's length.
function scrub() {
  play(false);
  clearTimeout(scrubbing);
  scrubbing = setTimeout(() => {
    const wanted = Number(scrubber().value);
    goTo(momentsOf().reduce((best, seq) => (Math.abs(seq - wanted) < Math.abs(best - wanted) ? seq : best)));
  }, SOON);
}

// What the new view changed is brought into sight, and pegs that were not there drop in.
function arrive() {
  for (const peg of hung ? pegs() : []) if (!hung.has(peg.dataset.peg)) peg.classList.add("arriving");
  hung = null;
  const pane = document.querySelector("[data-chat-pane]");
  if (pane && getComputedStyle(pane).overflowY === "auto") pane.scrollTop = pane.scrollHeight;
  scrubber().value = document.getElementById("run-seq").dataset.seq;
  scrubber().setAttribute("aria-valuetext", document.getElementById("run-moment").textContent.replace(/\s+/g, " ").trim());
}

const keys = { ArrowLeft: () => stepByHand("prev"), ArrowRight: () => stepByHand("next"), " ": toggle, Home: () => toEnd(momentsOf()[0]), End: () => toEnd(momentsOf().at(-1)) };

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (replay() && detail.target?.id === "run-moment") hung = new Set(pegs().map((peg) => peg.dataset.peg));
});
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (!replay() || target.id !== "run-moment") return;
  arrive();
  show();
  clearTimeout(waiting);
  if (isPlaying) wait();
});
for (const failure of ["htmx:responseError", "htmx:sendError"]) document.addEventListener(failure, () => play(false));

document.addEventListener("click", (event) => {
  const { target } = event;
  if (target.closest("[data-replay-play]")) toggle();
  else if (event.isTrusted && target.closest("[data-replay] a")) play(false);
  const moment = replay() && target.closest("#run-chat a.step-at");
  if (moment && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    play(false);
    goTo(new URL(moment.href).searchParams.get("at"));
  }
});
document.addEventListener("change", ({ target }) => { if (target.matches("[data-replay-pace]")) say(""); });
document.addEventListener("input", ({ target }) => { if (target.matches("[data-replay-scrub]")) scrub(); });
document.addEventListener("keydown", (event) => {
  if (!replay() || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target) || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
