// Steps by a slider, two buttons, keys, and the rows of a list; the row of the step is marked. The
// last place of the slider shows everything at once; forward from there is the first step. `draw(step, all, item)` draws the rest of the
// view; `words(item)` says what a step is, and a step is gone to from `pressed(item)` of its row.
function stepped(root, draw, own = {}) {
  const { words = (item) => item.textContent, pressed = (item) => item } = own;
  const slider = root.querySelector("input.step");
  const status = root.querySelector(".status");
  const items = [...root.querySelectorAll(".steps > li[data-step]")];
  const last = +slider.max;

  function show(wanted) {
    const step = Math.min(Math.max(wanted, 0), last);
    const item = items.find((each) => +each.dataset.step === step);
    slider.value = step;
    for (const each of items) each.setAttribute("aria-current", each === item ? "step" : "false");
    if (item) item.parentNode.scrollTop = item.offsetTop - 40;
    const beyond = step < last ? `step ${step}` : slider.dataset.every;
    const said = item ? words(item) : beyond; // a long list may leave steps out
    slider.setAttribute("aria-valuetext", said);
    status.textContent = said;
    draw(step, step === last, item);
  }

  const after = () => (+slider.value < last ? +slider.value + 1 : 0);

  root.classList.add("ready");
  slider.addEventListener("input", () => show(+slider.value));
  root.querySelector(".less").addEventListener("click", () => show(+slider.value - 1));
  root.querySelector(".more").addEventListener("click", () => show(after()));
  root.addEventListener("keydown", (event) => {
    if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
    const back = +slider.value - 1;
    const to = { ArrowRight: after(), ArrowLeft: back, 0: last, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });
  for (const item of items) {
    pressed(item).addEventListener("click", () => show(+item.dataset.step));
  }
  show(last);
}

// Scrolls the picture, not the page, to where a part is: if it is out of sight, or `always`.
function centred(figure, part, always = false) {
  const box = part.getBoundingClientRect();
  const view = figure.getBoundingClientRect();
  if (always || box.top < view.top || box.bottom > view.bottom) {
    figure.scrollTop += box.top - view.top - (view.height - box.height) / 2;
  }
  if (always || box.left < view.left || box.right > view.right) {
    figure.scrollLeft += box.left - view.left - (view.width - box.width) / 2;
  }
}
