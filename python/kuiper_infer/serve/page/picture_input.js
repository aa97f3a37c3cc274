// SPDX-License-Identifier: MIT
// An input that is a picture: chosen or dropped, scaled to the input's size, and normalised.

import { announce, button, element, field, select } from "./dom.js";
import { extentFields } from "./extent_fields.js";
import { NormalisationFields } from "./normalisation.js";
import { drawFitted, pixelsOf } from "./picture.js";
import { arrayBy } from "./tensors.js";

const MOST_PIXELS = 4096 * 4096;

/** The axes of channels, rows and columns of an input that may be a picture; null if it can't be one. */
export function layoutOf({ datatype, shape }) {
  if (datatype === "BOOL" || shape.length < 3 || shape.length > 4) return null;
  const first = shape.length - 3;
  if (first === 1 && shape[0] !== 1 && shape[0] !== -1) return null;
  const wide = (axes) => axes.every((axis) => shape[axis] < 0 || shape[axis] > 4);
  const colours = (axis) => shape[axis] === 1 || shape[axis] === 3;
  if (colours(first) && wide([first + 1, first + 2])) return { channels: first, rows: first + 1, columns: first + 2 };
  if (colours(first + 2) && wide([first, first + 1])) return { channels: first + 2, rows: first, columns: first + 1 };
  return null;
}

export class PictureInput {
  /**
   * `settings`: how the picture is to `fit`, the name of its `normalisation` and, if the input's size is free, the number of
   * which its sides are to be a `multiple` and the length of its `longest` side.
   */
  constructor(input, settings = {}) {
    this.input = input;
    this.settings = settings;
    this.layout = layoutOf(input);
    this.picture = null;
    this.file = element("input", { type: "file", accept: "image/*", "aria-label": `Picture for ${input.name}`,
      onchange: () => { if (this.file.files.length) this.take(this.file.files[0]); } });
    this.canvas = element("canvas", { class: "preview", hidden: true, role: "img" });
    this.told = element("p", { class: "meta", "aria-live": "polite" }, "Drop a picture here, or choose a file.");
    this.drop = element("div", { class: "drop" }, this.canvas, this.told, button("Choose a picture", () => this.file.click()), this.file);
    this.file.hidden = true;
    this.free = extentFields(input.shape.map((extent, axis) => (axis === 0 && input.shape.length === 4 ? 1 : extent)));
    this.fit = select([["crop", "Fill, and crop what is over"], ["pad", "Fit inside, with grey beside"], ["stretch", "Stretch"]],
      { onchange: () => this.draw() });
    this.fit.value = settings.fit ?? "crop";
    this.normalisation = new NormalisationFields(input.shape[this.layout.channels], input.datatype, settings.normalisation);
    this.free.element.addEventListener("change", () => this.draw());
    this.element = element("div", { class: "picture" }, this.drop, element("div", { class: "choices" },
      this.free.element, field("Size", this.fit), this.normalisation.element));
    this.listen();
  }

  listen() {
    const over = (event, inside) => { event.preventDefault(); this.drop.classList.toggle("over", inside); };
    this.drop.addEventListener("dragover", (event) => over(event, true));
    this.drop.addEventListener("dragleave", (event) => over(event, false));
    this.drop.addEventListener("drop", (event) => {
      over(event, false);
      if (event.dataTransfer.files.length) this.take(event.dataTransfer.files[0]);
    });
  }

  async take(file) {
    this.element.dispatchEvent(new Event("given", { bubbles: true }));
    try {
      this.picture = await createImageBitmap(file);
    } catch {
      this.told.textContent = `${file.name} is no picture that this browser reads.`;
      return;
    }
    this.setSize();
    this.draw();
    announce(this.told.textContent);
  }

  /** Takes a canvas, of which tensor() reads what it shows then. Its size is looked at when it is another one than before. */
  takeFrame(canvas) {
    if (this.picture === canvas) return;
    this.picture = canvas;
    this.setSize();
  }

  /** Sets the sides that the input leaves free. If it leaves one, the picture keeps its proportions. */
  setSize() {
    const { picture, layout, settings: { multiple = 1, longest = Infinity } } = this;
    const [rows, columns] = [this.input.shape[layout.rows], this.input.shape[layout.columns]];
    const longer = Math.min(1, longest / Math.max(picture.height, picture.width));
    const scale = rows > 0 ? rows / picture.height : columns > 0 ? columns / picture.width : longer;
    const side = (length) => Math.max(1, Math.ceil(Math.round(length * scale) / multiple)) * multiple;
    this.free.set(layout.rows, side(picture.height));
    this.free.set(layout.columns, side(picture.width));
  }

  /** Draws the picture as the model will see it. Without a valid size nothing is drawn. */
  draw() {
    if (!this.picture) return;
    let shape;
    try {
      shape = this.shape();
    } catch (error) {
      this.told.textContent = error.message;
      return;
    }
    const [height, width] = [shape[this.layout.rows], shape[this.layout.columns]];
    drawFitted(this.canvas, this.picture, width, height, this.fit.value);
    this.canvas.hidden = false;
    this.canvas.setAttribute("aria-label", "The picture as the model gets it");
    const told = `${this.picture.width} × ${this.picture.height}, given as ${width} × ${height}.`;
    if (this.told.textContent !== told) this.told.textContent = told;  // which screen readers would tell again for each frame
  }

  shape() {
    const shape = this.free.shape();
    if (shape[this.layout.rows] * shape[this.layout.columns] > MOST_PIXELS) throw new Error("the picture is too large.");
    return shape;
  }

  tensor() {
    if (!this.picture) throw new Error("there is no picture.");
    const shape = this.shape();
    this.draw();
    const values = pixelsOf(this.canvas, shape[this.layout.channels], this.layout.channels < this.layout.rows, this.normalisation.read());
    let i = 0;
    return { shape, data: arrayBy(this.input.datatype, shape, () => values[i++]) };
  }
}
