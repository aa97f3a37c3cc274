// SPDX-License-Identifier: MIT
// How the layers of a quantised model are stored, and what that costs and brings.

if (data.layers) {
  const known = (key) => data.layers.some((layer) => layer[key] !== undefined && layer[key] !== null && layer[key] !== "");
  const number = (head, key, text) => ({ head, number: true, key: (row) => row[key] ?? -Infinity, cell: (row) => (row[key] === null || row[key] === undefined ? "-" : text(row[key])) });
  const decibels = Math.max(...data.layers.map((layer) => layer.decibels || 0), 1);
  const color = (layer) => (layer.form === "float" ? "#b08a1c" : "#2b6cb0");
  const columns = [
    { head: "layer", key: (row) => row.name, cell: (row) => element("span", {}, row.name, " ", element("span", { class: "quiet" }, row.type)) },
    { head: "form", key: (row) => row.form, cell: (row) => element("span", { class: row.form === "float" ? "badge" : "badge whole" }, row.form + (row.group ? ", groups of " + row.group : "")) },
    number("weights", "bytes", bytes)];
  if (known("grid")) columns.push({ head: "scale, zero point of the input", cell: (row) => (row.grid ? `${Number(row.grid.scale).toPrecision(3)}, ${row.grid.zero_point}` : "-") });
  if (known("decibels")) columns.push(number("dB", "decibels", (value) => value.toFixed(1)), { head: "", bars: true, cell: (row) => (row.decibels ? bar(row.decibels / decibels, color(row)) : "") });
  if (known("before_ms")) columns.push(number("ms in float", "before_ms", rounded), number("ms after", "after_ms", rounded));
  columns.push(number("ms here", "seconds", (seconds) => rounded(seconds * 1e3)));
  if (known("reason")) columns.push({ head: "reason", cell: (row) => row.reason || "" });
  const whole = data.layers.filter((layer) => layer.form !== "float");
  place("layers").hidden = false;
  place("layers").append(element("p", { class: "quiet" }, `${whole.length} of ${data.layers.length} layers have weights in integers; all weights together take `
    + bytes(data.layers.reduce((sum, layer) => sum + layer.bytes, 0)) + " in the file."), makeTable(columns, data.layers));
}
