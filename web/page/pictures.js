// SPDX-License-Identifier: MIT
// What detectors and segmenters find, drawn into the picture that the model got.

import { element, table } from "./dom.js";
import { rounded } from "./format.js";

/** Steps of the golden angle keep the hues of neighbouring classes apart. */
const hueOf = (label) => Math.round(((label * 0.618034) % 1) * 360);
const colorOf = (label) => `hsl(${hueOf(label)} 90% 50%)`;
const nameOf = (label, names) => names?.[label] || String(label);

/** A copy of the picture's canvas, or an empty one if the input is no picture. */
function copyOf(picture, width, height, label) {
  const canvas = element("canvas", { class: "drawn", role: "img", "aria-label": label });
  canvas.width = width;
  canvas.height = height;
  if (picture) canvas.getContext("2d").drawImage(picture, 0, 0, width, height);
  return canvas;
}

/**
 * The boxes in the output of a detector of the YOLO family without objectness, (1, 4 + classes, candidates): those whose best
 * class has at least the `confidence`, best first, less those that overlap a better one of their class by more than `overlap`.
 */
export function detections({ shape, data }, confidence = 0.25, overlap = 0.45) {
  if (shape.length !== 3 || shape[0] !== 1 || shape[1] < 5) {
    throw new Error(`The first output is ${shape.join(" × ")}; a detector's has 1 × (4 + classes) × candidates.`);
  }
  const [, numbers, count] = shape;
  const at = (number, i) => data[number * count + i];
  const found = [];
  for (let i = 0; i < count; ++i) {
    let label = 0;
    for (let c = 1; c < numbers - 4; ++c) if (at(4 + c, i) > at(4 + label, i)) label = c;
    const score = at(4 + label, i);
    const [x, y, width, height] = [0, 1, 2, 3].map((number) => at(number, i));
    if (score >= confidence && width > 0 && height > 0) found.push({ label, score, left: x - width / 2, top: y - height / 2, width, height });
  }
  found.sort((a, b) => b.score - a.score);
  const kept = [];
  for (const box of found) {
    if (!kept.some((better) => better.label === box.label && shared(better, box) > overlap)) kept.push(box);
  }
  return kept;
}

/** The boxes' common area as a share of the area that they cover together. */
function shared(a, b) {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (!(width > 0 && height > 0)) return 0;
  return (width * height) / (a.width * a.height + b.width * b.height - width * height);
}

/** The boxes of a detector over its picture, and a table of them. */
export function boxes([output], names, picture) {
  const found = detections(output);
  const canvas = copyOf(picture, picture?.width ?? 640, picture?.height ?? 640, `Picture with ${found.length} boxes`);
  const context = canvas.getContext("2d");
  const thickness = Math.max(2, Math.round(Math.max(canvas.width, canvas.height) / 320));
  context.lineWidth = thickness;
  context.font = `${6 + 4 * thickness}px sans-serif`;
  context.textBaseline = "bottom";
  for (const { label, score, left, top, width, height } of [...found].reverse()) {
    const text = `${nameOf(label, names)} ${score.toFixed(2)}`;
    context.fillStyle = context.strokeStyle = colorOf(label);
    context.strokeRect(left, top, width, height);
    const line = 8 + 4 * thickness;
    const bottom = Math.max(top, line);
    context.fillRect(left, bottom - line, context.measureText(text).width + 4, line);
    context.fillStyle = "#000";
    context.fillText(text, left + 2, bottom - 1);
  }
  const columns = [["Class", ({ label }) => nameOf(label, names)], ["Score", ({ score }) => rounded(score), true],
    ...["left", "top", "width", "height"].map((side) => [side, (box) => rounded(box[side]), true])];
  return [canvas, found.length ? table("Objects", columns, found) : element("p", { class: "meta" }, "No object has a score of 0.25.")];
}

/** The best class of each pixel of a segmenter's output (1, classes, height, width). */
export function classMap({ shape, data }) {
  if (shape.length !== 4 || shape[0] !== 1) {
    throw new Error(`The first output is ${shape.join(" × ")}; a segmenter's has 1 × classes × height × width.`);
  }
  const [, classes, height, width] = shape;
  const pixels = height * width;
  const map = new Uint16Array(pixels);
  for (let i = 0; i < pixels; ++i) {
    for (let c = 1; c < classes; ++c) if (data[c * pixels + i] > data[map[i] * pixels + i]) map[i] = c;
  }
  return { map, height, width };
}

/** The classes of a segmenter over its picture, 0 (the background) left as it is, and each class' share. */
export function classes([output], names, picture) {
  const { map, height, width } = classMap(output);
  const canvas = copyOf(picture, width, height, "Picture with the classes of its pixels");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const counts = new Map();
  for (const label of map) counts.set(label, (counts.get(label) ?? 0) + 1);
  for (const label of counts.keys()) {
    if (label === 0) continue;
    context.fillStyle = `hsl(${hueOf(label)} 90% 50% / 65%)`;
    for (let y = 0; y < height; ++y) {
      for (let x = 0; x < width; ++x) {
        const from = x;
        while (x < width && map[y * width + x] === label) ++x;
        if (x > from) context.fillRect(from, y, x - from, 1);
      }
    }
  }
  const labels = [...counts.keys()].sort((a, b) => a - b);
  const key = element("p", { class: "key" }, ...labels.filter((label) => label > 0).map((label) => {
    const swatch = element("i");
    swatch.style.background = colorOf(label);
    return element("span", {}, swatch, nameOf(label, names));
  }));
  const share = (label) => `${((100 * counts.get(label)) / map.length).toFixed(2)} %`;
  return [canvas, key, table("Classes", [["Class", (label) => nameOf(label, names)], ["Pixels", share, true]], labels)];
}
