// SPDX-License-Identifier: MIT
// The form that runs a model: a part for each input, then the answer and its time.

import { answerOf } from "./answer.js";
import { infer } from "./api.js";
import { alarm, announce, element } from "./dom.js";
import { duration } from "./format.js";
import { InputPart } from "./input_part.js";

export function runForm(model) {
  const parts = model.inputs.map((input) => new InputPart(input));
  const labels = element("input", { type: "file", accept: ".txt,text/plain", id: "class-names" });
  const answer = element("div", { class: "answer" });
  const runner = element("button", { class: "primary" }, "Run");

  async function run() {
    runner.disabled = true;
    try {
      const inputs = await Promise.all(parts.map((part) => part.tensor()));
      const names = labels.files.length ? (await labels.files[0].text()).trimEnd().split(/\r?\n/) : null;
      const begun = performance.now();
      const outputs = await infer(model.name, model.version, inputs);
      const seconds = (performance.now() - begun) / 1e3;
      answer.replaceChildren(element("p", { class: "meta" }, `Answered in ${duration(seconds)}, the network included.`),
        ...outputs.map((output) => answerOf(output, names)));
      announce(`Answered in ${duration(seconds)}.`);
    } catch (error) {
      answer.replaceChildren(alarm(error.message));
    } finally {
      runner.disabled = false;
      runner.focus();
    }
  }

  return element("form", { class: "run", novalidate: "", onsubmit: (event) => { event.preventDefault(); run(); } },
    ...parts.map((part) => part.element),
    element("details", {}, element("summary", {}, "Names of classes"),
      element("div", { class: "field" }, element("label", { for: labels.id }, "A text file with a name in each line"), labels)),
    runner, answer);
}
