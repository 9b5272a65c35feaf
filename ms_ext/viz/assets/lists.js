// The lists below the picture: one at a time, by tabs; a line and its nodes point at each other.
const PANE = 320; // pixels that a pane needs beside another; a page of the book has room for two

function listTabs(p) {
  const order = ["changes", "every node", "matches", "near misses", "operations"];
  const found = new Set(all(p.lists, ".list").map((list) => list.dataset.tab));
  const names = [...order.filter((name) => found.has(name)),
    ...[...found].filter((name) => !order.includes(name))];
  p.tabs = make("div", { class: "tabs", role: "tablist", "aria-label": "lists" });
  for (const name of names) {
    p.tabs.append(make("button", { type: "button", role: "tab", "data-tab": name }, name));
  }
  p.tab = names.find((name) => p.open.includes(name)) || names[0];
  p.beside = make("div", { class: "beside" });
  p.lists.prepend(p.beside, p.tabs);
  p.tabs.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-tab]");
    if (tab) turn(p, tab.dataset.tab);
  });
  p.tabs.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    tabBy(p, by);
    p.tabs.querySelector("[aria-selected=true]").focus();
  });
  for (const list of all(p.lists, "details.list")) list.open = true;
  for (const list of all(p.lists, ".list")) {
    list.setAttribute("role", "tabpanel");
    list.setAttribute("aria-label", list.dataset.tab);
  }
  seat(p);
  listenLists(p);
}

// The lists of the shown step and of the whole panel.
const present = (p) => all(p.lists, ".list").filter((list) => {
  const step = list.closest(".tables");
  return !step || +step.dataset.pass === p.number;
});

// Where there is room, panes that are to be open stand beside each other, else among the tabs.
// Says whether one has moved.
function seat(p) {
  const home = p.root.clientWidth >= PANE * Math.max(2, p.open.length) ? p.beside : p.find(".panes");
  const moving = p.open.map((name) => p.lists.querySelector(`details.list[data-tab="${name}"]`))
    .filter((list) => list && list.parentElement !== home);
  for (const list of moving) {
    home.append(list);
    list.open = true;
    list.setAttribute("role", home === p.beside ? "region" : "tabpanel");
  }
  return moving.length > 0;
}

function turn(p, name) {
  p.tab = name;
  const lists = present(p).filter((list) => list.parentElement !== p.beside);
  const here = lists.some((list) => list.dataset.tab === name) ? name : lists[0]?.dataset.tab;
  for (const list of all(p.lists, ".list")) {
    list.hidden = list.parentElement !== p.beside &&
      (!lists.includes(list) || list.dataset.tab !== here);
  }
  for (const tab of p.tabs.children) {
    const list = lists.find((each) => each.dataset.tab === tab.dataset.tab);
    const chosen = tab.dataset.tab === here;
    tab.hidden = !list;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    tab.replaceChildren(tab.dataset.tab, " ", make("small", {}, list ? list.dataset.count : ""));
  }
  p.tabs.hidden = !lists.length;
}

function tabBy(p, by) {
  const shown = [...p.tabs.children].filter((tab) => !tab.hidden);
  if (!shown.length) return;
  const at = shown.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  const tab = shown[(at + by + shown.length) % shown.length].dataset.tab;
  turn(p, tab);
  p.say(`list: ${tab}`);
}

// lines and nodes ------------------------------------------------------------------------------

const ids = (line) => line.dataset.nodes ? line.dataset.nodes.split(" ")
  : [line.dataset.id].filter(Boolean);

// Marks nodes a line speaks of, without choosing one.
function light(p, wanted) {
  for (const each of all(p.root, "g.lit")) each.classList.remove("lit");
  for (const id of wanted) {
    const found = holder(p, id);
    if (found) found.classList.add("lit");
  }
}

// Marks the lines that speak of the chosen node, and scrolls its list there.
function follow(p, chosen) {
  for (const line of all(p.lists, ".said")) line.classList.remove("said");
  if (!chosen) return;
  const mine = new Set([chosen.dataset.id, ...members(chosen)]);
  for (const list of present(p)) {
    const lines = all(list, "[data-nodes], tr[data-id]")
      .filter((line) => ids(line).some((id) => mine.has(id)));
    for (const line of lines) line.classList.add("said");
    if (lines.length && !list.hidden) into(list, lines[0]);
  }
}

// Scrolls a list, not the page, until the line is seen.
function into(list, line) {
  const [box, frame] = [line.getBoundingClientRect(), list.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) {
    list.scrollTop += box.top - frame.top - frame.height / 3;
  }
}

function listenLists(p) {
  const line = (event) => event.target.closest("[data-nodes], [data-id], tr[data-match]");
  for (const each of all(p.lists, "[data-nodes], tr[data-id], tr[data-match], span[data-id]")) {
    each.tabIndex = -1;
  }
  for (const list of all(p.lists, ".list")) {
    const start = list.querySelector("[tabindex]");
    if (start) start.tabIndex = 0;
  }
  p.lists.addEventListener("pointerover", (event) => {
    const over = line(event);
    light(p, over ? ids(over) : []);
  });
  p.lists.addEventListener("pointerleave", () => light(p, []));
  p.lists.addEventListener("focusin", (event) => {
    const at = line(event);
    if (at) light(p, ids(at));
  });
  p.lists.addEventListener("click", (event) => press(p, line(event)));
  p.lists.addEventListener("keydown", (event) => roam(p, event, line(event)));
}

function press(p, line) {
  if (!line) return;
  const { match, at } = line.dataset;
  if (match) { p.match = +match; p.miss = 0; look(p); return; }
  if (line.closest(".refused") && at !== undefined || line.closest("table.refused")) {
    p.miss = misses(p).indexOf(line) + 1;
    p.match = 0;
    look(p);
    return;
  }
  const [start] = ids(line);
  if (start && seek(p, start)) light(p, ids(line));
}

// Up and down through the lines of a list; Enter chooses.
function roam(p, event, line) {
  if (!line) return;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" || event.key === " ") press(p, line);
  else if (by) {
    const lines = all(line.closest(".list"), "[tabindex]");
    const other = lines[lines.indexOf(line) + by];
    if (other) {
      line.tabIndex = -1;
      other.tabIndex = 0;
      other.focus();
    }
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
