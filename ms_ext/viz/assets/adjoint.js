// Steps through the transformation: what is not written yet is hidden. No network, nothing global.
function start(root) {
  begin(root);
  inlined(root);
  const w = {
    root,
    figure: root.querySelector("figure"),
    written: [...root.querySelectorAll(".pane.adjoint [data-step], svg [data-step]")],
    lines: [...root.querySelectorAll(".pane [data-nodes]")],
  };
  const head = (item) => item.querySelector("b");
  const status = root.querySelector(".status");
  linked(root, (said) => { status.textContent = said; });
  const words = (item) => head(item).textContent;
  stepped(root, (step, all, item) => draw(w, step, all, item), { words, pressed: head });
}

// Step 0 is the dout that the caller gives.
function draw(w, step, all, item) {
  for (const part of w.written) {
    const mine = +part.dataset.step;
    const there = part.matches(".spot.there");
    part.classList.toggle("later", !all && !there && mine > step);
    part.classList.toggle("now", !all && mine === step);
  }
  met(w, all ? 0 : step, item ? item.dataset.node : undefined);
  if (!all) follow(w);
}

// In Python and in the graph: the call that is met now, and those that were met before.
function met(w, step, id) {
  for (const line of w.lines) {
    if (line.closest(".pane.adjoint")) continue;
    const now = id !== undefined && line.dataset.nodes.split(" ").includes(id);
    line.classList.toggle("now", step > 0 && now);
    line.classList.toggle("done", step > 0 && !now && +line.dataset.step < step);
  }
}

// Scrolls the panes and the picture, not the page, to where the step is.
function follow(w) {
  for (const pane of w.root.querySelectorAll(".lines")) {
    const lines = pane.querySelectorAll(".line.now");
    if (lines.length) pane.scrollTop = lines[0].offsetTop - pane.clientHeight / 3;
  }
  const now = w.figure && w.figure.querySelector(".spot.now:not(.there)");
  if (now) centred(w.figure, now);
}

for (const root of document.querySelectorAll(".msx-card.adjoint:not(.ready)")) start(root);
