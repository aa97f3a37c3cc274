// SPDX-License-Identifier: MIT
// One version of a model: what it is, a form to run it, and where its time goes.

import { infer } from "./api.js";
import { element, section } from "./dom.js";
import { modelFacts } from "./model_facts.js";
import { runForm } from "./run_form.js";
import { reportForm } from "./report_form.js";

export function modelDetails(model, reports) {
  const heading = element("h1", {}, model.name, " ", element("small", {}, `version ${model.version}`));
  const run = runForm(model.inputs, (tensors) => infer(model.name, model.version, tensors), { timed: ", the network included" });
  const sections = [section("Model", ...modelFacts(model)), section("Run it", run.element)];
  if (reports) sections.push(section("Where the time goes", reportForm(model)));
  return [heading, ...sections];
}
