// SPDX-License-Identifier: MIT
// Elements, numbers as people read them, and the tooltip. Text enters the page as text alone, never as markup.
"use strict";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const shape = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

function rounded(value) {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3);
}
const milliseconds = (seconds) => rounded(seconds * 1e3) + " ms";
const percent = (share) => (100 * share).toFixed(1) + " %";

function scaled(value, step, units) {
  let unit = 0;
  for (; value >= step && unit + 1 < units.length; ++unit) value /= step;
  return (unit === 0 ? String(Math.round(value)) : value.toPrecision(Math.max(3, String(Math.floor(value)).length))) + units[unit];
}
const bytes = (count) => scaled(count, 1024, [" B", " KiB", " MiB", " GiB", " TiB"]);
const count = (number) => scaled(number, 1000, ["", " thousand", " million", " billion", " trillion"]);
const extents = (list) => (list === null ? "unknown" : "(" + list.map((extent) => (extent < 0 ? "?" : extent)).join(", ") + ")");
// Two floating-point operations a multiply-add.
const gigaflops = (step) => (step.multiply_adds > 0 && step.seconds > 0 ? (2e-9 * step.multiply_adds) / step.seconds : 0);
const gigabytes = (step) => (step.seconds > 0 ? (1e-9 * step.bytes) / step.seconds : 0);
const rate = (value) => (value > 0 ? value.toFixed(1) : "-");

const tip = document.getElementById("tip");
function showTip(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
  const below = event.clientY + 18;
  tip.style.left = Math.max(8, left) + "px";
  tip.style.top = (below + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 10 : below) + "px";
}
const hideTip = () => { tip.hidden = true; };
/** Attributes of an element that shows a text under the pointer. */
const tipped = (text) => ({ onmousemove: (event) => showTip(event, text()), onmouseleave: hideTip });
