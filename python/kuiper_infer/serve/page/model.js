// SPDX-License-Identifier: MIT
// One version of a model: what it is, a form to run it, and where its time goes.

import { element, facts } from "./dom.js";
import { bytes, count, extents } from "./format.js";
import { runForm } from "./run_form.js";
import { reportForm } from "./report_form.js";

const plural = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

export function modelDetails(model, reports) {
  const heading = element("h1", {}, model.name, " ", element("small", {}, `version ${model.version}`));
  const sections = [section("Model", modelFacts(model)), section("Run it", runForm(model))];
  if (reports) sections.push(section("Where the time goes", reportForm(model)));
  return [heading, ...sections];
}

const section = (title, ...content) => element("section", { class: "card", "aria-label": title }, element("h2", {}, title), ...content);

function modelFacts(model) {
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
      ["Runs", `${plural(model.workers, "worker")}, ${model.threads ? plural(model.threads, "thread") : "all cores"} each`],
      ["Largest batch", model.batch_sizes[0] === 1 ? null : plural(model.batch_sizes[0], "request")],
      ["Generates text", model.generates_text ? element("a", { href: "#chat" }, "chat with it") : null],
    ]),
    ...model.warnings.map((warning) => element("p", { class: "notice" }, `Warning: ${warning}`)),
    element("details", {}, element("summary", {}, `${plural(all, "operator")} in the file`),
      facts(operators.map(([type, number]) => [type, String(number)]))),
  ];
}
