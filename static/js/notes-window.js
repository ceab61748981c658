// The speaker's notes go along with the slides of the same run in another window, and the other way round; the clock tells the time, and how long
// this window has been open.
//   <span data-notes-clock></span> <ol data-notes="run"> <li data-notes-moment="12" aria-current="step">…</li> </ol>
// Keys, where nobody writes: ← → space, page keys, Home, End.
const list = document.querySelector("[data-notes]");
const clock = document.querySelector("[data-notes-clock]");
const rows = () => [...list.querySelectorAll("[data-notes-moment]")];
const current = () => rows().findIndex((row) => row.hasAttribute("aria-current"));
const isTaken = (element) => element.closest("input, textarea, select, summary, [contenteditable], dialog");
const begun = Date.now();

function show(row) {
  for (const other of rows()) other.removeAttribute("aria-current");
  row.setAttribute("aria-current", "step");
  row.scrollIntoView({ block: "start" });
  history.replaceState(null, "", `?at=${row.dataset.notesMoment}`);
}

function tick() {
  const seconds = Math.floor((Date.now() - begun) / 1000);
  const spent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  clock.textContent = `${new Date().toTimeString().slice(0, 5)} · ${spent}`;
}

if (list) {
  const channel = new BroadcastChannel(`pegboard-${list.dataset.notes}`);
  const step = (index) => {
    const row = rows()[index];
    if (!row) return;
    show(row);
    channel.postMessage({ seq: row.dataset.notesMoment });
  };
  const keys = {
    ArrowRight: () => step(current() + 1), ArrowDown: () => step(current() + 1), PageDown: () => step(current() + 1), " ": () => step(current() + 1),
    ArrowLeft: () => step(current() - 1), ArrowUp: () => step(current() - 1), PageUp: () => step(current() - 1), Home: () => step(0), End: () => step(rows().length - 1),
  };
  channel.addEventListener("message", ({ data }) => {
    const row = rows().find((one) => one.dataset.notesMoment === data.seq);
    if (row) show(row);
  });
  rows()[current()]?.scrollIntoView({ block: "start" });
  channel.postMessage({ asks: true });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target) || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  setInterval(tick, 1000);
  tick();
}
