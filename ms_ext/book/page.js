// Light or dark: what the system says, until the reader chooses. Panels read the same attribute.
(function () {
  "use strict";
  var root = document.documentElement;
  var system = window.matchMedia("(prefers-color-scheme: dark)");

  function show(dark) {
    root.setAttribute("data-jp-theme-light", dark ? "false" : "true");
    root.style.colorScheme = dark ? "dark" : "light";
  }

  function choose() {
    show(root.getAttribute("data-jp-theme-light") === "true");
    system.removeEventListener("change", follow);
  }

  function follow(event) {
    show(event.matches);
  }

  function mark() {
    var links = new Map();
    document.querySelectorAll(".contents a").forEach(function (link) {
      links.set(link.getAttribute("href").slice(1), link);
    });
    var headings = Array.from(document.querySelectorAll("main h2, main h3"));
    var current = null;

    function look() {
      var above = headings.filter(function (heading) { return heading.getBoundingClientRect().top < 120; });
      var link = links.get((above.pop() || headings[0] || {}).id);
      if (link === current) { return; }
      if (current) { current.removeAttribute("aria-current"); }
      if (link) { link.setAttribute("aria-current", "true"); }
      current = link;
    }

    document.addEventListener("scroll", look, { passive: true });
    look();
  }

  show(system.matches);
  system.addEventListener("change", follow);
  document.addEventListener("DOMContentLoaded", function () {
    document.getElementById("theme").addEventListener("click", choose);
    if (window.innerWidth < 900) { document.querySelector(".contents details").open = false; }
    mark();
  });
})();
