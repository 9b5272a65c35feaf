// The keys of a panel. A key does what its button does, and is heard only inside the panel.
function actions(p, event) {
  const found = all(p.svg || p.root, "g.node.hit:not(.echo)");
  const group = p.picked && p.picked.classList.contains("group") ? p.picked : null;
  return {
    ArrowLeft: () => move(p, -1), ArrowRight: () => move(p, 1),
    j: () => next(p, 1, stops(p)), k: () => next(p, -1, stops(p)),
    m: () => stepOne(p, "match", 1), M: () => stepOne(p, "match", -1),
    n: () => stepOne(p, "miss", 1), N: () => stepOne(p, "miss", -1),
    b: () => choose(p, "before"), d: () => choose(p, "diff"), a: () => choose(p, "after"),
    h: () => narrow(p), s: () => fold(p),
    t: () => tabBy(p, 1), T: () => tabBy(p, -1),
    Backspace: () => out(p), ...(group ? { Enter: () => open(p, group) } : {}),
    "+": () => scale(p, 1.25), "=": () => scale(p, 1.25), "-": () => scale(p, 0.8),
    0: () => resize(p, 0), w: () => whole(p),
    "/": () => p.find(".find input").focus(),
    "?": () => { const keys = p.find(".keys"); keys.open = !keys.open; },
    Escape: () => release(p),
    hit: () => next(p, event.shiftKey ? -1 : 1, found),
  };
}

// Lets go of everything that is chosen, and closes what is open.
function release(p) {
  p.match = 0;
  p.miss = 0;
  for (const menu of all(p.root, "details.menu[open]")) menu.open = false;
  light(p, []);
  pick(p, null);
  look(p);
  p.stage.focus({ preventScroll: true });
}

function key(p, event) {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = target.matches("input[type=search]");
  if (event.shiftKey && event.key === "Enter" && !writing) return; // Jupyter runs the cell
  const arrows = target.matches("input[type=range], input[type=radio], select");
  const pressed = event.key === "Enter" && target.matches("button, summary, a");
  const known = actions(p, event);
  const name = writing && event.key === "Enter" ? "hit" : event.key;
  if (name !== "hit" && name.length > 1 && writing && name !== "Escape") return;
  if (writing && name.length === 1 || target.matches("select") && name !== "Escape") return;
  if (!Object.hasOwn(known, name) || pressed || (arrows && name.startsWith("Arrow"))) return;
  event.preventDefault();
  event.stopPropagation();
  known[name]();
}
