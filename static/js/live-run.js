// Following a run. htmx opens the socket and swaps in what comes; this says from which event on, shows when the socket is gone,
// keeps the latest in sight while the reader is at the end, and tells a screen reader of whole steps, never of single words.
//   <div hx-ext="ws" ws-connect="/ws/runs/…/" data-live-run></div>   <span id="run-seq" data-seq="12"></span>
//   <div data-connection hidden> <span data-connection-case="lost">…</span> <span data-connection-case="back" hidden>…</span> … </div>
//   <section data-chat-pane> <ol id="run-chat">…</ol> <div data-jump hidden><button>…</button></div> </section>, or that of the trace
//   <form data-while-live>…</form> goes when the run has ended, <a data-when-over hidden>…</a> comes; whoever was at the end stays
const OVER = 1000;
const TRIES_AGAIN = new Set([1006, 1011, 1012, 1013]);
const BACK_FOR = 1600;
const NEAR = 64;
const LASTING = "details:not(.held-call details)";
const follower = document.querySelector("[data-live-run]");
const banner = document.querySelector("[data-connection]");
const pane = document.querySelector("[data-chat-pane]");
const jump = document.querySelector("[data-jump]");
const body = document.querySelector("#run-chat, #run-trace");
let wasLost = false;
let hiding = 0;
let isFollowing = true;
let lastTop = 0;

function show(name) {
  clearTimeout(hiding);
  banner.hidden = name === "";
  for (const words of banner.querySelectorAll("[data-connection-case]")) words.hidden = words.dataset.connectionCase !== name;
}

const lastSeq = () => Number(document.getElementById("run-seq").dataset.seq);

function opened({ detail }) {
  detail.socketWrapper.sendImmediately(JSON.stringify({ after: lastSeq() }));
  show(wasLost ? "back" : "");
  if (wasLost) hiding = setTimeout(show, BACK_FOR, "");
  wasLost = false;
}

function closed({ detail }) {
  const { code } = detail.event;
  if (code === OVER) {
    for (const form of document.querySelectorAll("[data-while-live]")) form.hidden = true;
    for (const act of document.querySelectorAll("[data-when-over]")) act.hidden = false;
    if (isFollowing && pane) follow();
  } else {
    wasLost = TRIES_AGAIN.has(code);
    show(wasLost ? "lost" : "refused");
  }
}

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

// A step that is sent again keeps what the reader had opened in it, and what it showed of a nested run until that is read anew.
document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  for (const old of target.querySelectorAll(":scope > .step-what > .nested")) {
    for (const part of ["> .nested-run", "> summary > .row"]) {
      fragment.querySelector(`#${old.id} ${part}`)?.replaceChildren(...old.querySelector(`:scope ${part}`).childNodes);
    }
  }
  for (const old of target.querySelectorAll(LASTING)) {
    if (!old.open) continue;
    const id = old.closest("[id^=step-], .trace-line")?.id;
    const place = [...document.querySelectorAll(`#${id} ${LASTING}`)].indexOf(old);
    const again = id && fragment.querySelector(`#${id}`)?.querySelectorAll(LASTING)[place];
    if (again) again.open = true;
  }
});

if (follower && banner) {
  follower.addEventListener("htmx:wsOpen", opened);
  follower.addEventListener("htmx:wsClose", closed);
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
