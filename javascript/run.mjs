// SPDX-License-Identifier: MIT
// Runs a model by WebAssembly in Node, with the options that `kuiper run` has for it:
//   node javascript/run.mjs BUILD/kuiper_infer.mjs run --param P --bin B --input x.npy [--input y.npy ...] --output-dir D
// Inputs come in the model's order. Outputs are D/out0.npy, D/out1.npy, ... An error is one line and the exit code 1.
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {join, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {parseArgs} from "node:util";

import {readNpy, writeNpy} from "./npy_files.mjs";

async function main() {
  const [module, command, ...args] = process.argv.slice(2);
  if (command !== "run") throw new Error(`the command is '${command}', expected run`);
  const text = {type: "string"};
  const {values} = parseArgs({args, options: {param: text, bin: text, input: {...text, multiple: true}, "output-dir": text}});
  const {Model} = await import(pathToFileURL(resolve(module)));
  const model = await Model.load(values.param, values.bin);
  const files = values.input ?? [];
  const inputs = model.inputs.slice(0, files.length).map(({name}, i) => [name, readNpy(readFileSync(files[i]), files[i])]);
  const outputs = model.run(Object.fromEntries(inputs));
  mkdirSync(values["output-dir"], {recursive: true});
  outputs.forEach((output, i) => writeFileSync(join(values["output-dir"], `out${i}.npy`), writeNpy(output)));
}

main().catch((error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
