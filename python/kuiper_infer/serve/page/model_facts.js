// SPDX-License-Identifier: MIT
// What a model is: its inputs, outputs, sizes and operators.

import { element, facts } from "./dom.js";
import { bytes, count, extents } from "./format.js";

const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

/** What a service or a module tells of a model; rows of what only a service has are left out elsewhere. */
export function modelFacts(model) {
  const array = (kind) => ({ name, datatype, shape }) => [`${kind} ${name}`, `${datatype}, ${extents(shape)}`];
  const operators = Object.entries(model.operators).sort((a, b) => b[1] - a[1]);
  const all = operators.reduce((sum, [, number]) => sum + number, 0);
  return [
    facts([
      ...model.inputs.map(array("Input")),
      ...model.outputs.map(array("Output")),
      ["Precision", model.precision],
      ["Parameters", count(model.parameters)],
      ["Weights in memory", bytes(model.weight_bytes)],
      ["Memory of a run", model.run_bytes === null ? "depends on its inputs" : bytes(model.run_bytes)],
      ["Multiply-adds", model.multiply_adds === null ? null : count(model.multiply_adds)],
      ["Runs", model.workers === undefined ? null : `${plural(model.workers, "worker")}, ${model.threads ? plural(model.threads, "thread") : "all cores"} each`],
      ["Largest batch", (model.batch_sizes?.[0] ?? 1) === 1 ? null : plural(model.batch_sizes[0], "request")],
      ["Generates text", model.generates_text ? element("a", { href: "#chat" }, "chat with it") : null],
    ]),
    ...model.warnings.map((warning) => element("p", { class: "notice" }, `Warning: ${warning}`)),
    element("details", {}, element("summary", {}, `${plural(all, "operator")} in the file`),
      facts(operators.map(([type, number]) => [type, String(number)]))),
  ];
}
