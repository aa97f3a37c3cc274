// SPDX-License-Identifier: MIT
// How the bytes of a picture become the numbers that a model was trained with.

import { element, field, select } from "./dom.js";
import { isFloat } from "./tensors.js";

// Name: divisor, mean and standard deviation of red, green and blue.
const KNOWN = {
  "From 0 to 1": [255, [0, 0, 0], [1, 1, 1]],
  "From -1 to 1": [255, [0.5, 0.5, 0.5], [0.5, 0.5, 0.5]],
  ImageNet: [255, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]],
  "From 0 to 255": [1, [0, 0, 0], [1, 1, 1]],
};

export class NormalisationFields {
  /** `known`: the name to begin with. */
  constructor(channels, datatype, known = isFloat(datatype) ? "From 0 to 1" : "From 0 to 255") {
    this.channels = channels;
    this.known = select(Object.keys(KNOWN), { onchange: () => this.set(this.known.value) });
    this.divisor = element("input", { inputmode: "decimal" });
    this.mean = element("input", { inputmode: "decimal" });
    this.deviation = element("input", { inputmode: "decimal" });
    this.order = select(["RGB", "BGR"]);
    this.element = element("div", {}, field("Normalisation", this.known), element("details", {}, element("summary", {}, "Its numbers"),
      element("div", { class: "fields" }, field("Divide by", this.divisor), field("Subtract", this.mean, "of each channel"),
        field("Then divide by", this.deviation, "of each channel"), channels === 3 ? field("Order", this.order) : null)));
    this.known.value = known;
    this.set(known);
  }

  set(name) {
    const [divisor, mean, deviation] = KNOWN[name];
    this.divisor.value = String(divisor);
    this.mean.value = mean.slice(0, this.channels).join(", ");
    this.deviation.value = deviation.slice(0, this.channels).join(", ");
  }

  read() {
    const [divisor] = numbers(this.divisor, 1, "Divide by");
    const mean = numbers(this.mean, this.channels, "Subtract");
    const deviation = numbers(this.deviation, this.channels, "Then divide by");
    if (divisor === 0 || deviation.includes(0)) throw new Error("nothing can be divided by 0.");
    return { divisor, mean, deviation, order: this.order.value };
  }
}

function numbers(input, length, label) {
  const found = input.value.split(",").map((word) => (word.trim() === "" ? Number.NaN : Number(word)));
  if (found.length !== length || !found.every(Number.isFinite)) {
    throw new Error(`"${label}" has to be ${length === 1 ? "a number" : `${length} numbers with commas between them`}.`);
  }
  return found;
}
