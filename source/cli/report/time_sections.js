// SPDX-License-Identifier: MIT
// Where time and memory go: by type, by step, and over the steps of a run.

const together = (text) => element("span", { class: "together" }, text);

// Time by type
const types = new Map();
for (const step of steps) {
  const method = step.method ? "by " + step.method : "";
  const name = step.type + " " + method;
  const sum = types.get(name) || { name, type: step.type, method, kind: step.kind, seconds: 0, multiply_adds: 0, bytes: 0, count: 0 };
  for (const key of ["seconds", "multiply_adds", "bytes"]) sum[key] += step[key];
  sum.count += 1;
  types.set(name, sum);
}
const rates = [
  { head: "GFLOP/s", number: true, key: gigaflops, cell: (row) => rate(gigaflops(row)) },
  { head: "GB/s", number: true, key: gigabytes, cell: (row) => rate(gigabytes(row)) }];
const timeColumns = (rows) => {
  const most = Math.max(...rows.map((row) => row.seconds), 1e-12);
  return [
    { head: "ms", number: true, key: (row) => row.seconds, cell: (row) => (row.seconds * 1e3).toFixed(3) },
    { head: "share", number: true, key: (row) => row.seconds, cell: (row) => percent(row.seconds / total) },
    { head: "", bars: true, cell: (row) => bar(row.seconds / most, colorOf(row)) }];
};
const typeRows = [...types.values()];
const typeTimes = timeColumns(typeRows);
place("types").append(makeTable([
  { head: "type", key: (row) => row.name, cell: (row) => element("span", {}, element("span", { class: "together" }, dot(colorOf(row)), row.type), " ",
    together(row.method)) },
  ...typeTimes, { head: "steps", number: true, key: (row) => row.count, cell: (row) => String(row.count) }, ...rates],
typeRows, { sorted: typeTimes[0] }));

// Time by step
const stepTimes = timeColumns(steps);
place("steps").append(element("p", { class: "quiet" }, "In the order of the run; a click leads to the graph."), drawStrip(data, colorOf, stepText, showStep),
  makeTable([
    { head: "step", number: true, key: (row) => -row.number, cell: (row) => String(row.number) },
    { head: "operator", key: (row) => row.type + row.name, cell: (row) => element("span", {}, dot(colorOf(row)), row.type, " ", element("span", { class: "quiet" }, row.name)) },
    { head: "result", cell: (row) => together(extents(row.shape)) }, { head: "method", key: (row) => row.method, cell: (row) => together(row.method) },
    ...stepTimes, ...rates, { head: "memory in use", number: true, key: (row) => row.live_bytes, cell: (row) => bytes(row.live_bytes) }],
  steps, { sorted: stepTimes[0], most: 15, chosen: (row) => showStep(row.number - 1) }));

// Memory
const chart = element("div");
place("memory").append(chart, element("p", { class: "quiet" },
  `Arrays and scratch of a run share ${bytes(run.planned_bytes)}: the line shows how much of it each step finds in use. The weights take ${bytes(data.model.weight_bytes)} more.`));
const drawChart = () => chart.replaceChildren(drawMemory(place("memory"), data, showStep));
drawChart();
window.addEventListener("resize", drawChart);
