// The same term lights up everywhere: in the query, in the description, in the bar, in the explanation; the same tool in every lane.
//   <div data-terms> <mark data-term="channel">channel</mark> … <rect class="seg" data-term="channel"/> </div>
// What stands for several terms has them parted by spaces.
const termsOf = (one) => one?.dataset.term.split(" ").filter(Boolean) ?? [];

function light(event) {
  const scope = event.target.closest?.("[data-terms]");
  if (!scope) return;
  const terms = termsOf(event.target.closest("[data-term]"));
  for (const one of scope.querySelectorAll("[data-term]")) one.classList.toggle("is-lit", termsOf(one).some((term) => terms.includes(term)));
  for (const bar of scope.querySelectorAll(".stack")) bar.classList.toggle("has-lit", bar.querySelector(".is-lit") !== null);
}

document.addEventListener("pointerover", light);
document.addEventListener("focusin", light);
