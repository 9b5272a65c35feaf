// Turns each timeline's image into a picture that can be zoomed, searched and walked by keyboard.
// No network, no ids, nothing global. Every part carries its times (data-t); this file only moves
// and marks what Python has drawn.
function start(root) {
  begin(root);
  const image = root.querySelector("img.picture");
  const svg = inline(image.src);
  svg.querySelector("style").remove(); // the page has the same rules, and knows its theme
  svg.removeAttribute("height");
  image.replaceWith(svg);
  const t = {
    root,
    svg,
    find: (selector) => root.querySelector(selector),
    stage: root.querySelector(".stage"),
    plot: svg.querySelector(".plot"),
    span: +svg.dataset.span,
    unit: svg.dataset.unit,
    left: +svg.dataset.left,
    axis: +svg.dataset.axis,
    high: svg.viewBox.baseVal.height,
    width: 0,
    from: 0,
    to: +svg.dataset.span,
    here: null,
    hits: [],
    arrows: [],
  };
  t.runs = all(svg, "g.run").map((run) => all(run, "g.lane").map(slicesOf));
  t.parts = all(t.plot, "[data-t]").map(partOf);
  t.stage.tabIndex = 0;
  t.stage.setAttribute("role", "group");
  t.stage.setAttribute("aria-label", `${svg.getAttribute("aria-label")} Arrow keys go from slice to slice.`);
  root.classList.add("ready");
  listen(t);
  detail(t, []);
  new ResizeObserver(() => resize(t)).observe(t.stage);
  resize(t);
}

function all(root, selector) {
  return [...root.querySelectorAll(selector)];
}

// The facts leave the browser's own bubble: they stand below the picture, for every pointer.
function slicesOf(lane) {
  return all(lane, "g.slice").map((slice) => {
    slice.facts = slice.querySelector("title").textContent;
    slice.times = slice.dataset.t.split(" ").map(Number);
    slice.lane = lane.dataset.lane;
    return slice;
  });
}

function partOf(part) {
  const kind = part.classList[0];
  const [begin, end] = part.dataset.t.split(" ").map(Number);
  const rect = part.querySelector("rect");
  const text = part.querySelector("text");
  const y = (part.dataset.y || "").split(" ").map(Number);
  return { part, kind, begin, end, rect, text, y, path: part.querySelector("path") };
}

// moving in time ---------------------------------------------------------------------------------

function resize(t) {
  const wide = Math.max(Math.floor(t.stage.clientWidth), 420);
  t.width = wide - t.left - 10;
  t.svg.setAttribute("viewBox", `0 0 ${wide} ${t.high}`);
  t.svg.setAttribute("width", wide);
  t.plot.setAttribute("width", t.width);
  for (const ground of all(t.plot, ".ground")) ground.setAttribute("width", t.width);
  draw(t);
}

function zoom(t, factor, middle = null) {
  const around = middle ?? (t.here ? (t.here.times[0] + t.here.times[1]) / 2 : (t.from + t.to) / 2);
  const wide = Math.min(Math.max((t.to - t.from) / factor, t.span / 20000), t.span);
  const part = (around - t.from) / (t.to - t.from);
  view(t, around - wide * Math.min(Math.max(part, 0), 1), wide);
}

// Show `wide` of the time from `from` on, within the whole.
function view(t, from, wide) {
  t.from = Math.min(Math.max(from, 0), t.span - wide);
  t.to = t.from + wide;
  draw(t);
}

function draw(t) {
  const scale = t.width / (t.to - t.from);
  const x = (time) => (time - t.from) * scale;
  for (const each of t.parts) move(t, each, x);
  for (const each of t.arrows) move(t, each, x);
  drawAxis(t, x);
  const whole = t.to - t.from >= t.span * 0.999;
  t.find("button.out").disabled = t.find("button.whole").disabled = whole;
}

