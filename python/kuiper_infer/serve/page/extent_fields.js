// SPDX-License-Identifier: MIT
// Fields for the extents of a shape that are free.

import { element, field } from "./dom.js";

/** Fields for the free extents of `shape`: an element, the function `shape()`, and `set(axis, extent)`. */
export function extentFields(shape) {
  const inputs = new Map();
  shape.forEach((extent, axis) => {
    if (extent < 0) inputs.set(axis, element("input", { type: "number", min: "1", step: "1", value: axis === 0 ? "1" : "64" }));
  });
  const fields = [...inputs].map(([axis, input]) => field(axis === 0 ? "Rows" : `Extent of axis ${axis}`, input));
  return {
    element: element("div", { class: "fields" }, ...fields),
    set(axis, extent) { if (inputs.has(axis)) inputs.get(axis).value = String(extent); },
    shape() {
      return shape.map((extent, axis) => {
        if (extent >= 0) return extent;
        const value = inputs.get(axis).valueAsNumber;
        if (!Number.isInteger(value) || value < 1) throw new Error(`the extent of axis ${axis} is no whole number above 0.`);
        return value;
      });
    },
  };
}
