// The picture that is shown: its nodes, choosing one, zooming and dragging.
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// The SVG of one picture, made from its image when it is first needed.
function drawn(p, number, name) {
  const kept = p.pictures.get(number).get(name);
  if (!kept.svg) {
    kept.svg = inline(kept.source);
    for (const style of all(kept.svg, "style")) style.remove();
    for (const node of all(kept.svg, "g.node")) {
      const title = node.querySelector(":scope > title");
      node.dataset.facts = title ? title.textContent : said(p, number, node.dataset.id);
      if (title) title.remove();
    }
    operands(p, number, kept.svg);
  }
  return kept.svg;
}

// Says of an edge which operand it is, where its node has several.
function operands(p, number, svg) {
  const at = p.data.passes.findIndex((pass) => pass.number === number);
  const { nodes, edges } = unpacked(p, at);
  const many = new Map(nodes.map((each) => [String(each.id), each]));
  const slots = new Map(edges.map((each) => [`${each.source} ${each.target}`, each.operands]));
  for (const edge of all(svg, "g.edge:not(.back, .enter)")) {
    const [user, places] = [many.get(edge.dataset.to),
      slots.get(`${edge.dataset.from} ${edge.dataset.to}`)];
    if (!user || !places || user.inputs.length < 2) continue;
    const title = document.createElementNS(svg.namespaceURI, "title");
    title.textContent = `operand ${places.join(", ")} of %${user.id} ${user.label}`;
    edge.prepend(title);
  }
}

// nodes --------------------------------------------------------------------------------------

const visible = (element) => getComputedStyle(element).display !== "none";
const quoted = (id) => `"${CSS.escape(String(id))}"`;
const node = (p, id) => p.svg && p.svg.querySelector(`g.node[data-id=${quoted(id)}]`);
const members = (group) => (group.dataset.members || "").split(" ").filter(Boolean);
const changed = (p) => p.svg.classList.contains("plain") ? []
  : all(p.svg, "g.node:is(.added, .removed, .rewritten, .changed):not(.echo)").filter(visible);
const stops = (p) => p.svg.classList.contains("plain")
  ? all(p.svg, "g.node:not(.echo)").filter(visible) : changed(p);
const first = (element) => element.dataset.facts.split("\n")[0].replace(/^(node|group): /, "");

// The node, or the group it is folded into.
function holder(p, id) {
  return node(p, id) || (p.svg &&
    all(p.svg, "g.group").find((group) => members(group).includes(String(id)))) || null;
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
  follow(p, chosen);
  if (p.hops && p.plain) filter(p);
  p.changed();
}

// Selects a node by its id, in the picture of every node if this one does not have it.
function seek(p, id) {
  if (!node(p, id) && available(p, "whole")) change(p, "whole");
  const found = holder(p, id);
  pick(p, found);
  if (found) announce(p);
  else p.say(`%${id} is not in this picture`);
  return found;
}

function tell(p, chosen) {
  p.detail.replaceChildren();
  if (!chosen) {
    offer(p);
    return;
  }
  const list = make("dl");
  for (const line of chosen.dataset.facts.split("\n")) {
    const at = line.indexOf(": ");
    const what = line.slice(0, at);
    if (what === "state" && p.plain) continue;
    const text = make("dd");
    const parts = what === "node" ? [line.slice(at + 2)] : line.slice(at + 2).split(/(%\d+)/);
    for (const part of parts) text.append(link(p, part));
    const uses = what === "used by" && usage(p, chosen.dataset.id);
    if (uses) text.prepend(`${uses}: `);
    list.append(make("dt", {}, what), text);
  }
  p.detail.append(list);
  if (chosen.classList.contains("group")) p.detail.append(inside(p, chosen));
}

// What is in a group, and the way into it.
function inside(p, group) {
  const items = members(group).slice(0, 60).map((id) =>
    make("li", {}, choice(p, name(p, id), () => seek(p, id))));
  const list = make("ul", {}, ...items);
  const enter = make("button", { type: "button", class: "enter" }, "look inside");
  enter.addEventListener("click", () => open(p, group));
  return make("div", {}, ...(leads(p, group) ? [enter] : []), list);
}

