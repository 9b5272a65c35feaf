// Steps through the walk back: what has not come back yet is hidden. No network, nothing global.
function start(root) {
  begin(root);
  inlined(root);
  const figure = root.querySelector("figure");
  figure.scrollTop = figure.scrollHeight; // the walk begins at the lower end
  figure.scrollLeft = (figure.scrollWidth - figure.clientWidth) / 2;
  const parts = [...figure.querySelectorAll("[data-step]")];
  const draw = (step, all) => {
    for (const part of parts) mark(part, step, all);
    const now = figure.querySelector(".spot.now:not(.chip)");
    if (now) centred(figure, now, true);
  };
  const words = ({ childNodes: [name, said] }) => `${name.textContent} ${said.textContent.trim()}`;
  stepped(root, draw, { words });
}

// Step 0 is what the outputs get.
function mark(part, step, all) {
  const mine = +part.dataset.step;
  const walked = part.classList.contains("chip") || part.classList.contains("wire");
  part.classList.toggle("later", !all && (walked ? mine > step : arrives(part, step)));
  part.classList.toggle("now", !all && mine === step && (mine > 0 || walked));
}

// The sum at a call is known when its step begins; at an input only at the end of the walk.
function arrives(part, step) {
  return +part.dataset.step ? +part.dataset.step > step : true;
}

for (const root of document.querySelectorAll(".msx-card.backward:not(.ready)")) start(root);