function move(t, { part, kind, begin, end, rect, y, path }, x) {
  const left = x(begin);
  if (kind === "sync" || kind === "returned") {
    part.setAttribute("transform", `translate(${left.toFixed(1)} 0)`);
    return;
  }
  const right = Math.max(x(end), left + (kind === "slice" ? 1 : 0));
  if (path) {
    path.setAttribute("d", arrowPath(left, y[0], right, y[1]));
    return;
  }
  const [first, last] = [Math.max(left, -4), Math.min(right, t.width + 4)]; // what can be seen
  rect.setAttribute("x", first.toFixed(1));
  rect.setAttribute("width", Math.max(last - first, 0).toFixed(1));
  if ((part.dataset.name || part.dataset.call) && !part.classList.contains("part")) {
    label(part, Math.max(first, 0), Math.min(last, t.width));
  }
}

// The call's number, with the op where there is room for both.
function label(part, left, right) {
  const { call = "", name = "" } = part.dataset;
  const fits = (words) => words && words.length * 6.4 + 6 <= right - left;
  const said = [`${call} ${name}`.trim(), call].find(fits) || "";
  let text = part.querySelector("text");
  if (!said && !text) return;
  if (!text) {
    text = document.createElementNS("http://www.w3.org/2000/svg", "text");
    text.setAttribute("y", +part.parentNode.querySelector(".ground").getAttribute("y") + 13);
    part.append(text);
  }
  text.textContent = said;
  text.setAttribute("x", ((left + right) / 2).toFixed(1));
}

function arrowPath(x1, y1, x2, y2) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(8 * (x2 - x1)) / long, (8 * (y2 - y1)) / long];
  const point = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const one = point(x2 - dx + dy / 2, y2 - dy - dx / 2);
  const other = point(x2 - dx - dy / 2, y2 - dy + dx / 2);
  return `M${point(x1, y1)}L${point(x2, y2)}M${one}L${point(x2, y2)}L${other}`;
}

function drawAxis(t, x) {
  const shown = t.to - t.from;
  const [unit, factor] = unitOf(t.unit, shown, t.to);
  const raw = shown / factor / Math.max(t.width / 110, 2);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= raw);
  const ticks = t.plot.querySelector("g.ticks");
  ticks.querySelector(".axis").setAttribute("d", `M0 ${t.axis}h${t.width}`);
  for (const old of all(ticks, ".grid, .tick")) old.remove();
  for (let at = Math.ceil(t.from / factor / step); at * step * factor <= t.to; at += 1) {
    const place = x(at * step * factor);
    const told = `${+(at * step).toPrecision(10)} ${unit}`.trim();
    const kind = place > t.width - 40 ? "tick last" : place < 20 ? "tick first" : "tick";
    add(ticks, "path", { class: "grid", d: `M${place.toFixed(1)} 32V${t.axis}` });
    add(ticks, "text", { class: kind, x: place.toFixed(1), y: t.axis + 14 }, told);
  }
}

function unitOf(unit, shown, until) {
  if (unit !== "ns") return [unit, 1];
  if (until >= 1e9 && shown >= 1e7) return ["s", 1e9];
  return until >= 2e6 && shown >= 1e4 ? ["ms", 1e6] : ["µs", 1e3];
}

