// Pictures take the page's colours. Nothing global, no network.
for (const root of document.querySelectorAll(".msx-card.calls:not(.ready)")) {
  begin(root);
  inlined(root);
  root.classList.add("ready");
}
