// The data block of a panel: the report, with rows that repeat written once.
function row(table, at) {
  const found = table.rows[at];
  return Array.isArray(found)
    ? Object.fromEntries(table.keys.map((key, place) => [key, found[place]])) : found;
}

// Nodes and edges of the pass at this place, as Panel.json() has them.
function unpacked(p, at) {
  const { packed, passes } = p.data;
  const read = (name, table) => [name, (passes[at][name] || []).map((place) =>
    row(packed[table], place))];
  return Object.fromEntries([read("nodes", "nodes"), read("edges", "edges"),
    read("enters", "edges"), read("backs", "edges")]);
}

// The nodes of the pass that is shown.
function nodes(p) {
  if (p.unpackedOf !== p.number) {
    p.unpackedOf = p.number;
    const at = p.data.passes.findIndex((pass) => pass.number === p.number);
    p.nodes = at < 0 ? [] : unpacked(p, at).nodes;
    p.leftOut = at < 0 ? 0 : p.data.passes[at].left_out || 0;
  }
  return p.nodes;
}

// What a node says of itself in the picture of that pass, one fact a line.
function said(p, number, id) {
  const { packed, passes } = p.data;
  const at = passes.findIndex((pass) => pass.number === number);
  return packed.facts[packed.said[at]?.[id]] || `node: ${id}`;
}

// A node as a word.
function name(p, id) {
  const found = nodes(p).find((each) => String(each.id) === String(id));
  return found ? found.call : `%${id}`;
}
