// Steps through the comparisons of a match and marks both sides. No network, nothing global.
function start(root) {
  begin(root);
  for (const image of root.querySelectorAll("figure img")) {
    const svg = inline(image.getAttribute("src"));
    const rules = svg.querySelector("style");
    if (rules) rules.remove(); // the page has the same ones
    image.replaceWith(svg);
  }
  const m = {
    root,
    attempts: [...root.querySelectorAll("details.attempt")],
    patterns: [...root.querySelectorAll("figure.pattern")],
    graph: root.querySelector("figure.graph"),
    at: 0,
    step: 0,
  };
  root.classList.add("ready");
  root.addEventListener("keydown", (event) => key(m, event));
  root.querySelector(".less").addEventListener("click", () => walk(m, -1));
  root.querySelector(".more").addEventListener("click", () => walk(m, 1));
  m.graph.addEventListener("click", ({ target }) => {
    const node = target.closest(".node");
    if (node) choose(m, node.dataset.id);
  });
  m.attempts.forEach((attempt, index) => listen(m, attempt, index));
  if (m.attempts.length) show(m, 0, 0);
}

function listen(m, attempt, index) {
  comparisons(attempt).forEach((item, step) => {
    item.addEventListener("click", () => show(m, index, step));
  });
  attempt.addEventListener("toggle", () => {
    if (attempt.open && m.at !== index) show(m, index, 0);
  });
}

function comparisons(attempt) {
  return [...attempt.querySelectorAll("ol > li")];
}

function key(m, event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !m.attempts.length) return;
  const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const nodes = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!steps && !nodes) return;
  event.preventDefault();
  if (steps) walk(m, steps);
  else show(m, Math.min(Math.max(m.at + nodes, 0), m.attempts.length - 1), 0);
}

// The next comparison; after the last one of a node comes the first one of the next node.
function walk(m, way) {
  const many = comparisons(m.attempts[m.at]).length;
  const step = m.step + way;
  if (step >= 0 && step < many) show(m, m.at, step);
  else if (way > 0 && m.at + 1 < m.attempts.length) show(m, m.at + 1, 0);
  else if (way < 0 && m.at > 0) {
    show(m, m.at - 1, comparisons(m.attempts[m.at - 1]).length - 1);
  }
}

// A call chosen in the picture: its attempt, or why there is none.
function choose(m, id) {
  const index = m.attempts.findIndex((each) => each.dataset.node === id);
  if (index >= 0) {
    show(m, index, 0);
    return;
  }
  clear(m);
  mark(m.graph, id, "fails", "✗");
  const other = m.root.querySelector(`.others li[data-node="${CSS.escape(id)}"]`);
  say(m, other ? other.textContent : "No pattern has its output here: this is no call.");
}

function show(m, at, step) {
  m.at = at;
  m.step = step;
  m.attempts.forEach((each, index) => {
    each.open = index === at;
  });
  const attempt = m.attempts[at];
  const items = comparisons(attempt);
  clear(m);
  const pattern = m.patterns.find((each) => each.dataset.rule === attempt.dataset.rule);
  items.slice(0, step + 1).forEach((item, index) => {
    const last = index === step;
    const fits = item.classList.contains("fits");
    const name = !last ? "seen" : fits ? "here" : "fails";
    mark(m.graph, item.dataset.node, name, fits ? "✓" : "✗");
    mark(pattern, item.dataset.part, name, fits ? "✓" : "✗");
    if (last) item.setAttribute("aria-current", "step");
  });
  if (pattern) bring(pattern.parentElement, pattern);
  const done = step === items.length - 1;
  const why = done ? [...attempt.querySelectorAll(":scope > p")].map((p) => p.textContent) : [];
  say(m, [`${step + 1} of ${items.length}: ${items[step].textContent}`, ...why].join("; "));
}

// Scrolls the patterns, not the page.
function bring(list, pattern) {
  list.scrollTop += pattern.getBoundingClientRect().top - list.getBoundingClientRect().top;
}

function clear(m) {
  for (const one of m.root.querySelectorAll("li[aria-current]")) one.removeAttribute("aria-current");
  for (const one of m.root.querySelectorAll(".verdict")) one.remove();
  for (const one of m.root.querySelectorAll(".node")) one.classList.remove("seen", "here", "fails");
}

// A glyph at the corner of a node, so that no mark is told by colour alone.
function mark(figure, id, name, glyph) {
  const picked = figure && figure.querySelector(`.node[data-id="${CSS.escape(id)}"]`);
  if (!picked) return;
  picked.classList.remove("seen", "here", "fails");
  picked.classList.add(name);
  let word = picked.querySelector(".verdict");
  if (!word) {
    word = document.createElementNS("http://www.w3.org/2000/svg", "text");
    word.setAttribute("class", "verdict");
    const box = picked.querySelector(".body").getBBox();
    word.setAttribute("x", box.x + box.width + 3);
    word.setAttribute("y", box.y + 8);
    picked.append(word);
  }
  word.textContent = glyph;
}

function say(m, words) {
  m.root.querySelector(".status").textContent = words;
}

for (const root of document.querySelectorAll(".msx-card.matcher:not(.ready)")) start(root);
