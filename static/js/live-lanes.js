// Following lanes side by side. Each column keeps its latest step in sight while its reader is at its end.
//   <div hx-ext="ws" ws-connect="/ws/lanes/…/" data-live-lanes></div>   <span id="lanes-seq" data-seqs='{"1":12,"2":9}'></span>
//   <ol data-lane-steps>…</ol>
import { keepConnected } from "./connection.js";

const NEAR = 48;
const follower = document.querySelector("[data-live-lanes]");
const seqs = () => JSON.parse(document.getElementById("lanes-seq").dataset.seqs);

function keepAtEnd(steps) {
  let isFollowing = true;
  const follow = () => { if (isFollowing) steps.scrollTop = steps.scrollHeight; };
  steps.addEventListener("scroll", () => { isFollowing = steps.scrollHeight - steps.scrollTop - steps.clientHeight < NEAR; }, { passive: true });
  new MutationObserver(follow).observe(steps, { childList: true, subtree: true, characterData: true });
  follow();
}

function tell() {
  const words = [...document.querySelectorAll("#lanes-summary .outcome [data-lane]")];
  document.getElementById("announcer").textContent = words
    .map((cell) => `Lane ${cell.dataset.lane}: ${cell.textContent.replace(/\s+/g, " ").trim()}`)
    .join(". ");
}

if (follower) {
  keepConnected(follower, seqs, tell);
  for (const steps of document.querySelectorAll("[data-lane-steps]")) keepAtEnd(steps);
}
