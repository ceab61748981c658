// Following a run. htmx opens the socket and swaps in what comes; this says from which event on, keeps the latest in sight
// while the reader is at the end, and tells a screen reader of whole steps, never of single words.
//   <div hx-ext="ws" ws-connect="/ws/runs/…/" data-live-run></div>   <span id="run-seq" data-seq="12"></span>
//   <section data-chat-pane> <ol id="run-chat">…</ol> <div data-jump hidden><button>…</button></div> </section>, or that of the trace
// Whoever was at the end when the run ended stays there.
import { keepConnected } from "./connection.js";

const NEAR = 64;
const LASTING = "details:not(.held-call details, .nested, .nested details)";
const follower = document.querySelector("[data-live-run]");
const pane = document.querySelector("[data-chat-pane]");
const jump = document.querySelector("[data-jump]");
const body = document.querySelector("#run-chat, #run-trace");
let isFollowing = true;
let lastTop = 0;

const lastSeq = () => Number(document.getElementById("run-seq").dataset.seq);

// The chat scrolls by itself beside the board, and with the page where the two stand one over the other.
const scroller = () => (getComputedStyle(pane).overflowY === "auto" ? pane : document.scrollingElement);

function isAtEnd() {
  const { scrollTop, clientHeight, scrollHeight } = scroller();
  return scrollHeight - scrollTop - clientHeight < NEAR;
}

function follow() {
  scroller().scrollTop = scroller().scrollHeight;
  lastTop = scroller().scrollTop;
}

function scrolled() {
  isFollowing = isAtEnd();
  lastTop = scroller().scrollTop;
  if (isFollowing) jump.hidden = true;
}

// The reader may have left the end just now, before the browser tells of it.
function grown() {
  if (scroller().scrollTop < lastTop - NEAR) isFollowing = false;
  if (isFollowing) follow();
  else jump.hidden = isAtEnd();
}

function wordsOf(step) {
  if (step.matches(".turn-mark")) return "";
  return (step.querySelector(".step-what > p, .callout-text, .trace-name") ?? step.querySelector(".said"))?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

let told = "";

function tell() {
  const steps = [...document.querySelectorAll("#run-chat > .step, #run-chat > .ending, #run-trace > .trace-line")];
  const words = steps.length ? wordsOf(steps.at(-1)) : "";
  if (words && words !== told) document.getElementById("announcer").textContent = words.slice(0, 200);
  told = words;
}

// A step that is sent again keeps what the reader had opened in it.
document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  for (const old of target.querySelectorAll(LASTING)) {
    if (!old.open) continue;
    const id = old.closest("[id^=step-], .trace-line")?.id;
    const place = [...document.querySelectorAll(`#${id} ${LASTING}`)].indexOf(old);
    const again = id && fragment.querySelector(`#${id}`)?.querySelectorAll(LASTING)[place];
    if (again) again.open = true;
  }
});

if (follower) {
  keepConnected(follower, lastSeq, () => {
    if (isFollowing && pane) follow();
  });
  follower.addEventListener("htmx:wsAfterMessage", tell);
}
if (follower && pane && body) {
  new MutationObserver(grown).observe(body, { childList: true, subtree: true, characterData: true });
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  jump.addEventListener("click", () => {
    isFollowing = true;
    jump.hidden = true;
    follow();
  });
  if (pane === scroller()) follow();
}
