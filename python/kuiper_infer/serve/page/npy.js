// SPDX-License-Identifier: MIT
// Reads the format of NumPy's files.

/** Elements that lie with the first axis running fastest (Fortran's order), with the last one running fastest. */
function toRowMajor(buffer, shape, elementBytes) {
  const from = new Uint8Array(buffer);
  const to = new Uint8Array(from.length);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, extent) => product * extent, elementBytes));
  const index = shape.map(() => 0);
  for (let at = 0, source = 0; at < to.length; at += elementBytes) {
    to.set(from.subarray(source, source + elementBytes), at);
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      source += strides[axis];
      if (++index[axis] < shape[axis]) break;
      source -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return to.buffer;
}

/**
 * The array in the bytes of a .npy file: `descr`, its element type as NumPy writes it ("<f4"), its shape, and the bytes of its
 * elements, row-major, in a buffer of their own. Throws an Error that names `file`.
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
  const elementBytes = Number(descr.slice(2));
  const count = shape.reduce((product, extent) => product * extent, elementBytes);
  if (!(count <= bytes.length - begin)) fail(`the file is cut: its elements take ${count} bytes, it has ${bytes.length - begin}`);
  const from = bytes.byteOffset + begin;
  const buffer = bytes.buffer.slice(from, from + count);
  return { descr, shape, buffer: header.includes("'fortran_order': True") ? toRowMajor(buffer, shape, elementBytes) : buffer };
}
