// What is marked in the picture: what a search found, what is near a change, the uses of a value.

// What a search looks at: all a node says of itself, not the names of its neighbours.
const says = (text) => text.split("\n")
  .filter((line) => !/^(inputs|made from|used by|state)/.test(line)).join("\n").toLowerCase();

function search(p) {
  const text = p.find(".find input").value.trim().toLowerCase();
  const found = new Set();
  for (const each of p.svg ? all(p.svg, "g.node") : []) {
    const hit = text !== "" && visible(each) && says(each.dataset.facts).includes(text);
    each.classList.toggle("hit", hit);
    if (hit) found.add(each.dataset.id);
  }
  const hidden = text ? absent(p, text) : 0;
  const more = hidden ? `, ${hidden} more not in this picture` : "";
  p.find(".find .count").textContent = text ? `${found.size} found${more}` : "";
}

// Nodes of this pass that would be found, but are not drawn; a group that has one is marked.
function absent(p, text) {
  let count = 0;
  for (const each of nodes(p)) {
    const words = [each.call, each.label, each.name, each.type, each.where, each.scope];
    if (node(p, each.id) || !words.join("\n").toLowerCase().includes(text)) continue;
    count += 1;
    const group = holder(p, each.id);
    if (group) group.classList.add("hit");
  }
  return count;
}

// uses ---------------------------------------------------------------------------------------

// Marks the edges of a node, and the nodes that use its value.
function heat(p, chosen) {
  for (const each of all(p.root, ".hot, .use, .user")) each.classList.remove("hot", "use", "user");
  if (!chosen || !p.svg) return;
  const id = quoted(chosen.dataset.id);
  for (const edge of all(p.svg, `g.edge[data-to=${id}]`)) edge.classList.add("hot");
  for (const edge of all(p.svg, `g.edge[data-from=${id}]`)) {
    edge.classList.add("use");
    const user = node(p, edge.dataset.to);
    if (user) user.classList.add("user");
  }
}

// How often a value is used, in words; "" for a group.
function usage(p, id) {
  const mine = nodes(p).find((each) => String(each.id) === id);
  if (!mine || p.leftOut) return ""; // of a large graph not every user is here
  const before = mine.state === "removed" || p.view === "before";
  let times = 0;
  let users = 0;
  for (const each of nodes(p)) {
    if (each.state === (before ? "added" : "removed")) continue;
    const uses = (before ? each.inputs_before : each.inputs).filter((i) => i === mine.id).length;
    times += uses;
    users += uses > 0;
  }
  if (!times) return "not used";
  return `${times} use${times > 1 ? "s" : ""} in ${users} node${users > 1 ? "s" : ""}`;
}

// near a change --------------------------------------------------------------------------------

// Dims what is further than so many edges from what changed, or from the chosen node.
function filter(p) {
  if (!p.svg) return "";
  for (const each of all(p.svg, ".far")) each.classList.remove("far");
  const starts = p.hops === "" ? [] : (p.svg.classList.contains("plain")
    ? [p.picked].filter(Boolean) : changed(p)).map((each) => each.dataset.id);
  if (!starts.length) return "";
  const near = around(p, starts, +p.hops);
  const drawn = all(p.svg, "g.node:not(.echo)").filter(visible);
  for (const each of all(p.svg, "g.node")) each.classList.toggle("far", !near.has(each.dataset.id));
  for (const edge of all(p.svg, "g.edge")) {
    const inside = near.has(edge.dataset.from) && near.has(edge.dataset.to);
    edge.classList.toggle("far", !inside);
  }
  const kept = drawn.filter((each) => near.has(each.dataset.id)).length;
  return `; ${kept} of ${drawn.length} nodes stand out`;
}

function around(p, starts, hops) {
  const beside = new Map();
  const add = (one, other) => beside.set(one, [...(beside.get(one) || []), other]);
  for (const { dataset } of all(p.svg, "g.edge")) {
    add(dataset.from, dataset.to);
    add(dataset.to, dataset.from);
  }
  const near = new Set(starts);
  let ring = starts;
  for (let hop = 0; hop < hops; hop += 1) {
    ring = [...new Set(ring.flatMap((id) => beside.get(id) || []))].filter((id) => !near.has(id));
    for (const id of ring) near.add(id);
  }
  return near;
}

function narrow(p) {
  const select = p.find(".hops select");
  const order = ["", "3", "2", "1", "0"].filter((value) =>
    [...select.options].some((option) => option.value === value));
  select.value = order[(order.indexOf(select.value) + 1) % order.length];
  p.hops = select.value;
  look(p);
}
