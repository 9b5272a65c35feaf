// Steps through the passes of every panel in the page. No network, no ids, nothing global.
function start(root) {
  const p = {
    root,
    steps: all(root, "details.step"),
    find: (selector) => root.querySelector(selector),
    zoom: 0, // 0: fitted to the width
    match: 0,
    picked: null,
  };
  arrange(p);
  p.numbers = p.steps.map((step) => +step.dataset.pass);
  root.classList.add("ready");
  listenSteps(p);
  listenTools(p);
  listenPicture(p);
  // JupyterLab leaves keys alone only where the focused element itself says so: d d deletes a cell.
  root.addEventListener("focusin", ({ target }) => {
    target.dataset.lmSuppressShortcuts = "true";
  });
  root.addEventListener("keydown", (event) => key(p, event));
  const tallest = Math.max(0, ...all(p.stage, "svg").map((svg) => svg.viewBox.baseVal.height));
  p.stage.style.height = `${Math.min(560, Math.max(240, tallest + 20))}px`;
  new ResizeObserver(() => p.zoom || resize(p)).observe(p.stage);
  show(p, +root.dataset.start);
}

// Heads, pictures and tables of all passes in three places, so that a step only hides and shows.
function arrange(p) {
  const make = (tag, name, parent) => {
    const made = document.createElement(tag);
    made.className = name;
    parent.append(made);
    return made;
  };
  const home = p.find(".steps");
  p.heads = make("div", "heads", home);
  const view = make("div", "view", home);
  p.stage = make("div", "stage", view);
  p.stage.tabIndex = 0;
  p.stage.setAttribute("role", "group");
  p.stage.setAttribute("aria-label", "picture of the graph; j and k go through the changed nodes");
  p.detail = make("aside", "detail", view);
  p.tables = make("div", "lists", home);
  for (const step of p.steps) {
    const places = [[".head", p.heads], [".picture", p.stage], [".tables", p.tables]];
    for (const [selector, place] of places) {
      const part = step.querySelector(selector);
      if (part) {
        part.dataset.pass = step.dataset.pass;
        place.append(part);
      }
    }
    step.remove();
  }
  for (const title of all(p.stage, "g.node > title")) {
    title.parentNode.dataset.facts = title.textContent;
    title.remove();
  }
}

// passes -------------------------------------------------------------------------------------

function show(p, number) {
  const step = p.steps.find((each) => +each.dataset.pass === number) || p.steps[0];
  if (!step) return;
  p.step = step;
  p.number = +step.dataset.pass;
  p.root.dataset.pass = p.number;
  for (const part of [...p.heads.children, ...p.tables.children]) {
    part.hidden = +part.dataset.pass !== p.number;
  }
  const before = p.svg;
  for (const figure of all(p.stage, ".picture")) {
    figure.hidden = figure.dataset.pass !== step.dataset.picture;
    if (!figure.hidden) p.svg = figure.querySelector("svg");
  }
  for (const button of all(p.root, ".strip button")) {
    const here = +button.dataset.pass === p.number;
    button.setAttribute("aria-current", here ? "step" : "false");
  }
  slide(p);
  p.match = 0;
  look(p);
  search(p);
  pick(p, null);
  if (before !== p.svg) {
    resize(p);
    const first = changed(p)[0];
    if (first) reveal(p, first, true);
  }
}

const summary = (p) => p.heads.querySelector(":scope > :not([hidden])").dataset.summary;

function slide(p) {
  const slider = p.find("input.pass");
  if (!slider) return;
  slider.max = p.numbers.length;
  slider.value = p.numbers.indexOf(p.number) + 1;
  slider.setAttribute("aria-valuetext", summary(p));
}

function move(p, by) {
  const at = p.numbers.indexOf(p.number);
  const next = p.numbers[at < 0 ? 0 : at + by];
  if (next !== undefined) show(p, next);
}

function listenSteps(p) {
  const slider = p.find("input.pass");
  if (!slider) return;
  slider.addEventListener("input", () => show(p, p.numbers[slider.value - 1]));
  p.find(".back").addEventListener("click", () => move(p, -1));
  p.find(".on").addEventListener("click", () => move(p, 1));
  p.find(".strip").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(p, +button.dataset.pass);
  });
  p.find(".only").addEventListener("change", (event) => {
    const keep = (step) => !event.target.checked || step.dataset.pass === step.dataset.picture;
    p.root.classList.toggle("only-changed", event.target.checked);
    p.numbers = p.steps.filter(keep).map((step) => +step.dataset.pass);
    if (!p.numbers.length) p.numbers = p.steps.map((step) => +step.dataset.pass);
    if (p.numbers.includes(p.number)) slide(p);
    else show(p, p.numbers[0]);
  });
}

// the view and the matches -------------------------------------------------------------------

