// SPDX-License-Identifier: MIT
// The graph with its search, its colours and the details of a box.

function nodeText(node) {
  const lines = [node.title, node.name, node.detail];
  if (node.steps.length > 0) lines.push(`${milliseconds(secondsOf(node))}, ${percent(secondsOf(node) / total)}`);
  return lines.filter(Boolean).join("\n");
}
function nodeDetails(node) {
  const lines = [element("h3", {}, node.title)];
  for (const i of node.steps) {
    const step = steps[i];
    lines.push(makeList([["step", `${i + 1} of ${steps.length}, ${step.type}`], ["time", `${milliseconds(step.seconds)}, ${percent(step.seconds / total)}`],
      ["result", `${extents(step.shape)} ${step.stored}${step.channels_last ? ", channels last" : ""}`],
      ["method", step.method || "the only one"], ["rates", `${rate(gigaflops(step))} GFLOP/s, ${rate(gigabytes(step))} GB/s`],
      ["memory", bytes(step.live_bytes) + " in use"]]));
  }
  for (const op of node.operators) {
    lines.push(element("p", {}, element("b", {}, op.type), ` ${op.name}`, element("br"), element("span", { class: "quiet" }, op.parameters)));
  }
  return lines;
}
const view = new GraphView(data.graph, nodeText, nodeDetails);
const slowest = Math.max(...data.graph.nodes.map(secondsOf), 1e-12);
const storedColors = { float32: "var(--soft)", uint8: "#b5485d", int8: "#b5485d", bfloat16: "#2a8c82", int64: "#7a828a", int32: "#7a828a", bool: "#7a828a" };
const storedOf = (node) => (node.steps.length > 0 ? steps[node.steps[node.steps.length - 1]].stored : null);
const tinted = (color, share) => `color-mix(in srgb, ${color} ${Math.round(100 * share)}%, var(--card))`;
const colorings = {
  "time": {
    fill: (node) => tinted("var(--heat)", 0.75 * Math.sqrt(secondsOf(node) / slowest)),
    legend: () => ["time: 0", element("i", { class: "heat" }), milliseconds(slowest), ...kindLegend()],
  },
  "kind": { fill: (node) => tinted(colorOf(node), 0.3), legend: () => kindLegend() },
  "stored type": {
    fill: (node) => (storedOf(node) === null ? "var(--card)" : tinted(storedColors[storedOf(node)] || "#b08a1c", 0.5)),
    legend: () => [...new Set(data.graph.nodes.map(storedOf))].filter(Boolean).map((type) => element("span", {}, dot(storedColors[type] || "#b08a1c"), type)),
  },
};
const usedKinds = new Set(data.graph.nodes.map((node) => node.kind));
const kindLegend = () => data.kinds.filter((kind) => usedKinds.has(kind.id)).map((kind) => element("span", {}, dot(kind.color), kind.name));
const legend = element("div", { class: "legend" });
function colorBy(name) {
  view.paint(colorings[name].fill, colorOf);
  legend.replaceChildren(...colorings[name].legend());
}
const found = { nodes: [], at: -1 };
const matchCount = element("span", { class: "quiet" });
function search(text) {
  const wanted = text.trim().toLowerCase();
  const matches = (node) => [node.title, node.detail, ...node.operators.flatMap((op) => [op.name, op.type, op.parameters])]
    .some((part) => part.toLowerCase().includes(wanted));
  found.nodes = view.mark(wanted ? matches : null);
  found.at = -1;
  matchCount.textContent = wanted ? `${found.nodes.length} of ${data.graph.nodes.length}` : "";
}
function showNext() {
  if (found.nodes.length === 0) return;
  found.at = (found.at + 1) % found.nodes.length;
  view.show(found.nodes[found.at]);
}
place("graph").append(element("div", { class: "toolbar" },
  element("input", { type: "search", placeholder: "Search names, types, parameters", "aria-label": "Search the graph",
    oninput: (event) => search(event.target.value), onkeydown: (event) => { if (event.key === "Enter") showNext(); } }),
  element("button", { onclick: showNext }, "Next"), matchCount,
  element("label", {}, "colour by ", element("select", { onchange: (event) => colorBy(event.target.value) },
    ...Object.keys(colorings).map((name) => element("option", {}, name)))),
  element("button", { onclick: () => view.zoom(1.3), "aria-label": "Zoom in" }, "+"), element("button", { onclick: () => view.zoom(1 / 1.3), "aria-label": "Zoom out" }, "−"),
  element("button", { onclick: () => view.fit() }, "Whole"), element("button", { onclick: () => view.start() }, "Start"),
  element("span", { class: "quiet" }, "Drag to move, Ctrl and wheel to zoom, click for details")), legend, view.element);
colorBy("time");
view.start();
view.details.append(element("p", { class: "quiet" }, "Operators behind a plus sign take no step of their own: they are fused with a neighbour, or are views. "
  + "Click a box for its times, shapes and parameters."));

/** Shows a step's box. */
function showStep(i) {
  if (!nodeOfStep.has(i)) return;
  view.show(nodeOfStep.get(i));
  place("graph").scrollIntoView({ behavior: "smooth" });
}
