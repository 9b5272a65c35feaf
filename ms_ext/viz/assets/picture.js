// The picture of one pass: choosing, finding, zooming and dragging. page.py joins it with panel.js.
const all = (node, selector) => [...node.querySelectorAll(selector)];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// nodes --------------------------------------------------------------------------------------

const visible = (element) => getComputedStyle(element).display !== "none";
const node = (p, id) => p.svg && p.svg.querySelector(`g.node[data-id="${id}"]`);
const changed = (p) => p.svg.classList.contains("plain") ? []
  : all(p.svg, "g.node.added, g.node.removed, g.node.rewritten").filter(visible);
const stops = (p) => p.svg.classList.contains("plain")
  ? all(p.svg, "g.node:not(.echo)").filter(visible) : changed(p);

// What a search looks at: all a node says of itself, not the names of its inputs.
const says = (node) => node.dataset.facts.split("\n").filter((line) => !/^(inputs|made)/.test(line));

function search(p) {
  const text = p.find(".find input").value.trim().toLowerCase();
  let hits = 0;
  for (const each of p.svg ? all(p.svg, "g.node") : []) {
    const hit = text !== "" && says(each).join("\n").toLowerCase().includes(text) && visible(each);
    each.classList.toggle("hit", hit);
    hits += hit && !each.classList.contains("echo");
  }
  p.find(".find .count").textContent = text ? `${hits} found` : "";
}

// Selects a node: its facts, its edges, its place in the picture.
function pick(p, chosen) {
  if (p.picked) p.picked.classList.remove("picked");
  p.picked = chosen;
  if (chosen) {
    chosen.classList.add("picked");
    reveal(p, chosen);
  }
  heat(p, chosen);
  tell(p, chosen);
}

function heat(p, chosen) {
  for (const edge of all(p.root, "g.edge.hot")) edge.classList.remove("hot");
  if (!chosen) return;
  const id = chosen.dataset.id;
  for (const edge of all(p.svg, `g.edge[data-from="${id}"], g.edge[data-to="${id}"]`)) {
    edge.classList.add("hot");
  }
}

function tell(p, chosen) {
  p.detail.replaceChildren();
  if (!chosen) {
    offer(p);
    return;
  }
  const list = document.createElement("dl");
  for (const line of chosen.dataset.facts.split("\n")) {
    const at = line.indexOf(": ");
    const what = document.createElement("dt");
    const text = document.createElement("dd");
    what.textContent = line.slice(0, at);
    for (const part of line.slice(at + 2).split(/(%\d+)/)) text.append(link(p, part));
    list.append(what, text);
  }
  p.detail.append(list);
}

// With no node chosen: what can be chosen.
function offer(p) {
  const hint = document.createElement("p");
  hint.textContent = "Point at a node, or choose one with j and k.";
  const list = document.createElement("ul");
  for (const each of p.svg ? changed(p).slice(0, 60) : []) {
    const item = document.createElement("li");
    item.append(choice(p, each.dataset.facts.split("\n")[0].replace("node: ", ""), each));
    list.append(item);
  }
  p.detail.append(hint, list);
}

function link(p, part) {
  const target = /^%\d+$/.test(part) && node(p, part.slice(1));
  return target ? choice(p, part, target) : part;
}

function choice(p, text, target) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.addEventListener("click", () => pick(p, target));
  return button;
}

function next(p, by, list) {
  if (!list.length) return;
  const at = list.indexOf(p.picked);
  pick(p, list[at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length]);
  p.find(".status").textContent = p.picked.dataset.facts.split("\n").slice(0, 4).join("; ");
}

// the picture --------------------------------------------------------------------------------

function resize(p, zoom = p.zoom) {
  if (!p.svg) return;
  const { width, height } = p.svg.viewBox.baseVal;
  const room = p.stage.clientWidth - 4;
  p.zoom = zoom;
  const factor = zoom || (room > 0 && width ? Math.min(1, Math.max(room / width, 0.65)) : 1);
  p.svg.setAttribute("width", width * factor);
  p.svg.setAttribute("height", height * factor);
  p.factor = factor;
}

function whole(p) {
  if (!p.svg) return;
  const { width, height } = p.svg.viewBox.baseVal;
  resize(p, Math.min((p.stage.clientWidth - 4) / width, (p.stage.clientHeight - 4) / height, 1));
}

function scale(p, by, x = p.stage.clientWidth / 2, y = p.stage.clientHeight / 2) {
  const old = p.factor;
  resize(p, Math.min(4, Math.max(0.1, old * by)));
  const grown = p.factor / old;
  p.stage.scrollTo((p.stage.scrollLeft + x) * grown - x, (p.stage.scrollTop + y) * grown - y);
}

// Scrolls the picture, not the page.
function reveal(p, element, middle = false) {
  const box = element.getBoundingClientRect();
  const stage = p.stage.getBoundingClientRect();
  const inside = box.top > stage.top + 8 && box.bottom < stage.bottom - 8 &&
    box.left > stage.left + 8 && box.right < stage.right - 8;
  if (inside && !middle) return;
  const behavior = calm.matches || middle ? "auto" : "smooth";
  const high = Math.min(box.height, stage.height * 0.7);
  p.stage.scrollTo({
    left: p.stage.scrollLeft + box.left + box.width / 2 - stage.left - stage.width / 2,
    top: p.stage.scrollTop + box.top + high / 2 - stage.top - stage.height * (middle ? 0.35 : 0.5),
    behavior,
  });
}

function listenPicture(p) {
  let from = null;
  let dragged = false;
  const stage = p.stage;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button || event.pointerType === "touch") return;
    from = [event.clientX + stage.scrollLeft, event.clientY + stage.scrollTop];
    dragged = false;
  });
  stage.addEventListener("pointermove", (event) => {
    if (!from || !event.buttons) { from = null; return; }
    const [x, y] = [from[0] - event.clientX, from[1] - event.clientY];
    dragged = dragged || Math.hypot(x - stage.scrollLeft, y - stage.scrollTop) > 4;
    if (dragged) stage.scrollTo(x, y);
  });
  stage.addEventListener("click", (event) => {
    if (!dragged) pick(p, event.target.closest("g.node"));
    from = null;
  });
  stage.addEventListener("pointerover", (event) => {
    const over = event.target.closest("g.node");
    if (!p.picked && !event.buttons) { heat(p, over); tell(p, over); }
  });
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = stage.getBoundingClientRect();
    scale(p, Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
}

