// Arrow keys go from box to box of the strip. Pictures take the page's colours. Nothing global.
function start(root) {
  begin(root);
  for (const image of root.querySelectorAll(".layer img")) {
    const svg = inline(image.getAttribute("src"));
    for (const part of [svg, ...svg.querySelectorAll("[id]")]) part.removeAttribute("id");
    svg.querySelector("style").remove(); // the page has the same rules; these would rule them all
    image.replaceWith(svg);
  }
  root.classList.add("ready");
  const boxes = [...root.querySelectorAll(".layer > summary")];
  root.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = boxes.indexOf(event.target);
    if (!way || at < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const next = boxes[at + way];
    if (next) next.focus();
  });
}

for (const root of document.querySelectorAll(".msx-card.stack:not(.ready)")) start(root);
