// SPDX-License-Identifier: MIT
// The contents of NumPy's files as tensors of an input.

import { extents } from "./format.js";
import { parseNpy } from "./npy.js";
import { arrayOf, decode } from "./tensors.js";

const DATATYPES = {
  "|b1": "BOOL", "|i1": "INT8", "|u1": "UINT8", "<i2": "INT16", "<u2": "UINT16", "<i4": "INT32", "<u4": "UINT32", "<i8": "INT64",
  "<u8": "UINT64", "<f2": "FP16", "<f4": "FP32", "<f8": "FP64",
};

/** The tensor for an input in the bytes of a .npy file. Numbers of another type are converted if the input's type holds them. */
export function readNpy(bytes, file, { datatype, shape: wanted }) {
  const { descr, shape, buffer } = parseNpy(bytes, file);
  const found = DATATYPES[descr];
  if (!found) throw new Error(`${file}: its elements are ${descr}, expected one of ${Object.keys(DATATYPES).join(", ")}`);
  const fits = shape.length === wanted.length && shape.every((extent, i) => wanted[i] < 0 || wanted[i] === extent);
  if (!fits) throw new Error(`${file} is ${extents(shape)}, expected ${extents(wanted)}.`);
  const data = decode(found, buffer);
  return { shape, data: found === datatype ? data : arrayOf(datatype, Array.from(data, Number)) };
}
