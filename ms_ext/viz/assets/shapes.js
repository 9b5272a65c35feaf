// Goes from case to case by keyboard, and shows where a size comes from. Nothing global, no network.
function start(root) {
  begin(root);
  const cases = [...root.querySelectorAll(".case")];
  root.classList.add("ready");
  const shown = () => cases.filter((each) => each.offsetParent !== null);
  root.addEventListener("keydown", (event) => {
    const here = event.target.closest(".case");
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!here || !way || event.ctrlKey || event.altKey || event.metaKey) return;
    const others = shown();
    const next = others[others.indexOf(here) + way];
    if (next) next.focus();
    event.preventDefault();
  });
  for (const kind of ["mouseover", "mouseout"]) {
    root.addEventListener(kind, ({ target }) => light(target, kind === "mouseover"));
  }
  const only = root.querySelector("input.only");
  if (only) only.addEventListener("change", () => leaveOut(root, only.checked, shown));
}

// Marks the sizes of the same case that have a letter in common with the one pointed at.
function light(target, on) {
  const size = target.closest("[data-letters]");
  if (!size) return;
  const letters = size.dataset.letters.split(" ");
  for (const other of size.closest(".case").querySelectorAll("[data-letters]")) {
    const common = other.dataset.letters.split(" ").some((each) => letters.includes(each));
    other.classList.toggle("hot", on && common);
  }
}

function leaveOut(root, wanted, shown) {
  root.classList.toggle("only", wanted);
  const many = shown().length;
  const word = many === 1 ? "case" : "cases";
  root.querySelector(".status").textContent = wanted ? `${many} ${word} left` : "";
}

for (const root of document.querySelectorAll(".msx-card.shapes:not(.ready)")) start(root);
