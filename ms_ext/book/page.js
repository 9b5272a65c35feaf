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
    var links = Array.from(document.querySelectorAll(".contents a"));
    var seen = new IntersectionObserver(function (entries) {
      entries.filter(function (entry) { return entry.isIntersecting; }).forEach(function (entry) {
        links.forEach(function (link) {
          var here = link.getAttribute("href") === "#" + entry.target.id;
          link.toggleAttribute("aria-current", here);
        });
      });
    }, { rootMargin: "0px 0px -80% 0px" });
    document.querySelectorAll("main h2, main h3").forEach(function (heading) { seen.observe(heading); });
  }

  show(system.matches);
  system.addEventListener("change", follow);
  document.addEventListener("DOMContentLoaded", function () {
    document.getElementById("theme").addEventListener("click", choose);
    if (window.innerWidth < 900) { document.querySelector(".contents details").open = false; }
    mark();
  });
})();
