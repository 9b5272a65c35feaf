// Steps through the turns of a loop and of its way back. No network, nothing global.
function start(root) {
  begin(root);
  inlined(root);
  root.classList.add("ready");
  for (const section of root.querySelectorAll("section")) walk(section);
}

// A loop that made no turn has nothing to step through.
function walk(section) {
  const figure = section.querySelector("figure");
  if (!figure) return;
  const parts = [...figure.querySelectorAll("[data-step]")];
  stepped(section, (step, all) => {
    for (const part of parts) mark(part, step, all);
    const now = figure.querySelector(".turn.now");
    if (now) centred(figure, now);
  });
}

function mark(part, step, all) {
  const mine = +part.dataset.step;
  const reads = (part.dataset.reads || "").split(" ").map(Number);
  part.classList.toggle("later", !all && mine > step);
  part.classList.toggle("now", !all && (mine === step || (step > 0 && reads.includes(step))));
}

for (const root of document.querySelectorAll(".msx-card.loop:not(.ready)")) start(root);
