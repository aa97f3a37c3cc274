// SPDX-License-Identifier: MIT
// The report of `kuiper report`, which the service makes by some runs of the model: graph, time and memory of each step.

import { modelPath } from "./api.js";
import { alarm, element } from "./dom.js";
import { extentFields } from "./extent_fields.js";

export function reportForm(model) {
  const inputs = model.inputs.map(({ name, shape }) => ({ name, extents: extentFields(shape) }));
  const place = element("div");

  function show() {
    const query = new URLSearchParams();
    try {
      for (const { name, extents } of inputs) query.append(name, extents.shape().join(","));
    } catch (error) {
      place.replaceChildren(alarm(error.message));
      return;
    }
    const path = `${modelPath(model.name, model.version)}/report?${query}`;
    const told = element("p", { class: "meta", role: "status" }, "The model runs …");
    const frame = element("iframe", { src: path, title: `Report on ${model.name}`, class: "report", sandbox: "allow-scripts" });
    frame.addEventListener("load", () => told.replaceChildren(element("a", { href: path, target: "_blank" }, "Open it in a tab of its own")));
    place.replaceChildren(told, frame);
  }

  return element("form", { class: "run", novalidate: "", onsubmit: (event) => { event.preventDefault(); show(); } },
    element("p", { class: "meta" }, "Runs the model ten times on ones and shows its graph, and the time and memory of each step."),
    ...inputs.map(({ name, extents }) => element("fieldset", {}, element("legend", {}, name), extents.element)),
    element("button", { class: "primary" }, "Measure"), place);
}
