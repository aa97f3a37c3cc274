// SPDX-License-Identifier: MIT
// Numbers as people read them.

function scaled(value, step, units) {
  let unit = 0;
  for (; value >= step && unit + 1 < units.length; ++unit) value /= step;
  const digits = unit === 0 || value >= 100 ? Math.round(value) : value.toPrecision(3);
  return `${digits}${units[unit]}`;
}

export const bytes = (count) => scaled(count, 1024, [" B", " KiB", " MiB", " GiB", " TiB"]);
export const count = (number) => scaled(number, 1000, ["", " thousand", " million", " billion", " trillion"]);

/** A number with about three digits. */
export function rounded(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return value.toFixed(0);
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** A duration in the unit that suits it. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "–";
  return seconds < 1 ? `${rounded(seconds * 1e3)} ms` : `${rounded(seconds)} s`;
}

/** An element of an array, with as many digits as a float32 has. */
export const digits = (value) =>
  typeof value === "number" && !Number.isInteger(value) ? String(Number(value.toPrecision(7))) : String(value);

/** A shape; a free extent is a question mark. */
export const extents = (shape) => (shape.length ? shape.map((extent) => (extent < 0 ? "?" : extent)).join(" × ") : "a number");
