// Staying connected to what is followed. htmx opens the socket; this says what the page has, and shows when the socket is gone.
//   <div hx-ext="ws" ws-connect="…"></div>   <div data-connection hidden> <span data-connection-case="lost">…</span> … </div>
//   <form data-while-live>…</form> goes when all is over, <a data-when-over hidden>…</a> comes
const OVER = 1000;
const TRIES_AGAIN = new Set([1006, 1011, 1012, 1013]);
const BACK_FOR = 1600;
const banner = document.querySelector("[data-connection]");
let wasLost = false;
let hiding = 0;

function show(name) {
  clearTimeout(hiding);
  banner.hidden = name === "";
  for (const words of banner.querySelectorAll("[data-connection-case]")) words.hidden = words.dataset.connectionCase !== name;
}

export function keepConnected(follower, has, over) {
  follower.addEventListener("htmx:wsOpen", ({ detail }) => {
    detail.socketWrapper.sendImmediately(JSON.stringify({ after: has() }));
    show(wasLost ? "back" : "");
    if (wasLost) hiding = setTimeout(show, BACK_FOR, "");
    wasLost = false;
  });
  follower.addEventListener("htmx:wsClose", ({ detail }) => {
    const { code } = detail.event;
    if (code === OVER) {
      for (const form of document.querySelectorAll("[data-while-live]")) form.hidden = true;
      for (const act of document.querySelectorAll("[data-when-over]")) act.hidden = false;
      over();
    } else {
      wasLost = TRIES_AGAIN.has(code);
      show(wasLost ? "lost" : "refused");
    }
  });
}
