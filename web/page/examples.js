// SPDX-License-Identifier: MIT
// The models that come with the page. `settings` are those of runForm.

import { ownFile } from "./files.js";

const EXAMPLES = {
  line_reader: {
    title: "Line reader",
    picture: "line_hello.png",
    words: "alphabet",
    settings: { view: "Text of a line", picture: { normalisation: "From -1 to 1", fit: "stretch" } },
  },
  shape_detector: {
    title: "Shape detector",
    picture: "shapes.png",
    words: "labels",
    settings: { view: "Boxes", picture: { fit: "pad", multiple: 32, longest: 640 } },
  },
  shape_segmenter: {
    title: "Shape segmenter",
    picture: "shapes.png",
    words: "labels",
    settings: { view: "Classes of pixels", picture: { fit: "pad", multiple: 16, longest: 640 } },
  },
};

export const exampleTitles = Object.entries(EXAMPLES).map(([name, { title }]) => [name, title]);

/** An example's files, its picture and its settings. */
export async function loadExample(name) {
  const { picture, words, settings } = EXAMPLES[name];
  const names = [`${name}.pnnx.param`, `${name}.pnnx.bin`, `${name}.${words}.txt`, picture];
  const [param, bin, text, pixels] = await Promise.all(names.map((file) => ownFile(`examples/${file}`)));
  const lines = new TextDecoder().decode(text).replace(/\n$/, "");
  const labels = words === "alphabet" ? [...lines] : lines.split("\n");
  return { name: names[0], param, bin, picture: new File([pixels], picture), settings: { ...settings, labels } };
}
