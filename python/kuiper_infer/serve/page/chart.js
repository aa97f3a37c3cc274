// SPDX-License-Identifier: MIT
// A figure with its course over the last readings.

import { element, shape } from "./dom.js";

const READINGS = 60;
const [WIDTH, HEIGHT] = [240, 48];

export class Chart {
  /** `text` makes the text of a value. A value that is no number was not there. */
  constructor(title, text, meaning) {
    this.text = text;
    this.values = [];
    this.value = element("b", {}, "–");
    this.area = shape("path", { class: "area" });
    this.line = shape("path", { class: "line" });
    this.element = element("figure", { class: "card" },
      element("figcaption", {}, element("span", {}, title), this.value, element("small", {}, meaning)),
      shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" }, this.area, this.line));
  }

  add(value) {
    this.values = [...this.values, value].slice(-READINGS);
    this.value.textContent = Number.isFinite(value) ? this.text(value) : "–";
    const most = Math.max(...this.values.filter(Number.isFinite), 1e-9);
    const x = (i) => WIDTH - ((this.values.length - 1 - i) * WIDTH) / (READINGS - 1);
    const y = (number) => HEIGHT - 2 - ((HEIGHT - 6) * Math.max(number, 0)) / most;
    const points = this.values.map((number, i) => `${x(i).toFixed(1)},${y(Number.isFinite(number) ? number : 0).toFixed(1)}`);
    this.line.setAttribute("d", `M${points.join("L")}`);
    this.area.setAttribute("d", `M${x(0).toFixed(1)},${HEIGHT}L${points.join("L")}L${WIDTH},${HEIGHT}Z`);
  }
}
