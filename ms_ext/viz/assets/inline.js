// A picture lives once in a page, as the source of an <img>. With script it becomes inline SVG,
// which takes its colours from the page and can be pointed at. Nothing is asked for anywhere.
function inline(source) {
  const text = decodeURIComponent(source.slice(source.indexOf(",") + 1));
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

// The pictures of a card in the place of their images, without the rules that the page has too.
function inlined(root) {
  for (const image of root.querySelectorAll("figure img")) {
    const svg = inline(image.getAttribute("src"));
    svg.querySelector("style").remove(); // in the page these would rule every picture
    image.replaceWith(svg);
  }
}
