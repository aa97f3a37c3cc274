// SPDX-License-Identifier: MIT
// Reads NumPy's files.

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

/** The array in the bytes of a .npy file as {type, shape, data}. Throws an Error that names `file`. */
export function parseNpy(bytes, file) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (reason) => {
    throw new Error(`${file}: ${reason}`);
  };
  if (bytes.length < 12 || String.fromCharCode(...bytes.subarray(0, 6)) !== "\x93NUMPY") fail("this is no .npy file");
  const first = bytes[6] === 1 ? 10 : 12;
  const begin = first + (bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  const header = new TextDecoder().decode(bytes.subarray(first, begin));
  const descr = /'descr': '([^']+)'/.exec(header)?.[1];
  if (!(descr in TYPES)) fail(`elements are ${descr}, expected one of ${Object.keys(TYPES).join(", ")}`);
  if (!header.includes("'fortran_order': False")) fail("the array is in Fortran's order, expected row-major");
  const shape = (/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? "").split(",").filter((extent) => extent.trim()).map(Number);
  const [type, Elements] = TYPES[descr];
  const parts = type.startsWith("complex") ? 2 : 1;
  const count = shape.reduce((product, extent) => product * extent, parts);
  if (bytes.length - begin < count * Elements.BYTES_PER_ELEMENT) fail(`the file is cut: ${bytes.length} bytes`);
  const content = bytes.slice(begin, begin + count * Elements.BYTES_PER_ELEMENT);
  return {type, shape, data: new Elements(content.buffer)};
}