// Sets the classes of the picture from the view, the pass and the match; says so.
function look(p) {
  if (!p.svg) return;
  const own = p.step.dataset.picture === p.step.dataset.pass;
  const chosen = p.find(".views input:checked");
  const view = own ? (chosen ? chosen.value : "diff") : p.step.dataset.view;
  for (const name of ["before", "after", "diff"]) p.svg.classList.toggle(name, name === view);
  p.svg.classList.toggle("plain", !own || p.root.classList.contains("graph"));
  for (const input of all(p.root, ".views input")) input.disabled = !own;
  const row = matchRow(p);
  const said = highlight(p, row);
  p.svg.setAttribute("aria-label", summary(p));
  const shown = own && view !== "diff" ? `; shown ${view}` : "";
  p.find(".status").textContent = summary(p) + shown + said;
}

function matchRow(p) {
  const count = +p.step.dataset.matches;
  const slider = p.find("input.match");
  for (const row of all(p.tables, "tr.here")) row.classList.remove("here");
  if (!slider) return null;
  slider.max = count;
  slider.value = p.match;
  p.find(".matches").classList.toggle("none", !count);
  p.find(".matches .count").textContent = p.match ? `${p.match} of ${count}` : `all ${count}`;
  const words = p.match ? `match ${p.match} of ${count}` : `all ${count} matches`;
  slider.setAttribute("aria-valuetext", words);
  const list = p.tables.querySelector(":scope > :not([hidden])");
  const row = p.match && list ? list.querySelector(`tr[data-match="${p.match}"]`) : null;
  if (row) row.classList.add("here");
  return row;
}

// Dims what has nothing to do with the match of ``row``.
function highlight(p, row) {
  for (const node of all(p.svg, ".in, .bound")) node.classList.remove("in", "bound");
  p.svg.classList.toggle("one", p.match > 0);
  if (!p.match) return "";
  const part = new Set(row ? row.dataset.made.split(" ") : []);
  const bound = new Set(row ? row.dataset.bound.split(" ") : []);
  let first = null;
  for (const node of all(p.svg, "g.node")) {
    const mine = (node.dataset.match || "").split(" ").includes(String(p.match));
    if (mine || part.has(node.dataset.id)) {
      node.classList.add("in");
      part.add(node.dataset.id);
      first = mine ? node : first;
    } else if (bound.has(node.dataset.id)) node.classList.add("bound");
  }
  for (const edge of all(p.svg, "g.edge")) {
    const { from, to } = edge.dataset;
    if (part.has(to) && (part.has(from) || bound.has(from))) edge.classList.add("in");
  }
  if (first) reveal(p, first);
  return `; match ${p.match}: ${row ? row.cells[1].textContent : "not in the table"}`;
}

function stepMatch(p, by) {
  const count = +p.step.dataset.matches;
  p.match = (p.match + by + count + 1) % (count + 1);
  look(p);
}

function listenTools(p) {
  const views = p.find(".views");
  if (views) {
    views.addEventListener("change", () => look(p));
    views.addEventListener("submit", (event) => event.preventDefault());
    const slider = p.find("input.match");
    slider.addEventListener("input", () => { p.match = +slider.value; look(p); });
    p.find(".less").addEventListener("click", () => stepMatch(p, -1));
    p.find(".more").addEventListener("click", () => stepMatch(p, 1));
  }
  p.find(".find input").addEventListener("input", () => search(p));
  p.find(".zoom .out").addEventListener("click", () => scale(p, 1 / 1.25));
  p.find(".zoom .in").addEventListener("click", () => scale(p, 1.25));
  p.find(".zoom .reset").addEventListener("click", () => resize(p, 0));
  p.find(".zoom .whole").addEventListener("click", () => whole(p));
  p.tables.addEventListener("click", (event) => {
    const match = event.target.closest("tr[data-match]");
    if (match) { p.match = +match.dataset.match; look(p); return; }
    const named = event.target.closest("[data-id]");
    if (named) pick(p, node(p, named.dataset.id));
  });
}

// keys ---------------------------------------------------------------------------------------

function key(p, event) {
  const { target } = event;
  const writing = target.matches("input[type=search]");
  const own = target.matches("input[type=range], input[type=radio]");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const choose = (value) => {
    const input = p.find(`.views input[value="${value}"]`);
    if (input && !input.disabled) { input.checked = true; look(p); }
  };
  const actions = {
    ArrowLeft: () => move(p, -1), ArrowRight: () => move(p, 1),
    j: () => next(p, 1, stops(p)), k: () => next(p, -1, stops(p)),
    m: () => stepMatch(p, 1), M: () => stepMatch(p, -1),
    b: () => choose("before"), d: () => choose("diff"), a: () => choose("after"),
    "+": () => scale(p, 1.25), "=": () => scale(p, 1.25), "-": () => scale(p, 0.8),
    0: () => resize(p, 0), w: () => whole(p),
    "/": () => p.find(".find input").focus(),
    Escape: () => { p.match = 0; pick(p, null); look(p); p.stage.focus({ preventScroll: true }); },
  };
  const found = all(p.svg || p.root, "g.node.hit:not(.echo)");
  const onwards = () => next(p, event.shiftKey ? -1 : 1, found);
  const enter = writing && event.key === "Enter" ? onwards : null;
  const action = enter || (Object.hasOwn(actions, event.key) ? actions[event.key] : null);
  if (!action || (own && event.key.startsWith("Arrow"))) return;
  if (writing && !enter && event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

for (const root of document.querySelectorAll(".msx-panel:not(.ready)")) start(root);
