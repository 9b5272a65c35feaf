// Pictures take the page's colours. Nothing global, no network.
for (const root of document.querySelectorAll(".msx-card.compilations:not(.ready)")) {
  begin(root);
  for (const image of root.querySelectorAll("figure img")) {
    const svg = inline(image.getAttribute("src"));
    svg.querySelector("style").remove(); // the page has the same rules; these would rule them all
    image.replaceWith(svg);
  }
  root.classList.add("ready");
}
