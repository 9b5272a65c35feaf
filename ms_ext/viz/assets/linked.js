// Lines and boxes that speak of the same nodes mark each other: under the pointer, in focus, and
// for good by a click or Enter, until the next one or Escape. `say(words)` tells what was marked.
function linked(root, say) {
  const all = [...root.querySelectorAll("[data-nodes]")];
  const ids = (each) => each.dataset.nodes.split(" ");
  const of = (target) => (target.closest ? target.closest("[data-nodes]") : null);
  let pinned = null;

  function mark(from) {
    const wanted = new Set(from ? ids(from) : []);
    for (const each of all) each.classList.toggle("lit", ids(each).some((id) => wanted.has(id)));
  }

  function pin(line) {
    if (pinned) pinned.classList.remove("pinned");
    pinned = line === pinned ? null : line;
    if (pinned) pinned.classList.add("pinned");
    mark(pinned);
    say(pinned ? counted(root, pinned) : "nothing is marked");
    for (const pane of pinned ? root.querySelectorAll(".lines") : []) reveal(pane, pinned);
  }

  root.addEventListener("pointerover", (event) => mark(of(event.target) || pinned));
  root.addEventListener("pointerleave", () => mark(pinned));
  root.addEventListener("focusin", (event) => mark(of(event.target) || pinned));
  root.addEventListener("focusout", () => mark(pinned));
  root.addEventListener("click", (event) => of(event.target) && pin(of(event.target)));
  root.addEventListener("keydown", (event) => {
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return; // Jupyter's
    const line = of(event.target);
    if (event.key === "Escape" && pinned) pin(pinned);
    else if (line && (event.key === "Enter" || event.key === " ")) pin(line);
    else if (line && event.key === "ArrowDown") roam(line, 1);
    else if (line && event.key === "ArrowUp") roam(line, -1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  for (const pane of root.querySelectorAll(".lines")) {
    const lines = [...pane.querySelectorAll("[data-nodes]")];
    for (const line of lines) line.tabIndex = line === lines[0] ? 0 : -1;
  }
}

// To the next line of the same pane, or the one before.
function roam(line, by) {
  const lines = [...line.parentNode.querySelectorAll("[data-nodes]")]
    .filter((each) => getComputedStyle(each).visibility !== "hidden");
  const other = lines[lines.indexOf(line) + by];
  if (!other) return;
  line.tabIndex = -1;
  other.tabIndex = 0;
  other.focus();
}

// How many lines of each pane are marked, in words.
function counted(root, line) {
  const said = [...root.querySelectorAll(".pane")].map((pane) => {
    const many = pane.querySelectorAll(".lit").length;
    return `${many} line${many === 1 ? "" : "s"} of ${pane.getAttribute("aria-label")}`;
  });
  const code = line.querySelector("code");
  return `${code ? code.textContent.trim() : "this"}: ${said.join(", ")}`;
}

// Scrolls a pane, not the page, to the first marked line, unless the click was in it.
function reveal(pane, line) {
  const lit = pane.querySelector(".lit");
  if (lit && !pane.contains(line)) pane.scrollTop = lit.offsetTop - pane.clientHeight / 3;
}
