// SPDX-License-Identifier: MIT
// The report of `kuiper report` on the inputs of the last run: the planned graph, and time and memory of each step.

import { alarm, element } from "./dom.js";

const RUNS = 20;

/** An element, and the function `enable`, which is called once the model has run. */
export function reportForm(model) {
  const place = element("div");
  const measure = element("button", { class: "primary", disabled: true }, "Measure");
  const frameOf = (page) => element("iframe", { srcdoc: page, title: `Report on ${model.name}`, class: "report", sandbox: "allow-scripts" });

  async function show() {
    place.replaceChildren(element("p", { class: "meta", role: "status" }, "The model runs …"));
    await new Promise((resolve) => setTimeout(resolve, 50));  // until the browser has drawn that
    try {
      place.replaceChildren(frameOf(model.report(RUNS)));
    } catch (error) {
      place.replaceChildren(alarm(error.message));
    }
  }

  return {
    element: element("form", { class: "run", onsubmit: (event) => { event.preventDefault(); show(); } },
      element("p", { class: "meta" }, `Runs the model ${RUNS} times on the inputs of the last run, and shows its graph as it is planned, and `
        + "the mean time and the memory of each step."), measure, place),
    enable: () => { measure.disabled = false; },
  };
}
