// SPDX-License-Identifier: MIT
// Reads ZIP archives in Node: for tests.
import {inflateRawSync} from "node:zlib";

/** The entries of an archive: a Map from name to a function that gives the bytes. */
export function readZip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) throw new Error("this is no ZIP archive");
  const entries = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; --left) {
    const method = view.getUint16(at + 10, true);
    const packedSize = view.getUint32(at + 20, true);
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const local = view.getUint32(at + 42, true);
    entries.set(bytes.toString("utf8", at + 46, at + 46 + name), () => {
      const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const packed = bytes.subarray(begin, begin + packedSize);
      return method === 0 ? packed : inflateRawSync(packed);
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}