function add(parent, tag, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

// choosing ---------------------------------------------------------------------------------------

// `slice` is where the keyboard stands; all slices of its call light up, in every run.
function choose(t, slice) {
  release(t);
  t.here = slice;
  const mine = ({ dataset }) => (dataset.call ? dataset.call === slice.dataset.call : false);
  const chosen = t.runs.map((lanes) => lanes.flat().filter((s) => s === slice || mine(s)));
  for (const each of chosen.flat()) each.classList.add("chosen");
  slice.classList.add("here");
  t.svg.classList.add("choosing");
  t.arrows = chosen.map(arrow).filter(Boolean);
  const [begin, end] = slice.times;
  const wide = t.to - t.from;
  if (end <= t.from || begin >= t.to) view(t, (begin + end - wide) / 2, wide);
  else draw(t);
  tell(t, slice, chosen);
}

function release(t) {
  for (const each of all(t.svg, ".chosen, .here")) each.classList.remove("chosen", "here");
  for (const { part } of t.arrows) part.remove();
  for (const fixed of all(t.svg, ".arrow")) fixed.remove();
  t.parts = t.parts.filter(({ kind }) => kind !== "arrow");
  t.svg.classList.remove("choosing");
  [t.here, t.arrows] = [null, []];
}

// From the end of the call's first slice to where its last lane begins.
function arrow(slices) {
  const own = slices.filter((s) => !s.matches(".again, .part"));
  const last = own.find((s) => s.parentNode === own.at(-1).parentNode);
  if (own.length < 2 || own[0].parentNode === last.parentNode) return null;
  const top = (s) => +s.parentNode.querySelector(".ground").getAttribute("y");
  const part = add(last.closest("g.run"), "g", { class: "arrow" });
  const y = [top(own[0]) + 18, top(last)];
  const path = add(part, "path", {});
  return { part, kind: "arrow", begin: own[0].times[1], end: last.times[0], y, path };
}

function tell(t, slice, chosen) {
  const others = chosen.map((slices) => slices.filter((each) => each !== slice));
  const count = others.flat().length;
  const [first] = slice.facts.split("\n");
  t.find(".status").textContent = count ? `${first}; ${count} more of this call` : first;
  const rows = facts(slice.facts);
  for (const slices of others.filter((each) => each.length)) {
    const { title } = slices[0].closest("g.run").dataset;
    rows.push([title || "also", slices.map(without).join("; ")]);
  }
  detail(t, rows);
}

// The sentence of a slice without the call's name: "PyTask 12 µs, begins at 3 µs".
function without({ facts: text, lane }) {
  const [first] = text.split("\n");
  return first.slice(first.lastIndexOf(`: ${lane} `) + 2);
}

// Lines "what: text" as pairs; the first line is a sentence of its own.
function facts(text) {
  const [first, ...rest] = text.split("\n");
  return [["", first], ...rest.map((line) => /^([a-z]+): (.*)$/.exec(line).slice(1))];
}

const HINT = "Point at a slice, or go from slice to slice with the arrow keys.";

function detail(t, rows) {
  const list = t.find(".detail");
  list.replaceChildren();
  list.classList.toggle("none", !rows.length);
  for (const [what, text] of rows.length ? rows : [["", HINT]]) {
    for (const [tag, words] of [["dt", what], ["dd", text]]) {
      const made = document.createElement(tag);
      made.textContent = words;
      list.append(made);
    }
  }
}

// To the next slice of the lane (dx), or to the lane above or below (dy), there to the same call
// or, if it has none there, to the nearest.
function step(t, dx, dy) {
  const lanes = t.runs.flat().filter((lane) => lane.length);
  const lane = lanes.findIndex((slices) => slices.includes(t.here));
  if (lane < 0) {
    choose(t, lanes[0].find((slice) => slice.times[1] > t.from) || lanes[0][0]);
    return;
  }
  const other = lanes[Math.min(Math.max(lane + dy, 0), lanes.length - 1)];
  if (dy) {
    const { call } = t.here.dataset;
    const far = (slice) => Math.abs(slice.times[0] - t.here.times[0]);
    const near = other.reduce((best, slice) => (far(slice) < far(best) ? slice : best));
    choose(t, (call && other.find((slice) => slice.dataset.call === call)) || near);
  } else {
    const at = other.indexOf(t.here) + dx;
    choose(t, other[Math.min(Math.max(at, 0), other.length - 1)]);
  }
}

function search(t, words) {
  const term = words.trim().toLowerCase();
  const slices = t.runs.flat(2);
  const meant = ({ dataset, facts: text }) => {
    if (/^k?\d+$/.test(term)) return dataset.call === term;
    if (/^%\d+$/.test(term)) return (dataset.nodes || "").split(" ").includes(term.slice(1));
    return text.toLowerCase().includes(term);
  };
  t.hits = term ? slices.filter(meant) : [];
  for (const slice of slices) slice.classList.toggle("found", t.hits.includes(slice));
  t.find(".count").textContent = term ? `${t.hits.length} ${slices[0].matches(".part") ? "bars " : ""}found` : "";
}

// listening --------------------------------------------------------------------------------------

function listen(t) {
  const field = t.find("input[type=search]");
  field.addEventListener("input", () => search(t, field.value));
  t.find("button.in").addEventListener("click", () => zoom(t, 2));
  t.find("button.out").addEventListener("click", () => zoom(t, 0.5));
  t.find("button.whole").addEventListener("click", () => view(t, 0, t.span));
  t.root.addEventListener("keydown", (event) => key(t, event, field));
  t.plot.addEventListener("pointerover", ({ target }) => {
    const part = target.closest("[data-t]");
    const title = part && part.querySelector("title");
    if (title && !t.here) detail(t, facts(title.textContent));
  });
  t.svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.altKey) return; // the page scrolls
    event.preventDefault();
    const wide = t.plot.getBoundingClientRect();
    const at = t.from + ((event.clientX - wide.left) / t.width) * (t.to - t.from);
    zoom(t, event.deltaY < 0 ? 1.25 : 0.8, at);
  }, { passive: false });
  drag(t);
}

