// Steps through the walk back: what has not come back yet is hidden. No network, nothing global.
function start(root) {
  begin(root);
  const figure = root.querySelector("figure");
  const image = figure.querySelector("img");
  if (image) {
    const svg = inline(image.getAttribute("src"));
    svg.querySelector("style").remove(); // the page has the same rules
    image.replaceWith(svg);
    figure.scrollTop = figure.scrollHeight; // the walk begins at the lower end
    figure.scrollLeft = (figure.scrollWidth - figure.clientWidth) / 2;
  }
  const w = {
    figure,
    root,
    slider: root.querySelector("input.step"),
    items: [...root.querySelectorAll(".steps > li[data-step]")],
    parts: [...figure.querySelectorAll("[data-step]")],
  };
  w.last = +w.slider.max;
  root.classList.add("ready");
  w.slider.addEventListener("input", () => show(w, +w.slider.value));
  root.querySelector(".less").addEventListener("click", () => show(w, +w.slider.value - 1));
  root.querySelector(".more").addEventListener("click", () => show(w, +w.slider.value + 1));
  root.addEventListener("keydown", (event) => key(w, event));
  for (const item of w.items) item.addEventListener("click", () => show(w, +item.dataset.step));
  show(w, w.last);
}

function key(w, event) {
  if (event.target === w.slider || event.ctrlKey || event.altKey || event.metaKey) return;
  const at = +w.slider.value;
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, 0: w.last, Home: 0, End: w.last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  show(w, to);
}

// Step 0 is what the outputs get; the last place of the slider shows everything at once.
function show(w, wanted) {
  const step = Math.min(Math.max(wanted, 0), w.last);
  const all = step === w.last;
  w.slider.value = step;
  for (const part of w.parts) {
    const mine = +part.dataset.step;
    const walked = part.classList.contains("chip") || part.classList.contains("wire");
    part.classList.toggle("later", !all && (walked ? mine > step : arrives(part, step)));
    part.classList.toggle("now", !all && mine === step && (mine > 0 || walked));
  }
  let said = "every step at once";
  for (const item of w.items) {
    const here = !all && +item.dataset.step === step;
    item.setAttribute("aria-current", here ? "step" : "false");
    if (here) item.parentNode.scrollTop = item.offsetTop - 60;
    if (here) said = item.firstChild.textContent + " " + item.childNodes[1].textContent.trim();
  }
  follow(w);
  w.slider.setAttribute("aria-valuetext", said);
  w.root.querySelector(".status").textContent = said;
}

// Scrolls the picture alone, to where the step is.
function follow(w) {
  const now = w.figure.querySelector(".spot.now:not(.chip)");
  if (!now) return;
  const box = now.getBoundingClientRect();
  const view = w.figure.getBoundingClientRect();
  w.figure.scrollTop += box.top - view.top - (view.height - box.height) / 2;
  w.figure.scrollLeft += box.left - view.left - (view.width - box.width) / 2;
}

// The sum at a call is known when its step begins; at an input only at the end of the walk.
function arrives(part, step) {
  return +part.dataset.step ? +part.dataset.step > step : true;
}

for (const root of document.querySelectorAll(".msx-card.backward:not(.ready)")) start(root);
