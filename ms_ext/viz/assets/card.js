// What is pressed and moved stands in an attribute until now, so that a page without script, or a
// notebook that is not trusted, shows none of it.
function begin(root) {
  for (const part of root.querySelectorAll("[data-live]")) {
    part.innerHTML = part.dataset.live;
    delete part.dataset.live;
  }
  quiet(root);
}
