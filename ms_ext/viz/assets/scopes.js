// Which picture of a step is shown: every node, folded by scope, or the inside of one scope.
const has = (p, name) => p.pictures.get(p.step.source).has(name);
const available = (p, name) => has(p, name) || Boolean(p.host.ask && p.step.known.has(name));

// Shows the picture that is wanted, if the step has it, else the one the step shows first.
function place(p) {
  const kept = p.pictures.get(p.step.source);
  const own = p.steps.find((step) => step.number === p.step.source).first;
  const folded = p.wanted.startsWith("inside ") ? "scopes" : "";
  p.name = [p.wanted, folded, own].find((name) => kept.has(name)) || "";
  const svg = kept.size ? drawn(p, p.step.source, p.name) : null;
  const other = svg !== p.svg;
  if (other) {
    p.svg = svg;
    p.figure.replaceChildren(...(svg ? [svg] : []));
    p.picked = null;
  }
  crumbs(p);
  const about = p.heads.querySelector(":scope > :not([hidden]) .hidden");
  if (about) about.textContent = kept.get(p.name)?.about || "";
  return other;
}

// Another picture of the same step, by name; one that is not in the page is asked for.
async function change(p, name) {
  p.wanted = name;
  if (!has(p, name) && p.host.ask) {
    p.say(`drawing: ${worded(name)} …`);
    const svg = await p.host.ask(p.step.source, name);
    if (!svg || p.wanted !== name) return;
    p.pictures.get(p.step.source).set(name, { source: `,${encodeURIComponent(svg)}` });
  }
  const other = place(p);
  look(p);
  search(p);
  if (other) {
    resize(p);
    pick(p, null);
    const start = changed(p)[0];
    if (start) reveal(p, start, true);
    p.say(`${worded(p.name)}: ${all(p.svg, "g.node:not(.echo)").length} boxes`);
  }
}

const worded = (name) => ({ whole: "every node", scopes: "folded by scope",
  changes: "near what changed" })[name] || name;

// The pictures there are, and the way back from inside a scope.
function crumbs(p) {
  const bar = p.find(".crumbs");
  const kept = [...p.pictures.get(p.step.source).keys(), ...(p.host.ask ? p.step.known : [])];
  const named = new Set(kept.filter((name) => !name.startsWith("inside ")));
  const entries = [...named].map((name) => [name, worded(name)]);
  if (p.name && p.name.startsWith("inside ")) {
    const parts = p.name.slice(7).split("/");
    parts.forEach((part, at) => {
      entries.push([`inside ${parts.slice(0, at + 1).join("/")}`, `› ${part}`]);
    });
  }
  bar.hidden = entries.length < 2;
  bar.replaceChildren(...entries.map(([name, word]) => crumb(p, name, word)));
}

function crumb(p, name, word) {
  const here = name === p.name;
  const made = make("button", { type: "button", "aria-current": here ? "true" : "false",
    disabled: !here && !available(p, name), "data-picture": name }, word);
  made.addEventListener("click", () => change(p, name));
  return made;
}

// Where a click on a group leads: inside it, or to the picture of every node; "" if nowhere.
function leads(p, group) {
  const name = `inside ${group.dataset.scope}`;
  if (group.dataset.scope && available(p, name)) return name;
  return p.name !== "whole" && available(p, "whole") ? "whole" : "";
}

async function open(p, group) {
  const name = leads(p, group);
  if (!name) {
    pick(p, group);
    announce(p);
    return;
  }
  const ids = members(group);
  if (!p.name.startsWith("inside ")) p.cameFrom = p.name;
  await change(p, name);
  const found = ids.map((id) => node(p, id)).filter(Boolean);
  if (found.length) reveal(p, found[0], true);
  if (name === "whole") light(p, ids);
}

// Out of a scope: to the one around it, or to all scopes.
async function out(p) {
  if (!p.name || !p.name.startsWith("inside ")) return;
  const from = p.name.slice(7);
  const parts = from.split("/");
  const outer = parts.map((_, at) => `inside ${parts.slice(0, -1 - at).join("/")}`);
  const name = [...outer.slice(0, -1), p.cameFrom, "scopes", "changes", "whole"]
    .find((each) => each && available(p, each));
  if (!name) return;
  await change(p, name);
  const group = all(p.svg, "g.group").find((each) => each.dataset.scope === from);
  if (group) {
    pick(p, group);
    announce(p);
  }
}

function fold(p) {
  const names = all(p.root, ".crumbs button:not(:disabled)").map((each) => each.dataset.picture)
    .filter((name) => !name.startsWith("inside "));
  const other = names[(names.indexOf(p.name) + 1) % names.length];
  if (other && other !== p.name) change(p, other);
  else p.say("there is no other picture of this pass");
}
