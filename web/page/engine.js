// SPDX-License-Identifier: MIT
// Models of the WebAssembly module with the names of element types that the page has.

import { ownFile } from "./files.js";

const DATATYPES = {
  float32: "FP32", float64: "FP64", float16: "FP16", int8: "INT8", uint8: "UINT8", int16: "INT16", int32: "INT32", int64: "INT64",
  bool: "BOOL",
};
const TYPES = Object.fromEntries(Object.entries(DATATYPES).map(([type, datatype]) => [datatype, type]));

const named = ({ name, type, shape }) => ({ name, datatype: DATATYPES[type] ?? type ?? "unknown", shape: shape ?? [] });

/** The elements as the module takes or gives them, whose halves are the bits of 16-bit numbers. */
const bitsOf = (data) => (data.constructor.name === "Float16Array" ? new Uint16Array(data.buffer) : data);

/** A number whose upper 16 bits these are. */
function fromBfloat16(data) {
  return new Float32Array(Uint32Array.from(data, (bits) => bits << 16).buffer);
}

/** An output with elements that are numbers. Complex numbers get an axis of real and imaginary part. */
function shown({ type, shape, data }, name) {
  if (type === "bfloat16") return { name, datatype: type, shape, data: fromBfloat16(data) };
  if (type === "float16" && globalThis.Float16Array) return { name, datatype: "FP16", shape, data: new Float16Array(data.buffer) };
  if (type.startsWith("complex")) return { name, datatype: type, shape: [...shape, 2], data };
  return { name, datatype: DATATYPES[type], shape, data };
}

let core;

/** The module with threads if the page may share memory among them, which its server's headers decide; otherwise the other one. */
async function loadCore() {
  const folder = globalThis.crossOriginIsolated ? "threads/" : "";
  const { Model, setWasm } = await (folder ? import("../threads/kuiper_infer.mjs") : import("../kuiper_infer.mjs"));
  setWasm(await ownFile(`${folder}kuiper_infer.wasm`));
  return Model;
}

/** Loads a model from the contents of its files: what model_facts.js shows, and the functions `infer`, `report` and `dispose`. */
export async function loadModel(name, param, bin) {
  core ??= loadCore();
  const Model = await core;
  const model = await Model.load(param, bin);
  const told = model.describe();
  return {
    ...told,
    name,
    inputs: model.inputs.map(named),
    outputs: told.outputs.map(named),
    run_bytes: told.planned_bytes,
    infer(tensors) {
      const given = tensors.map(({ name: input, datatype, shape, data }) => [input, { type: TYPES[datatype], shape, data: bitsOf(data) }]);
      const outputs = model.run(Object.fromEntries(given));
      return outputs.map((output, i) => shown(output, outputs.length === model.outputNames.length ? model.outputNames[i] : `output ${i}`));
    },
    report: (runs) => model.report(name, runs),
    dispose: () => model.dispose(),
  };
}
