// What is pressed and moved: made here, so that a page without script shows none of it.
const all = (node, selector) => [...node.querySelectorAll(selector)];

function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

const button = (word, name, label, more = {}) =>
  make("button", { type: "button", class: name, "aria-label": label, title: label, ...more }, word);

const slider = (name, low, high, value) => make("input", {
  type: "range", class: name.replace(" ", "-"), min: low, max: high, value, step: 1, "aria-label": name,
});

const HOPS = [["", "everything"], ["0", "changed"], ["1", "changed ± 1"], ["2", "changed ± 2"],
  ["3", "changed ± 3"]];

function controls(p) {
  const status = make("p", { class: "status", role: "status", "aria-live": "polite" });
  const parts = [...(p.steps.length > 1 ? stepper(p) : []), tools(p), status];
  const top = make("div", { class: "top" });
  p.find(".title").replaceWith(top);
  top.append(make("p", { class: "title" }, p.root.getAttribute("aria-label")), exports(), keys(p));
  top.after(...parts);
  p.say = (text) => { status.textContent = text; };
}

function stepper(p) {
  const only = make("label", {}, make("input", { type: "checkbox", class: "only" }),
    " changed passes only");
  const chips = p.steps.map((step) => make("li", {}, chip(step)));
  return [
    make("div", { class: "stepper" }, button("◀", "back", "previous pass"),
      slider("pass", 1, p.steps.length, 1), button("▶", "on", "next pass"), only),
    make("ol", { class: "strip", "aria-label": "passes" }, ...chips),
  ];
}

function chip(step) {
  const kind = step.own ? "changed" : "same";
  const inner = [make("b", {}, String(step.number)), ` ${step.name} `, make("small", {}, step.marks)];
  return make("button", { type: "button", "data-pass": step.number, class: kind }, ...inner);
}

function tools(p) {
  const some = (name) => p.steps.some((step) => step[name] > 0);
  return make("div", { class: "tools" },
    ...(p.plain ? [] : [views()]),
    ...(some("matches") ? [counter("match", "matches")] : []),
    ...(some("misses") ? [counter("near miss", "misses")] : []),
    make("nav", { class: "crumbs", "aria-label": "which picture" }),
    hops(p),
    make("span", { class: "find" },
      make("input", { type: "search", placeholder: "find op, name, scope…",
        "aria-label": "find a node" }),
      make("span", { class: "count", "aria-live": "polite" })));
}

const zoom = () => make("span", { class: "zoom" }, button("−", "out", "zoom out"),
  button("+", "in", "zoom in"), button("fit", "whole", "fit all of it into the window"),
  button("reset", "reset", "readable size"));

function views() {
  const choice = ([value, word]) => make("label", {},
    make("input", { type: "radio", name: "view", value, checked: value === "diff" }),
    make("span", {}, word));
  const words = [["before", "Before"], ["diff", "Diff"], ["after", "After"]];
  return make("form", { class: "views", role: "radiogroup", "aria-label": "view" },
    ...words.map(choice));
}

// A slider over the matches, or over the near misses, of a pass; 0 stands for all of them.
function counter(word, name) {
  return make("span", { class: `counter ${name}` }, button("◀", "less", `previous ${word}`),
    make("label", {}, `${word} `, slider(word, 0, 0, 0)),
    make("span", { class: "count" }), button("▶", "more", `next ${word}`));
}

function hops(p) {
  const words = p.plain ? HOPS.slice(0, 1).concat(HOPS.slice(2).map(([value, word]) =>
    [value, word.replace("changed", "chosen")])) : HOPS;
  const options = words.map(([value, word]) => make("option", { value }, word));
  return make("label", { class: "hops" }, "show ", make("select", {
    "aria-label": p.plain ? "how far around the chosen node" : "how far around what changed",
  }, ...options));
}

function exports() {
  const kinds = [["svg", "this picture, as SVG"], ["png", "this picture, as PNG"],
    ["html", "this panel, as a page of its own"], ["json", "everything here, as data"]];
  const items = kinds.map(([kind, what]) => make("li", {},
    make("button", { type: "button", "data-save": kind }, kind.toUpperCase()), ` ${what}`));
  return make("details", { class: "menu save" }, make("summary", {}, "save"),
    make("ul", {}, ...items));
}

function keys(p) {
  const what = p.plain ? "node" : "changed node";
  const some = (name) => p.steps.some((step) => step[name] > 0);
  const scopes = [...p.pictures.values()].some((each) => each.size > 1) || p.host.ask;
  const listed = [
    p.steps.length > 1 && ["← →", "previous, next pass"],
    ["j k", `next, previous ${what}`],
    some("matches") && ["m M", "next, previous match"],
    some("misses") && ["n N", "next, previous near miss"],
    !p.plain && ["b d a", "Before, Diff, After"],
    ["h", "narrow to what is near, then everything again"],
    scopes && ["s", "another picture: every node, folded by scope"],
    scopes && ["Enter ⌫", "into the chosen group, out again"],
    ["t T", "next, previous list below the picture"],
    ["+ − 0", "zoom in, out, back"],
    ["w", "fit all of it into the window"],
    ["/", "search; then Enter for the next one"],
    ["?", "these keys"],
    ["Esc", "let go"],
  ].filter(Boolean);
  const items = listed.map(([key, does]) => make("li", {}, make("kbd", {}, key), ` ${does}`));
  return make("details", { class: "menu keys" }, make("summary", {}, "keys"),
    make("ul", {}, ...items));
}
