// The same panel with a line to the kernel: what is chosen here is known there, and back.
const TRAITS = ["number", "match", "view", "selected", "picture"];

function render({ model, el }) {
  el.innerHTML = model.get("_page");
  const asked = new Map(); // "number name" -> what to do with the picture
  let telling = false; // setting several traits is one step, not news after each of them
  const host = {
    known: model.get("_known"),
    ask: (number, name) => new Promise((done) => {
      asked.set(`${number} ${name}`, done);
      model.send({ number, name });
    }),
    changed: (state) => {
      telling = true;
      for (const name of TRAITS) model.set(name, state[name]);
      telling = false;
      model.save_changes();
    },
  };
  const p = start(el.querySelector(".msx-panel"), host);
  const heard = () => {
    if (!telling) steer(p, Object.fromEntries(TRAITS.map((name) => [name, model.get(name)])));
  };
  const answered = ({ number, name, svg, problem }) => {
    const done = asked.get(`${number} ${name}`);
    if (!done) return;
    asked.delete(`${number} ${name}`);
    if (problem) p.say(problem);
    done(svg);
  };
  for (const name of TRAITS) model.on(`change:${name}`, heard);
  model.on("msg:custom", answered);
  heard();
  host.changed(state(p));
  return () => {
    p.watching.disconnect();
    for (const name of TRAITS) model.off(`change:${name}`, heard);
    model.off("msg:custom", answered);
  };
}

export default { render };
