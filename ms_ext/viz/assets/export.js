// Saves what is shown: the picture as SVG or PNG, the panel as a page, the data as JSON.
function save(p, kind) {
  const makers = { svg: () => text("image/svg+xml", picture(p)), png: () => pixels(p),
    html: () => text("text/html", standing(p)), json: () => text("application/json", plain(p)) };
  Promise.resolve().then(makers[kind]).then((blob) => {
    const file = `${title(p)}.${kind}`;
    download(p, blob, file);
    p.say(`saved as ${file}, if this page may save files`);
  }).catch((problem) => p.say(`could not be saved: ${problem.message}`));
}

const text = (type, body) => new Blob([body], { type: `${type};charset=utf-8` });

function title(p) {
  const words = [p.find(".title").textContent.split(":")[0], p.number || "", p.step.name];
  return words.filter(Boolean).join(" ").replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "").slice(0, 60) || "picture";
}

function download(p, blob, file) {
  const address = URL.createObjectURL(blob);
  const link = make("a", { href: address, download: file, hidden: true });
  p.root.append(link);
  link.click();
  setTimeout(() => { link.remove(); URL.revokeObjectURL(address); }, 10000);
}

// The shown picture as a file of its own, with the colours that are shown.
function picture(p) {
  if (!p.svg) throw new Error("there is no picture");
  const copy = p.svg.cloneNode(true);
  const { width, height } = p.svg.viewBox.baseVal;
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  for (const each of all(copy, "[data-facts]")) {
    const told = document.createElementNS(copy.namespaceURI, "title");
    told.textContent = each.dataset.facts;
    each.prepend(told);
    delete each.dataset.facts;
  }
  const sheet = document.createElementNS(copy.namespaceURI, "style");
  sheet.textContent = rules(p);
  copy.prepend(sheet);
  return new XMLSerializer().serializeToString(copy);
}

// The rules of the picture, from the panel's own style sheet, with its colours as they are now.
function rules(p) {
  const style = p.root.querySelector("style").textContent;
  const mine = style.slice(style.indexOf(".msx-graph {"), style.indexOf("/* end of the picture */"));
  const now = getComputedStyle(p.root);
  const names = [...new Set(style.match(/--msx-[a-z-]+(?=:)/g))];
  const colours = names.map((name) => `${name}: ${now.getPropertyValue(name).trim()};`);
  return `.msx-graph { ${colours.join(" ")} }\n${mine}`;
}

async function pixels(p) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture(p))}`;
  await image.decode();
  const { width, height } = p.svg.viewBox.baseVal;
  const factor = Math.min(2, 8000 / Math.max(width, height, 1));
  const canvas = make("canvas", { width: Math.ceil(width * factor), height: Math.ceil(height * factor) });
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(p.root).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) =>
    blob ? done(blob) : failed(new Error("the picture is too large")), "image/png"));
}

// The panel as it came, opened at the pass that is shown.
function standing(p) {
  const panel = p.source.replace(/ data-start="\d+"/, ` data-start="${p.number}"`);
  const head = make("title", {}, p.find(".title").textContent).outerHTML;
  return `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="color-scheme" content="light dark">${head}</head><body>${panel}</body></html>\n`;
}

// The data as Panel.json() has it.
function plain(p) {
  const { packed, ...data } = p.data;
  data.passes = data.passes.map((pass, at) => ({ ...pass, ...unpacked(p, at) }));
  return JSON.stringify(data, null, 1);
}
