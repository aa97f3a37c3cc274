// SPDX-License-Identifier: MIT
// The files of the page: beside it or, in the page that is a single file, packed into it.

async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The bytes of the page's file of that name. */
export async function ownFile(name) {
  const packed = document.querySelector(`script[data-file="${name}"]`);
  if (packed) return unpack(packed.textContent);
  let answer;
  try {
    answer = await fetch(name);
  } catch {
    throw new Error(`${name} can't be fetched. A page without a server is kuiper.html, which holds all its files.`);
  }
  if (!answer.ok) throw new Error(`${name} can't be fetched: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}
