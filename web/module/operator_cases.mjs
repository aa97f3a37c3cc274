// SPDX-License-Identifier: MIT
// Runs operator cases with PyTorch's results through a module, in Node and in browsers.
import {readNpy} from "./npy_files.mjs";
import {readZip} from "./zip.js";

/** A half number's bits as a number. */
function fromHalf(bits) {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

/** Throws an Error that names `place` unless the array has the type and shape, and nearly the elements, of another one. */
export function expectNear(got, want, tolerance, place) {
  const [is, expected] = [got, want].map(({type, shape}) => `${type} [${shape}]`);
  if (is !== expected) throw new Error(`${place} is ${is}, expected ${expected}`);
  const exact = !/float|complex/.test(want.type);
  for (let i = 0; i < want.data.length; ++i) {
    let [a, b] = [got.data[i], want.data[i]];
    if (a === b) continue;
    if (want.type === "float16") [a, b] = [fromHalf(a), fromHalf(b)];
    const near = !exact && ((Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)));
    if (!near) throw new Error(`${place} element ${i} is ${a}, expected ${b}`);
  }
}

/** The arrays prefix0.npy, prefix1.npy, ... */
async function arraysOf(read, prefix) {
  const arrays = [];
  for (let bytes; (bytes = await read(`${prefix}${arrays.length}.npy`)); ) arrays.push(readNpy(bytes, prefix + arrays.length));
  return arrays;
}

const inputsFor = (model, arrays) =>
  Object.fromEntries(model.inputs.map(({name}) => [name, arrays[Number(name.slice(name.lastIndexOf("_") + 1))]]));

/** Runs one case; returns "passed", or "refused" if it was to be refused and was. */
async function runCase({Model, KuiperError}, read, options) {
  const text = async (part) => {
    const bytes = await read(part);
    return bytes && new TextDecoder().decode(bytes);
  };
  const expectedError = await text("error");
  let model;
  let outputs;
  try {
    model = await Model.load(await read("model.param"), await read("model.bin"), options);
    outputs = model.run(inputsFor(model, await arraysOf(read, "in")));
  } catch (error) {
    if (error instanceof KuiperError && expectedError !== undefined && error.message.includes(expectedError)) return "refused";
    throw error;
  } finally {
    model?.dispose();
  }
  if (expectedError !== undefined) throw new Error("the call was not refused");
  const expected = await arraysOf(read, "out");
  if (outputs.length !== expected.length) throw new Error(`${outputs.length} outputs, expected ${expected.length}`);
  const tolerance = Number((await text("tolerance")) ?? 2e-5);
  outputs.forEach((output, k) => expectNear(output, expected[k], tolerance, `output ${k}`));
  return "passed";
}

/** Whether the build lacks a library that the case needs. */
const needsLibrary = (module, error) => error instanceof module.KuiperError && /has no LAPACK|needs libdeflate/.test(error.message);

/**
 * Runs the cases of an archive of test/data/op_cases through a module, with options of Model.load. `inflate` unpacks bytes of
 * Deflate, perhaps by a promise. Returns how many `passed`, were `refused` as they were to be, or need a library (`lapack`), and
 * the texts of `failures`.
 */
export async function runOperatorCases(module, archive, inflate, options = {}) {
  const counts = {passed: 0, refused: 0, lapack: 0, failures: []};
  const entries = readZip(archive, inflate);
  for (const name of new Set([...entries.keys()].map((entry) => entry.slice(0, entry.indexOf("/"))))) {
    try {
      ++counts[await runCase(module, (part) => entries.get(`${name}/${part}`)?.(), options)];
    } catch (error) {
      if (needsLibrary(module, error)) ++counts.lapack;
      else counts.failures.push(`${name}: ${error.message}`);
    }
  }
  return counts;
}
