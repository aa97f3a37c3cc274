// SPDX-License-Identifier: MIT
// The head of the page, the totals, the model and the machine.

const fileName = data.model.param ? data.model.param.name : "model from memory";
place("title").textContent = fileName.replace(/(\.pnnx)?\.param$/, "");
document.title = place("title").textContent + ": report";
place("subtitle").textContent = [data.machine.cpu, data.machine.isa, data.machine.threads + (data.machine.threads === 1 ? " thread" : " threads"),
  "precision " + (data.machine.options.precision || "highest"), "kuiper " + data.machine.version, data.made].filter(Boolean).join(" · ");
// Less than that is what every machine does beside.
if (run.others > 0.3) {
  place("subtitle").after(element("p", { class: "warning" },
    `Other programs kept ${run.others.toFixed(1)} processors busy meanwhile: on an idle machine, times are shorter.`));
}

const card = (name, value, more) => element("div", { class: "card" }, element("span", {}, name), element("b", {}, value), element("span", {}, more));
place("cards").append(
  card("Time of a run", milliseconds(run.seconds), `${run.means ? "mean" : "fastest"} of ${run.runs} from end to end`),
  card("Steps", String(steps.length), `take ${milliseconds(run.steps_seconds)} together`),
  card("Multiply-adds", count(run.multiply_adds), rate(gigaflops({ multiply_adds: run.multiply_adds, seconds: run.seconds })) + " GFLOP/s"),
  card("Memory of a run", bytes(run.planned_bytes), `planned; ${bytes(run.largest_live_bytes)} of arrays live at once`),
  card("Weights", bytes(data.model.weight_bytes), `in memory; ${count(data.model.parameters)} parameters`));

const arrayText = (array) => `${array.type || "unknown"} ${extents(array.shape)}`;
const fileText = (file) => (file ? file.name + (file.bytes === null ? "" : `, ${bytes(file.bytes)}`) : "none: all weights are zero");
place("model").append(makeList([["graph", data.model.param ? fileText(data.model.param) : "from memory"], ["weights", data.model.param ? fileText(data.model.bin) : "from memory"],
  ...data.model.inputs.map((input) => ["input " + input.name, arrayText(input)]),
  ...data.model.outputs.map((output) => ["output " + output.name, arrayText(output)])]),
...data.model.warnings.map((warning) => element("p", { class: "warning" }, "warning: " + warning)),
element("details", {}, element("summary", {}, Object.values(data.model.operators).reduce((a, b) => a + b, 0) + " operators in the file"),
  makeList(Object.entries(data.model.operators).sort((a, b) => b[1] - a[1]).map(([type, number]) => [type, String(number)]))));
place("machine").append(makeList([["CPU", data.machine.cpu || "unknown"], ["usable cores", String(data.machine.cores)], ["memory", bytes(data.machine.memory_bytes)],
  ["instruction set", data.machine.isa], ["matrix unit", data.machine.matrix_unit], ["unit for bytes", data.machine.int8_unit],
  ["threads", String(data.machine.threads)], ["library", "KuiperInfer " + data.machine.version], ...Object.entries(data.machine.options)]));
