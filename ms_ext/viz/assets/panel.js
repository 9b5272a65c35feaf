// Steps through the passes of every panel in the page. No network, no ids, nothing global.
function start(root, host = {}) {
  const p = {
    root,
    host, // of a widget: ask(number, name) draws a picture, changed(state) hears of every step
    source: root.outerHTML,
    data: JSON.parse(root.querySelector("script.data").textContent),
    plain: root.classList.contains("graph"), // one graph, in which nothing changed
    find: (selector) => root.querySelector(selector),
    zoom: 0, // 0: fitted to the width
    match: 0, // 0: all
    miss: 0,
    hops: "",
    wanted: "", // the picture that was asked for by name
    open: (root.dataset.open || "").split(" ").filter(Boolean), // panes that stand beside each other
    picked: null,
  };
  p.changed = () => host.changed && p.ready && host.changed(state(p));
  gather(p);
  controls(p);
  arrange(p);
  p.numbers = p.steps.map((step) => step.number);
  root.classList.add("ready");
  listenSteps(p);
  listenTools(p);
  listenPicture(p);
  quiet(root);
  root.addEventListener("keydown", (event) => key(p, event));
  p.watching = new ResizeObserver(() => {
    if (!p.zoom) resize(p);
    if (seat(p)) turn(p, p.tab);
    edges(p);
  });
  p.watching.observe(p.stage);
  show(p, +root.dataset.start);
  p.ready = true;
  return p;
}

// The steps and their pictures, as the page has them.
function gather(p) {
  p.pictures = new Map();
  p.steps = all(p.root, "details.step").map((home) => {
    const { pass, name, picture, view, matches } = home.dataset;
    const images = all(home, "img.msx-picture");
    const sources = images.map((img) => [img.dataset.name,
      { source: img.getAttribute("src"), about: img.dataset.about || "" }]);
    p.pictures.set(+pass, new Map(sources));
    return {
      home, name, view, number: +pass, source: +picture, own: "changed" in home.dataset,
      matches: +matches, misses: all(home, ".refused span[data-id]").length,
      marks: home.querySelector("summary small")?.textContent || "",
      first: home.querySelector(".picture")?.dataset.default || "",
      known: new Set(p.host.known?.[pass] || []),
    };
  });
}

