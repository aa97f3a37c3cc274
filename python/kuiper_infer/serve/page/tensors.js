// SPDX-License-Identifier: MIT
// Arrays of the protocol's element types, and lists of numbers that people write.

// Browsers have Float16Array since 2025.
const KINDS = {
  BOOL: Uint8Array, INT8: Int8Array, UINT8: Uint8Array, INT16: Int16Array, UINT16: Uint16Array, INT32: Int32Array,
  UINT32: Uint32Array, INT64: BigInt64Array, UINT64: BigUint64Array, FP16: globalThis.Float16Array, FP32: Float32Array,
  FP64: Float64Array,
};

export const isFloat = (datatype) => datatype.startsWith("FP");
const isBig = (datatype) => datatype.endsWith("INT64");

function kindOf(datatype) {
  const kind = KINDS[datatype];
  if (!kind) throw new Error(`This browser has no arrays of ${datatype}.`);
  return kind;
}

/** The bytes of a typed array. */
export const encode = (data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

/** A typed array of bytes. */
export const decode = (datatype, buffer) => new (kindOf(datatype))(buffer);

export const countOf = (shape) => shape.reduce((product, extent) => product * extent, 1);

/** A typed array of numbers. Throws an Error that names the first one that the type does not hold. */
export function arrayOf(datatype, numbers) {
  const array = new (kindOf(datatype))(numbers.length);
  numbers.forEach((number, i) => {
    const value = typeof number === "boolean" && datatype === "BOOL" ? Number(number) : number;
    const fits = typeof value === "number" && (isFloat(datatype) || Number.isSafeInteger(value));
    if (!fits) throw new Error(`${JSON.stringify(number)} is no ${isFloat(datatype) ? "number" : "whole number"}.`);
    array[i] = isBig(datatype) ? BigInt(value) : value;
    if (!isFloat(datatype) && Number(array[i]) !== value) throw new Error(`${value} is no ${datatype}.`);
  });
  return array;
}

/** An array of numbers by `next`. */
export function arrayBy(datatype, shape, next) {
  const array = new (kindOf(datatype))(countOf(shape));
  for (let i = 0; i < array.length; ++i) array[i] = isBig(datatype) ? BigInt(next()) : next();
  return array;
}

/** The lengths of nested lists, of which all on a level have to be equally long. */
function lengths(list) {
  if (!Array.isArray(list)) return [];
  const inner = list.map(lengths);
  if (inner.some((each) => String(each) !== String(inner[0]))) throw new Error("The lists inside a list differ in length.");
  return [list.length, ...(inner[0] ?? [])];
}

/** The shape of a text with nested lists of numbers, or with one flat list, for an input of the shape `wanted`. */
export function read(text, datatype, wanted) {
  let list;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${error.message}`);
  }
  const found = lengths(list);
  const numbers = Array.isArray(list) ? list.flat(Infinity) : [list];
  let shape = found;
  if (found.length < 2 && wanted.length !== found.length) {
    const free = wanted.findIndex((extent) => extent < 0);
    shape = wanted.map((extent) => Math.max(extent, 1));
    if (free >= 0 && wanted.indexOf(-1, free + 1) < 0) shape[free] = Math.floor(numbers.length / countOf(shape));
    if (countOf(shape) !== numbers.length) throw new Error(`${numbers.length} numbers don't fill ${wanted.join(" × ")}.`);
  }
  const fits = shape.length === wanted.length && shape.every((extent, i) => wanted[i] < 0 || wanted[i] === extent);
  if (!fits) throw new Error(`The lists are ${shape.join(" × ")}, expected ${wanted.map((e) => (e < 0 ? "?" : e)).join(" × ")}.`);
  return { shape, data: arrayOf(datatype, numbers) };
}
