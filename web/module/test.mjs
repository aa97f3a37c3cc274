// SPDX-License-Identifier: MIT
// node web/module/test.mjs BUILD: tests BUILD/kuiper_infer.mjs on operator cases with PyTorch's results, on the
// sample models with results of the program `kuiper` (folders BUILD/samples/NAME: the input 0.npy, the output out0.npy).
import assert from "node:assert/strict";
import {existsSync, readFileSync, readdirSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {inflateRawSync} from "node:zlib";

import {readNpy} from "./npy_files.mjs";
import {expectNear, runOperatorCases} from "./operator_cases.mjs";

const [build] = process.argv.slice(2);
const source = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
const module = await import(pathToFileURL(resolve(build, "kuiper_infer.mjs")));
const {Model, KuiperError, version} = module;

const npyOf = (path) => readNpy(readFileSync(path), path);

async function testOperatorCases() {
  const folder = join(source, "test/data/op_cases");
  const counts = {passed: 0, refused: 0, lapack: 0};
  const failures = [];
  for (const path of readdirSync(folder, {recursive: true}).filter((path) => path.endsWith(".zip")).sort()) {
    const found = await runOperatorCases(module, readFileSync(join(folder, path)), inflateRawSync);
    for (const kind of Object.keys(counts)) counts[kind] += found[kind];
    failures.push(...found.failures.map((failure) => `${path} ${failure}`));
  }
  console.log(`operator cases: ${counts.passed} passed, ${counts.refused} wrong calls refused, ${counts.lapack} need LAPACK`);
  return failures;
}

async function testSamples() {
  const failures = [];
  const folder = join(build, "samples");
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const files = ["param", "bin"].map((ending) => join(source, "tmp", `${name}.pnnx.${ending}`));
    const model = await Model.load(...files);
    const input = npyOf(join(folder, name, "0.npy"));
    const begin = performance.now();
    const [output] = model.run({[model.inputs[0].name]: input});
    const first = performance.now() - begin;
    const times = Array.from({length: 10}, () => {
      const start = performance.now();
      model.run({});
      return performance.now() - start;
    });
    try {
      expectNear(output, npyOf(join(folder, name, "out0.npy")), 1e-3, name);
      console.log(`${name}: ${Math.min(...times).toFixed(2)} ms a run, the first ${first.toFixed(2)} ms`);
    } catch (error) {
      failures.push(error.message);
    }
    model.dispose();
  }
  return failures;
}

async function testInterface() {
  const file = (ending) => join(source, "tmp", `line_reader.pnnx.${ending}`);
  await assert.rejects(Model.load(file("param"), file("param")), (error) => error instanceof KuiperError && error.message !== "");
  await assert.rejects(Model.load("absent.param", file("bin")), /absent\.param cannot be read/);
  const bytes = readFileSync(file("bin"));
  await assert.rejects(Model.load(file("param"), bytes.subarray(0, bytes.length >> 1)), KuiperError);
  const model = await Model.load(readFileSync(file("param")), bytes);
  assert.deepEqual(model.inputs, [{name: "pnnx_input_0", type: "float32", shape: [1, 1, 32, -1]}]);
  const [{name}] = model.inputs;
  const shape = [1, 1, 32, 64];
  assert.throws(() => model.run({absent: new Float32Array(1)}), /absent/);
  assert.throws(() => model.run({}), KuiperError);
  assert.throws(() => model.run({[name]: new Float32Array(32 * 64)}), /has shape \[1,1,32,-1\], expected extents/);
  assert.throws(() => model.run({[name]: {data: new Float32Array(1), shape}}), /has 1 elements, expected 2048/);
  assert.throws(() => model.run({[name]: {data: new Float32Array(2 * 32 * 64), shape: [1, 2, 32, 64]}}), /input has 2 channels/);
  assert.throws(() => model.run({[name]: [1, 2]}), /typed array/);
  assert.deepEqual(model.run({[name]: {data: new Float32Array(32 * 64), shape}}).map((output) => output.shape), [[1, 16, 96]]);
  assert.deepEqual(model.outputNames, ["pnnx_output_0"]);
  const described = model.describe();
  assert.deepEqual([described.inputs[0].name, described.operators["pnnx.Input"]], [name, 1]);
  const report = model.report("line_reader.pnnx.param", 2);
  const steps = JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(report)[1]).steps;
  assert.ok(steps.length > 5 && steps.every((step) => step.seconds >= 0) && steps.some((step) => step.seconds > 0));
  model.dispose();
  model.dispose();
  assert.throws(() => model.run({}), /disposed/);
  assert.match(await version(), /^\d+\.\d+\.\d+$/);
  return [];
}

const failures = [...(await testInterface()), ...(await testSamples()), ...(await testOperatorCases())];
for (const failure of failures) console.error(failure);
console.log(failures.length === 0 ? "all passed" : `${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
