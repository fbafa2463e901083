// The flame graph: who called whom, as sampled; callers stand above. A click enlarges a call and shows its function.

const flame = { nodes: [], zoom: null, words: "" };
const kFlameRow = 19;

function buildFlame() {
  const root = { row: null, value: 0, children: [], parent: null, depth: 0 };
  const nodes = data.calls.map(([parent, row, value]) => ({ parent, row: data.functions[row], value, children: [] }));
  for (const node of nodes) {
    node.parent = node.parent < 0 ? root : nodes[node.parent];
    node.depth = node.parent.depth + 1;
    node.parent.children.push(node);
    if (node.parent === root) root.value += node.value;
  }
  flame.nodes = nodes;
  flame.root = root;
  flame.zoom = root;
}

/** A steady hue for a name, warm for Lua and grey for what is not. */
function flameClass(row) {
  if (row === null) return "all";
  if (row.kind !== "lua") return row.kind === "native" ? "native" : "machine";
  let hash = 0;
  for (const letter of row.place) hash = (hash * 31 + letter.charCodeAt(0)) % 65521;
  return "lua" + (hash % 6);
}

function flameBox(node, left, width, top) {
  const name = node.row === null ? "all" : node.row.name;
  const text = name + (node.row && node.row.place ? "  " + node.row.place : "") + "\n" + duration(node.value) + ", " + percent(share(node.value, flame.root.value), 2);
  const box = element("button", { class: "call " + flameClass(node.row), title: text, tabindex: width < 2 ? -1 : 0,
    onclick: () => { flame.zoom = node; redrawFlame(); if (node.row?.paths) selection.show(node.row); } }, width > 1.5 ? shortName(name) : "");
  box.style.left = left + "%";
  box.style.width = "calc(" + width + "% - 1px)";
  box.style.top = top * kFlameRow + "px";
  const words = flame.words.toLowerCase();
  if (words !== "" && node.row && (node.row.name + " " + node.row.place).toLowerCase().includes(words)) box.classList.add("found");
  return box;
}

function redrawFlame() {
  const boxes = [];
  let deepest = 0;
  const least = 0.12;
  const place = (node, left, width, depth) => {
    if (width < least) return;
    deepest = Math.max(deepest, depth);
    boxes.push(flameBox(node, left, width, depth));
    let at = left;
    for (const child of [...node.children].sort((a, b) => b.value - a.value)) {
      const part = (width * child.value) / node.value;
      place(child, at, part, depth + 1);
      at += part;
    }
  };
  const above = [];
  for (let node = flame.zoom.parent; node; node = node.parent) above.unshift(node);
  above.forEach((node, depth) => boxes.push(flameBox(node, 0, 100, depth)));
  place(flame.zoom, 0, 100, above.length);
  const graph = byId("flame").querySelector(".graph");
  graph.replaceChildren(...boxes);
  graph.style.height = (Math.max(deepest, above.length) + 1) * kFlameRow + "px";
}

function markFlame(words) {
  flame.words = words;
  if (flame.root) redrawFlame();
}

function drawFlame() {
  if (data.calls.length === 0) return;
  buildFlame();
  const undrawn = data.left_out.undrawn;
  byId("flame").hidden = false;
  byId("flame").append(
    heading("Flame graph", (byTime ? "" : "of only " + plural(data.time.samples, "sample") + ": ") + "processor time by call, callers above; a click enlarges" + (undrawn > 0 ? "; " + percent(share(undrawn, flame.root.value)) + " in calls too short to be drawn" : "")),
    element("div", { class: "graph" }));
  redrawFlame();
}