// Heads and lists of all passes in two places, so that a step only hides and shows.
function arrange(p) {
  const home = p.find(".steps");
  p.heads = make("div", { class: "heads" });
  p.figure = make("figure", { class: "picture" });
  p.stage = make("div", { class: "stage", tabindex: 0, role: "group", "aria-label":
    `picture of the graph; j and k go through the ${p.plain ? "nodes" : "changed nodes"}` }, p.figure);
  p.detail = make("aside", { class: "detail" });
  p.lists = make("div", { class: "lists" });
  p.beyond = make("span", { class: "beyond" });
  p.frame = make("div", { class: "view" }, p.stage,
    make("div", { class: "bar" }, zoom(), p.beyond), p.detail);
  home.append(p.heads, p.frame, p.lists);
  let tallest = 0;
  for (const step of p.steps) {
    for (const [selector, place] of [[".head", p.heads], [".tables", p.lists]]) {
      const part = step.home.querySelector(selector);
      part.dataset.pass = step.number;
      place.append(part);
    }
    const kept = p.pictures.get(step.number).get(step.first);
    const size = kept && kept.source.match(/viewBox=(?:'|%22)0 0 [\d.]+ ([\d.]+)/);
    tallest = Math.max(tallest, size ? +size[1] : 0);
    step.home.remove();
  }
  const panes = p.find(".panes");
  if (panes) p.lists.append(panes);
  const most = p.open.length ? 320 : 560;
  p.stage.style.height = `${Math.min(most, Math.max(240, tallest + 20))}px`;
  listTabs(p);
}

// What a widget tells its kernel.
function state(p) {
  return { number: p.number, match: p.match, view: p.chosen, picture: p.name || "",
    selected: p.picked && /^\d+$/.test(p.picked.dataset.id) ? +p.picked.dataset.id : null };
}

// What a kernel tells its widget: the same, where it differs.
function steer(p, wanted) {
  const now = state(p);
  if (wanted.number !== now.number && p.steps.some((step) => step.number === wanted.number)) {
    show(p, wanted.number);
  }
  if (wanted.picture && wanted.picture !== p.name) change(p, wanted.picture);
  if (wanted.view !== now.view) choose(p, wanted.view);
  if (wanted.match !== p.match) { p.match = Math.min(wanted.match, p.step.matches); look(p); }
  if (wanted.selected !== state(p).selected) {
    if (wanted.selected !== null) seek(p, wanted.selected);
    else pick(p, null);
  }
}

// passes -------------------------------------------------------------------------------------

function show(p, number) {
  const step = p.steps.find((each) => each.number === number) || p.steps[0];
  if (!step) return;
  p.step = step;
  p.number = step.number;
  p.root.dataset.pass = p.number;
  for (const part of [...p.heads.children, ...all(p.lists, ".tables")]) {
    part.hidden = +part.dataset.pass !== p.number;
  }
  const other = place(p);
  for (const button of all(p.root, ".strip button")) {
    const here = +button.dataset.pass === p.number;
    button.setAttribute("aria-current", here ? "step" : "false");
  }
  slide(p);
  p.match = 0;
  p.miss = 0;
  turn(p, p.tab);
  look(p);
  search(p);
  pick(p, null);
  if (other && p.svg) {
    resize(p);
    const start = changed(p)[0];
    if (start) reveal(p, start, true);
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
  else p.say(by > 0 ? "this is the last pass" : "this is the first pass");
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
    const kept = p.steps.filter((step) => !event.target.checked || step.own);
    p.root.classList.toggle("only-changed", event.target.checked);
    p.numbers = (kept.length ? kept : p.steps).map((step) => step.number);
    if (p.numbers.includes(p.number)) slide(p);
    else show(p, p.numbers[0]);
  });
}

// the view and the tools ----------------------------------------------------------------------

// Sets the classes of the picture from the view, the pass and the match; says so.
function look(p) {
  p.chosen = p.find(".views input:checked")?.value || "diff";
  p.view = p.step.own ? p.chosen : p.step.view;
  const said = `${count(p, "match")}${count(p, "miss")}`;
  if (!p.svg) return;
  for (const name of ["before", "after", "diff"]) p.svg.classList.toggle(name, name === p.view);
  p.svg.classList.toggle("plain", p.plain || !p.step.own);
  for (const input of all(p.root, ".views input")) input.disabled = !p.step.own;
  emphasise(p);
  const narrowed = filter(p);
  p.svg.setAttribute("aria-label", summary(p));
  const shown = p.step.own && p.view !== "diff" ? `; shown ${p.view}` : "";
  p.say(summary(p) + shown + said + narrowed);
  p.changed();
}

// Where the pass has one picture only, the view that is chosen waits for one that has all three.
function choose(p, value) {
  const input = p.find(`.views input[value="${value}"]`);
  if (!input) return;
  input.checked = true;
  look(p);
  if (!p.step.own) p.say(`this pass changed nothing: ${value} is shown at the next that did`);
}

function listenTools(p) {
  const on = (selector, event, action) => p.find(selector)?.addEventListener(event, action);
  on(".views", "change", () => look(p));
  on(".views", "submit", (event) => event.preventDefault());
  for (const [home, kind] of [[".counter.matches", "match"], [".counter.misses", "miss"]]) {
    on(`${home} input`, "input", (event) => stepOne(p, kind, +event.target.value - p[kind]));
    on(`${home} .less`, "click", () => stepOne(p, kind, -1));
    on(`${home} .more`, "click", () => stepOne(p, kind, 1));
  }
  on(".hops select", "change", (event) => { p.hops = event.target.value; look(p); });
  on(".find input", "input", () => search(p));
  on(".zoom .out", "click", () => scale(p, 1 / 1.25));
  on(".zoom .in", "click", () => scale(p, 1.25));
  on(".zoom .reset", "click", () => resize(p, 0));
  on(".zoom .whole", "click", () => whole(p));
  on(".save", "click", ({ target }) => target.dataset.save && save(p, target.dataset.save));
}
