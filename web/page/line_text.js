// SPDX-License-Identifier: MIT
// The text that a network with CTC reads.

import { element } from "./dom.js";

/** Of each column of (1, columns, 1 + characters) the best class: repeats are one, class 0 is none. */
export function textOf({ shape, data }, alphabet) {
  if (shape.length !== 3 || shape[0] !== 1) {
    throw new Error(`The first output is ${shape.join(" × ")}; a reader's has 1 × columns × (1 + characters).`);
  }
  const [, columns, classes] = shape;
  let text = "";
  let previous = 0;
  for (let t = 0; t < columns; ++t) {
    const column = data.subarray(t * classes, (t + 1) * classes);
    const best = column.reduce((chosen, value, i) => (value > column[chosen] ? i : chosen), 0);
    if (best !== 0 && best !== previous) text += alphabet?.[best - 1] ?? `[${best}]`;
    previous = best;
  }
  return text;
}

/** The text as a paragraph. The names of classes are the characters, without that of class 0. */
export const lineText = ([output], alphabet) => [element("p", { class: "read" }, textOf(output, alphabet))];
