// Steps through the stations of a training: one step is shown, with its stations up to this one.
// (Where they would stand below each other, the style shows this one alone.)
function start(root) {
  begin(root);
  inlined(root);
  const sections = [...root.querySelectorAll("section")];
  stepped(root, (step, all) => {
    for (const section of sections) {
      const stations = [...section.querySelectorAll(".station")];
      section.classList.toggle("stepping", !all);
      section.hidden = !all && !stations.some((each) => +each.dataset.step === step);
      for (const each of stations) {
        each.classList.toggle("later", !all && +each.dataset.step > step);
        each.classList.toggle("now", !all && +each.dataset.step === step);
      }
    }
  });
}

for (const root of document.querySelectorAll(".msx-card.training:not(.ready)")) start(root);
