// Stepping through the matches and the near misses of a pass.
const misses = (p) => all(p.lists, `.tables[data-pass="${p.number}"] .refused span[data-id]`);

// The counter of matches or near misses, and its row in the list; the words for it.
function count(p, kind) {
  const [many, word] = kind === "match" ? [p.step.matches, "match"] : [p.step.misses, "near miss"];
  const words = p[kind] ? `${word} ${p[kind]} of ${many}` : `all ${many} ${word}es`;
  const home = p.find(kind === "match" ? ".counter.matches" : ".counter.misses");
  if (home) {
    const slider = home.querySelector("input");
    slider.max = many;
    slider.value = p[kind];
    slider.setAttribute("aria-valuetext", words);
    home.classList.toggle("none", !many);
    home.querySelector(".count").textContent = p[kind] ? `${p[kind]} of ${many}` : `all ${many}`;
  }
  for (const each of all(p.lists, `.here-${kind}`)) each.classList.remove("here", `here-${kind}`);
  if (!p[kind]) return "";
  const lists = p.lists.querySelector(`.tables[data-pass="${p.number}"]`);
  const found = kind === "match" ? lists.querySelector(`tr[data-match="${p.match}"]`)
    : misses(p)[p.miss - 1];
  if (!found) return `; ${words}: not in the table`;
  found.classList.add("here", `here-${kind}`);
  turn(p, kind === "match" ? "matches" : "near misses");
  if (found.closest("details:not(.list)")) found.closest("details:not(.list)").open = true;
  into(found.closest(".list"), found);
  const told = kind === "match" ? found.cells[1].textContent
    : `${found.textContent}: ${found.closest("tr").cells[0].textContent}`;
  return `; ${words}: ${told}`;
}

// Marks the nodes of the chosen match or near miss, and dims all others.
function emphasise(p) {
  const marks = ["in", "bound", "miss", "misfit"];
  for (const each of all(p.svg, ".in, .bound")) each.classList.remove(...marks);
  for (const each of all(p.svg, "text.verdict")) each.remove();
  p.svg.classList.toggle("one", p.match > 0 || p.miss > 0);
  if (p.match) matched(p);
  else if (p.miss) missed(p);
}

function matched(p) {
  const row = p.find(`.tables[data-pass="${p.number}"] tr[data-match="${p.match}"]`);
  const part = new Set(row ? row.dataset.made.split(" ") : []);
  const bound = new Set(row ? row.dataset.bound.split(" ") : []);
  let last = null;
  for (const node of all(p.svg, "g.node")) {
    const mine = (node.dataset.match || "").split(" ").includes(String(p.match)) ||
      members(node).some((id) => part.has(id));
    if (mine || part.has(node.dataset.id)) {
      node.classList.add("in");
      part.add(node.dataset.id);
      last = mine ? node : last;
    } else if (bound.has(node.dataset.id)) node.classList.add("bound");
  }
  for (const edge of all(p.svg, "g.edge")) {
    const { from, to } = edge.dataset;
    if (part.has(to) && (part.has(from) || bound.has(from))) edge.classList.add("in");
  }
  if (last) reveal(p, last);
}

// The root of a near miss, and the operand that did not fit.
function missed(p) {
  const { id, at, user } = misses(p)[p.miss - 1].dataset;
  const root = holder(p, id);
  const operand = at && at !== id ? holder(p, at) : null;
  const between = user && holder(p, user);
  if (between) between.classList.add("in");
  if (operand && operand !== root) {
    operand.classList.add("in", "misfit");
    verdict(operand, "✗");
    for (const edge of all(p.svg, `g.edge[data-from=${quoted(operand.dataset.id)}]`)) {
      if ([id, user].includes(edge.dataset.to)) edge.classList.add("in");
    }
  }
  if (!root) {
    p.say(`%${id} is not in this picture`);
    return;
  }
  root.classList.add("in", "miss");
  verdict(root, operand ? "?" : "✗");
  reveal(p, root);
}

// A sign at the corner of a node: ? for the root that was tried, ✗ for what did not fit.
function verdict(node, sign) {
  const box = node.querySelector(".body:not(.behind)").getBBox();
  const made = document.createElementNS(node.namespaceURI, "text");
  made.setAttribute("class", "verdict");
  made.setAttribute("x", box.x + 2);
  made.setAttribute("y", box.y - 3);
  made.textContent = sign;
  node.append(made);
}

function stepOne(p, kind, by) {
  const many = kind === "match" ? p.step.matches : p.step.misses;
  if (!many) {
    p.say(`this pass has no ${kind === "match" ? "match" : "near miss"}`);
    return;
  }
  p[kind] = (p[kind] + by + many + 1) % (many + 1);
  p[kind === "match" ? "miss" : "match"] = 0;
  look(p);
}
