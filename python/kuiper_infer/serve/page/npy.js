// SPDX-License-Identifier: MIT
// Reads the format of NumPy's files.

/**
 * The array in the bytes of a .npy file: `descr`, its element type as NumPy writes it ("<f4"), its shape, and the bytes of its
 * elements in a buffer of their own. Throws an Error that names `file`.
 */
export function parseNpy(bytes, file) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fail = (reason) => {
    throw new Error(`${file}: ${reason}`);
  };
  if (bytes.length < 12 || String.fromCharCode(...bytes.subarray(0, 6)) !== "\x93NUMPY") fail("this is no .npy file");
  const first = bytes[6] === 1 ? 10 : 12;
  const begin = first + (bytes[6] === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (begin > bytes.length) fail("the file is cut in its header");
  const header = new TextDecoder().decode(bytes.subarray(first, begin));
  const descr = /'descr': '([^']+)'/.exec(header)?.[1];
  const shape = /'shape': \(([^)]*)\)/.exec(header)?.[1].split(",").filter((extent) => extent.trim()).map(Number);
  if (!descr || !shape || !shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0)) fail("its header is no array's");
  if (!header.includes("'fortran_order': False")) fail("the array is in Fortran's order, expected row-major");
  const count = shape.reduce((product, extent) => product * extent, 1) * Number(descr.slice(2));
  if (!(count <= bytes.length - begin)) fail(`the file is cut: its elements take ${count} bytes, it has ${bytes.length - begin}`);
  const from = bytes.byteOffset + begin;
  return { descr, shape, buffer: bytes.buffer.slice(from, from + count) };
}
