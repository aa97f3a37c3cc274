// SPDX-License-Identifier: MIT
// The data of the page, and what several sections need of it.

const data = JSON.parse(document.getElementById("data").textContent);
const { steps, run } = data;
const place = (id) => document.getElementById(id);
const kinds = new Map(data.kinds.map((kind) => [kind.id, kind]));
const colorOf = (item) => kinds.get(item.kind).color;
const total = run.steps_seconds || 1e-12;
const nodeOfStep = new Map(data.graph.nodes.flatMap((node) => node.steps.map((step) => [step, node])));
const secondsOf = (node) => node.steps.reduce((sum, step) => sum + steps[step].seconds, 0);
steps.forEach((step, i) => { step.number = i + 1; });

function stepText(i) {
  const step = steps[i];
  return [`step ${i + 1}: ${step.type} ${step.name}`, extents(step.shape) + (step.method ? " by " + step.method : ""),
    `${milliseconds(step.seconds)}, ${percent(step.seconds / total)}`].join("\n");
}