// Dragging moves the time axis; a press that moves nothing chooses.
function drag(t) {
  let down = null;
  t.svg.addEventListener("pointerdown", (event) => {
    down = { x: event.clientX, from: t.from, moved: false, target: event.target };
  });
  t.svg.addEventListener("pointermove", (event) => {
    if (!down || !(event.buttons & 1)) return;
    const far = event.clientX - down.x;
    down.moved ||= Math.abs(far) > 4;
    if (down.moved) view(t, down.from - (far / t.width) * (t.to - t.from), t.to - t.from);
  });
  t.svg.addEventListener("pointerup", () => {
    if (down && !down.moved) press(t, down.target);
    down = null;
  });
}

function press(t, target) {
  const part = target.closest("[data-t]");
  if (part && part.matches(".slice")) {
    choose(t, part);
    return;
  }
  release(t);
  const title = part && part.querySelector("title");
  detail(t, title ? facts(title.textContent) : []);
  t.find(".status").textContent = title ? title.textContent : "";
}

function key(t, event, field) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.shiftKey && event.key === "Enter") return; // Jupyter runs the cell
  if (event.target === field) {
    if (event.key === "Enter") next(t);
    else if (event.key === "Escape") {
      search(t, (field.value = ""));
      t.stage.focus();
    } else return;
  } else if (event.target.closest("button, summary, details")) {
    return;
  } else if (!act(t, event.key, field)) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function next(t) {
  if (t.hits.length) choose(t, t.hits[(t.hits.indexOf(t.here) + 1) % t.hits.length]);
}

// Whether the key means something here.
function act(t, pressed, field) {
  const ends = (index) => {
    const lane = t.runs.flat().find((slices) => slices.includes(t.here)) || t.runs.flat(1)[0];
    choose(t, lane.at(index));
  };
  const keys = {
    ArrowLeft: () => step(t, -1, 0),
    ArrowRight: () => step(t, 1, 0),
    ArrowUp: () => step(t, 0, -1),
    ArrowDown: () => step(t, 0, 1),
    Home: () => ends(0),
    End: () => ends(-1),
    "+": () => zoom(t, 2),
    "=": () => zoom(t, 2),
    "-": () => zoom(t, 0.5),
    0: () => view(t, 0, t.span),
    Enter: () => next(t),
    "/": () => field.focus(),
    Escape: () => {
      release(t);
      detail(t, []);
      t.find(".status").textContent = "nothing chosen";
      draw(t);
    },
  };
  if (!keys[pressed]) return false;
  keys[pressed]();
  return true;
}

for (const root of document.querySelectorAll(".msx-card.timeline:not(.ready)")) start(root);
