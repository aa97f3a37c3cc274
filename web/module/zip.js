// SPDX-License-Identifier: MIT
// Reads ZIP archives, in Node and in browsers: for tests.

const END = [0x50, 0x4b, 0x05, 0x06];  // the signature of the record behind the archive's directory

/**
 * The entries of an archive: a Map from name to a function that gives the bytes, or what `inflate` returns for bytes that Deflate
 * has packed.
 */
export function readZip(bytes, inflate) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.length - END.length;
  while (end >= 0 && !END.every((byte, i) => bytes[end + i] === byte)) --end;
  if (end < 0) throw new Error("this is no ZIP archive");
  const entries = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; --left) {
    const method = view.getUint16(at + 10, true);
    const packedSize = view.getUint32(at + 20, true);
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const local = view.getUint32(at + 42, true);
    entries.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)), () => {
      const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const packed = bytes.subarray(begin, begin + packedSize);
      return method === 0 ? packed : inflate(packed);
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}
