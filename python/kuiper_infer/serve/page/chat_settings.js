// SPDX-License-Identifier: MIT
// The model that answers, and how it chooses its words.

import { element, field, select } from "./dom.js";

// Name in the request, label, least, most, step, value at first, hint. A field that is empty is not sent.
const NUMBERS = [
  ["temperature", "Temperature", 0, 2, 0.1, "0.7", "0 always takes the likeliest token"],
  ["top_p", "Top p", 0.05, 1, 0.05, "0.95", "tokens that have this probability together"],
  ["max_tokens", "Most tokens", 1, 1e6, 1, "", "of an answer; empty: as many as there is room for"],
  ["seed", "Seed", 0, 1e9, 1, "", "the same seed gives the same answer"],
];

export class ChatSettings {
  constructor() {
    this.model = select([], { "aria-label": "Model" });
    this.systemInput = element("textarea", { rows: 2 });
    this.numbers = NUMBERS.map(([name, label, min, max, step, value, hint]) => {
      const input = element("input", { type: "number", min: String(min), max: String(max), step: String(step), value });
      return { name, input, field: field(label, input, hint) };
    });
    this.details = element("details", { class: "settings" }, element("summary", {}, "Settings"),
      field("System message", this.systemInput, "tells the model how to answer"),
      element("div", { class: "fields" }, ...this.numbers.map((number) => number.field)));
  }

  get system() {
    return this.systemInput.value;
  }

  /** Offers these models; the one that is chosen stays so if it is still there. */
  offer(names) {
    const chosen = this.model.value;
    this.model.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    if (names.includes(chosen)) this.model.value = chosen;
    this.model.hidden = names.length === 0;
  }

  /** The members of a request. */
  options() {
    const given = this.numbers.filter(({ input }) => input.value !== "");
    return Object.fromEntries(given.map(({ name, input }) => [name, input.valueAsNumber]));
  }
}
