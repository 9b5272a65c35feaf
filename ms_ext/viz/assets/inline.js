// A picture lives once in a page, as the source of an <img>. With script it becomes inline SVG,
// which takes its colours from the page and can be pointed at. Nothing is asked for anywhere.
function inline(source) {
  const text = decodeURIComponent(source.slice(source.indexOf(",") + 1));
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}