// With no node chosen: what can be chosen.
function offer(p) {
  const hint = make("p", {}, "Point at a node, or choose one with j and k.");
  const list = make("ul");
  for (const each of p.svg ? changed(p).slice(0, 60) : []) {
    list.append(make("li", {}, choice(p, first(each), () => { pick(p, each); announce(p); })));
  }
  p.detail.append(hint, list);
}

function link(p, part) {
  const id = /^%\d+$/.test(part) && part.slice(1);
  if (!id || !(node(p, id) || available(p, "whole"))) return part;
  const made = choice(p, part, () => seek(p, id));
  made.addEventListener("pointerenter", () => heat(p, holder(p, id)));
  made.addEventListener("pointerleave", () => heat(p, p.picked));
  return made;
}

function choice(p, text, action) {
  const made = make("button", { type: "button" }, text);
  made.addEventListener("click", action);
  return made;
}

function next(p, by, list) {
  if (!list.length) {
    p.say("nothing to choose here");
    return;
  }
  const at = list.indexOf(p.picked);
  pick(p, list[at < 0 ? (by > 0 ? 0 : list.length - 1) : (at + by + list.length) % list.length]);
  announce(p);
}

// Says which node is chosen, whether by key, click or line.
function announce(p) {
  const lines = p.picked.dataset.facts.split("\n");
  const told = lines.filter((line) => !(p.plain && line.startsWith("state: "))).slice(0, 4);
  p.say([...told, usage(p, p.picked.dataset.id)].filter(Boolean).join("; "));
}

// the picture --------------------------------------------------------------------------------

function resize(p, zoom = p.zoom) {
  if (!p.svg) return;
  const { width, height } = p.svg.viewBox.baseVal;
  const room = p.stage.clientWidth - 4;
  p.zoom = zoom;
  const factor = zoom || (room > 0 && width ? fitted(p, room / width, height) : 1);
  p.svg.setAttribute("width", width * factor);
  p.svg.setAttribute("height", height * factor);
  p.factor = factor;
  edges(p);
}

// As large as is readable and fits: the width, and all of the height where little is missing.
function fitted(p, wide, height) {
  const factor = Math.min(1, Math.max(wide, 0.65));
  const high = (p.stage.clientHeight - 4) / height;
  return high < factor && high >= 0.75 ? high : factor;
}

// Says where the picture goes on beyond the window.
function edges(p) {
  const { scrollTop, scrollLeft, scrollHeight, scrollWidth, clientHeight, clientWidth } = p.stage;
  const rest = { above: scrollTop, below: scrollHeight - clientHeight - scrollTop,
    left: scrollLeft, right: scrollWidth - clientWidth - scrollLeft };
  const beyond = Object.keys(rest).filter((side) => rest[side] > 12);
  for (const side of Object.keys(rest)) p.frame.classList.toggle(side, beyond.includes(side));
  const marks = { above: "↑", below: "↓", left: "←", right: "→" };
  p.beyond.textContent = beyond.length === 0 ? ""
    : `${beyond.map((side) => marks[side]).join(" ")} goes on: drag, or press w for the whole picture`;
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
  const seen = box.top > stage.top + 8 && box.bottom < stage.bottom - 8 &&
    box.left > stage.left + 8 && box.right < stage.right - 8;
  if (seen && !middle) return;
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
  stage.addEventListener("scroll", () => edges(p), { passive: true });
  stage.addEventListener("click", (event) => {
    from = null;
    if (dragged) return;
    const chosen = event.target.closest("g.node");
    if (chosen && chosen.classList.contains("group")) open(p, chosen);
    else {
      pick(p, chosen);
      if (chosen) announce(p);
      else look(p);
    }
  });
  stage.addEventListener("pointerover", (event) => {
    if (event.buttons) return;
    const over = event.target.closest("g.node") || p.picked;
    if (over !== p.pointed) { heat(p, over); tell(p, over); }
    p.pointed = over;
  });
  stage.addEventListener("pointerleave", () => { heat(p, p.picked); tell(p, p.picked); p.pointed = null; });
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = stage.getBoundingClientRect();
    scale(p, Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
}
