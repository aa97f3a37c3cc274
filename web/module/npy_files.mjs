// SPDX-License-Identifier: MIT
// NumPy's files as arrays of kuiper_infer.mjs, for programs of Node.
import {parseNpy} from "../../python/kuiper_infer/serve/page/npy.js";

const TYPES = {
  "<f4": ["float32", Float32Array],
  "<f8": ["float64", Float64Array],
  "<f2": ["float16", Uint16Array],
  "<i4": ["int32", Int32Array],
  "<i8": ["int64", BigInt64Array],
  "<i2": ["int16", Int16Array],
  "|i1": ["int8", Int8Array],
  "|u1": ["uint8", Uint8Array],
  "|b1": ["bool", Uint8Array],
  "<c8": ["complex64", Float32Array],
  "<c16": ["complex128", Float64Array],
};
const DESCRIPTIONS = Object.fromEntries(Object.entries(TYPES).map(([description, [type]]) => [type, description]));

/** The array in the bytes of a .npy file. Throws an Error that names `file`. */
export function readNpy(bytes, file) {
  const {descr, shape, buffer} = parseNpy(bytes, file);
  if (!(descr in TYPES)) throw new Error(`${file}: its elements are ${descr}, expected one of ${Object.keys(TYPES).join(", ")}`);
  const [type, Elements] = TYPES[descr];
  return {type, shape, data: new Elements(buffer)};
}

/** The bytes of a .npy file with the array. Throws an Error for an element type that NumPy lacks. */
export function writeNpy({type, shape, data}) {
  if (!(type in DESCRIPTIONS)) throw new Error(`a .npy file has no elements of type ${type}`);
  const extents = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const header = `{'descr': '${DESCRIPTIONS[type]}', 'fortran_order': False, 'shape': (${extents}), }`;
  const first = 10;  // bytes in front of the header: the magic string, the version, the header's length
  const length = Math.ceil((first + header.length + 1) / 64) * 64 - first;  // elements begin at a multiple of 64
  const lead = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, length & 0xff, length >> 8]);
  return Buffer.concat([lead, Buffer.from(header.padEnd(length - 1) + "\n"), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}
