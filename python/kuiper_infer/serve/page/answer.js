// SPDX-License-Identifier: MIT
// An output of a model as the page shows it: the best classes if it may be a row of scores, and its numbers.

import { element, table } from "./dom.js";
import { digits, extents, rounded } from "./format.js";

const MOST_CLASSES = 10;
const MOST_NUMBERS = 1000;

export function answerOf({ name, datatype, shape, data }, labels) {
  const heading = element("h3", {}, name, " ", element("span", { class: "quiet" }, `${datatype}, ${extents(shape)}`));
  const parts = [heading, element("p", { class: "meta" }, summary(data))];
  const scores = isScores(datatype, shape);
  if (scores) parts.push(classes(name, Array.from(data), labels));
  parts.push(element("details", { open: !scores || data.length <= 20 }, element("summary", {}, "Numbers"),
    element("pre", { class: "values", tabindex: "0", "aria-label": `Numbers of ${name}` }, nested(data, shape))));
  return element("article", { "aria-label": `Output ${name}` }, ...parts);
}

/** Whether an output is one row of floats, more than one. */
const isScores = (datatype, shape) =>
  datatype.startsWith("FP") && shape.length > 0 && shape.at(-1) > 1 && shape.slice(0, -1).every((extent) => extent === 1);

function summary(data) {
  if (data.length === 0) return "It is empty.";
  let [least, most, sum] = [Infinity, -Infinity, 0];
  for (const value of data) {
    const number = Number(value);
    least = Math.min(least, number);
    most = Math.max(most, number);
    sum += number;
  }
  return `${data.length.toLocaleString("en")} numbers from ${rounded(least)} to ${rounded(most)}, ${rounded(sum / data.length)} on average`;
}

/** The shares of probability: the scores themselves if they are shares already, else their softmax. */
function shares(scores) {
  const sum = scores.reduce((total, score) => total + score, 0);
  if (scores.every((score) => score >= 0) && Math.abs(sum - 1) < 1e-3) return scores;
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

function classes(name, scores, labels) {
  const share = shares(scores);
  const best = [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, MOST_CLASSES);
  const bar = (index) => {
    const meter = element("meter", { min: "0", max: "1", value: String(share[index]), "aria-hidden": "true" });
    return element("span", { class: "share" }, meter, `${(100 * share[index]).toFixed(1)} %`);
  };
  return table(`Best classes of ${name}`, [
    ["Class", (index) => labels?.[index] ?? `class ${index}`],
    ["Score", (index) => rounded(scores[index]), true],
    ["Softmax", bar],
  ], best);
}

/** The first numbers, as nested lists. */
function nested(data, shape) {
  const most = Math.min(data.length, MOST_NUMBERS);
  let at = 0;
  const write = (axis, indent) => {
    if (axis === shape.length) return digits(data[at++]);
    const inner = [];
    for (let i = 0; i < shape[axis] && at < most; ++i) inner.push(write(axis + 1, `${indent} `));
    return `[${inner.join(axis === shape.length - 1 ? ", " : `,\n${indent} `)}]`;
  };
  const text = data.length ? write(0, "") : "[]";
  return data.length > most ? `${text}\n... ${(data.length - most).toLocaleString("en")} more numbers` : text;
}
