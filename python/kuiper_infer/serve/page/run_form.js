// SPDX-License-Identifier: MIT
// The form that runs a model: a part for each input, then the answer and its time.

import { answerOf } from "./answer.js";
import { alarm, announce, element, field, select } from "./dom.js";
import { duration } from "./format.js";
import { InputPart } from "./input_part.js";

/**
 * A form for these inputs: its element, `takePicture`, which gives the first input a picture's file, and `runOnFrame`, which gives it
 * a frame (a canvas), runs the model and gives whether that went well. `infer(tensors)` gives the outputs; `timed` says what its time
 * includes. `views` are further ways to show outputs, by name: functions of the outputs, the names of classes and the input's picture
 * that give elements. `settings`: the name of the `view` to begin with, names of classes (`labels`), and the `picture` settings of
 * PictureInput. `more` are elements below the button.
 */
export function runForm(inputs, infer, { timed = "", views = {}, settings = {}, more = [] } = {}) {
  const parts = inputs.map((input) => new InputPart(input, settings.picture));
  const ways = { Numbers: (outputs, names) => outputs.map((output) => answerOf(output, names)), ...views };
  const view = select(Object.keys(ways));
  view.value = settings.view ?? "Numbers";
  const labels = element("input", { type: "file", accept: ".txt,text/plain", id: "class-names" });
  const answer = element("div", { class: "answer" });
  const runner = element("button", { class: "primary" }, "Run");

  /** Shows an answer and gives its time in words, or shows what failed and gives null. */
  async function answerNow() {
    try {
      const tensors = await Promise.all(parts.map((part) => part.tensor()));
      const names = labels.files.length ? (await labels.files[0].text()).trimEnd().split(/\r?\n/) : settings.labels ?? null;
      const begun = performance.now();
      const outputs = await infer(tensors);
      const took = duration((performance.now() - begun) / 1e3);
      answer.replaceChildren(element("p", { class: "meta" }, `Answered in ${took}${timed}.`),
        ...ways[view.value](outputs, names, parts[0]?.picture()));
      return took;
    } catch (error) {
      answer.replaceChildren(alarm(error.message));
      return null;
    }
  }

  async function run() {
    runner.disabled = true;
    const took = await answerNow();
    if (took !== null) announce(`Answered in ${took}.`);
    runner.disabled = false;
    runner.focus();
  }

  async function runOnFrame(canvas) {
    parts[0].takeFrame(canvas);
    return (await answerNow()) !== null;
  }

  const form = element("form", { class: "run", novalidate: "", onsubmit: (event) => { event.preventDefault(); run(); } },
    ...parts.map((part) => part.element),
    element("details", {}, element("summary", {}, "Names of classes"),
      element("div", { class: "field" }, element("label", { for: labels.id }, "A text file with a name in each line"), labels)),
    Object.keys(ways).length > 1 ? field("Show outputs as", view) : null, runner, ...more, answer);
  return { element: form, takePicture: (file) => parts[0]?.takePicture(file), runOnFrame };
}
