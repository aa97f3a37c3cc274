// SPDX-License-Identifier: MIT
// Runs a model by WebAssembly in Node, with the options that the program `kuiper` has for it:
//   node web/module/run.mjs BUILD/kuiper_infer.mjs run --param P --bin B --input x.npy [--input y.npy ...] --output-dir D
//   node web/module/run.mjs BUILD/kuiper_infer.mjs bench --param P --bin B --input x.npy [--input y.npy ...] [--seconds 2]
// Inputs come in the model's order. `run` writes D/out0.npy, D/out1.npy, ...; `bench` prints the least and the median time of
// runs. An error is one line and the exit code 1.
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {parseArgs} from "node:util";

import {readNpy, writeNpy} from "./npy_files.mjs";

function write(outputs, folder) {
  mkdirSync(folder, {recursive: true});
  outputs.forEach((output, i) => writeFileSync(join(folder, `out${i}.npy`), writeNpy(output)));
}

/** Runs the model on its last inputs again until the time is over. */
function bench(model, seconds) {
  const times = [];
  const end = performance.now() + 1e3 * seconds;
  while (times.length < 3 || performance.now() < end) {
    const start = performance.now();
    model.run({});
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`min ${times[0].toFixed(3)} ms, median ${times[times.length >> 1].toFixed(3)} ms of ${times.length} runs, 1 thread`);
}

async function main() {
  const [module, command, ...args] = process.argv.slice(2);
  if (command !== "run" && command !== "bench") throw new Error(`the command is '${command}', expected run or bench`);
  const text = {type: "string"};
  const options = {param: text, bin: text, input: {...text, multiple: true, default: []}, "output-dir": text, seconds: {...text, default: "2"}};
  const {values} = parseArgs({args, options});
  for (const name of ["param", "bin", ...(command === "run" ? ["output-dir"] : [])]) {
    if (values[name] === undefined) throw new Error(`--${name} is missing`);
  }
  const {Model} = await import(pathToFileURL(resolve(module)));
  const model = await Model.load(values.param, values.bin);
  const inputs = values.input.map((file, i) => {
    if (i >= model.inputs.length) throw new Error(`${file}: the model has ${model.inputs.length} inputs`);
    return [model.inputs[i].name, readNpy(readFileSync(file), file)];
  });
  const outputs = model.run(Object.fromEntries(inputs));
  if (command === "run") write(outputs, values["output-dir"]);
  else bench(model, Number(values.seconds));
}

main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
