// SPDX-License-Identifier: MIT
// The part of a form for one input of a model. Each way of giving the input has an element and makes the tensor.

import { element, select, field } from "./dom.js";
import { extents } from "./format.js";
import { extentFields } from "./extent_fields.js";
import { readNpy } from "./npy_tensor.js";
import { layoutOf, PictureInput } from "./picture_input.js";
import { arrayBy, arrayOf, countOf, isFloat, read } from "./tensors.js";

const MOST_FIELDS = 12;

/** A field for each number. */
class FieldsInput {
  constructor({ name, datatype, shape }) {
    this.datatype = datatype;
    this.shape = shape.map((extent) => Math.max(extent, 1));
    this.inputs = Array.from({ length: countOf(this.shape) }, (_, i) =>
      element("input", { type: "number", step: isFloat(datatype) ? "any" : "1", value: "0", "aria-label": `${name}, number ${i + 1}` }));
    this.element = element("div", { class: "numbers" }, ...this.inputs);
  }

  tensor() {
    const wrong = this.inputs.findIndex((input) => Number.isNaN(input.valueAsNumber));
    if (wrong >= 0) throw new Error(`number ${wrong + 1} is missing.`);
    return { shape: this.shape, data: arrayOf(this.datatype, this.inputs.map((input) => input.valueAsNumber)) };
  }
}

/** Nested or flat lists as JSON. */
class JsonInput {
  constructor({ datatype, shape }) {
    this.datatype = datatype;
    this.shape = shape;
    this.input = element("textarea", { rows: 4, spellcheck: "false", placeholder: "[[1, 2, 3]]" });
    this.element = field(`Lists of numbers, ${extents(shape)}`, this.input, "nested as the shape, or one flat list");
  }

  tensor() {
    return read(this.input.value, this.datatype, this.shape);
  }
}

/** Random numbers, to see how long a run takes. */
class RandomInput {
  constructor({ datatype, shape }) {
    this.datatype = datatype;
    this.extents = extentFields(shape);
    this.element = element("div", {}, element("p", { class: "meta" }, isFloat(datatype)
      ? "Random numbers from 0 to 1, to see how long a run takes." : "Ones, to see how long a run takes."), this.extents.element);
  }

  tensor() {
    const shape = this.extents.shape();
    return { shape, data: arrayBy(this.datatype, shape, isFloat(this.datatype) ? Math.random : () => 1) };
  }
}

/** An array in a file of NumPy. */
class NpyInput {
  constructor(input) {
    this.input = input;
    this.file = element("input", { type: "file", accept: ".npy" });
    this.element = field(`A file .npy, ${extents(input.shape)}`, this.file);
  }

  async tensor() {
    const [file] = this.file.files;
    if (!file) throw new Error("there is no file.");
    return readNpy(new Uint8Array(await file.arrayBuffer()), file.name, this.input);
  }
}

/** Its element sends the event `given` when a user gives the input anew, a picture or another way. */
export class InputPart {
  /** `settings` are those of PictureInput. */
  constructor(input, settings) {
    this.input = input;
    this.ways = new Map();
    const { shape } = input;
    if (layoutOf(input)) this.ways.set("Picture", new PictureInput(input, settings));
    if (shape.slice(1).every((extent) => extent > 0) && countOf(shape.map((e) => Math.max(e, 1))) <= MOST_FIELDS) {
      this.ways.set("Fields", new FieldsInput(input));
    }
    this.ways.set("JSON", new JsonInput(input)).set("Random", new RandomInput(input)).set(".npy file", new NpyInput(input));
    this.choice = select([...this.ways.keys()], { onchange: () => this.chosen() });
    this.place = element("div");
    this.element = element("fieldset", {},
      element("legend", {}, input.name, " ", element("span", { class: "quiet" }, `${input.datatype}, ${extents(shape)}`)),
      field("Given as", this.choice), this.place);
    this.draw();
  }

  draw() {
    this.place.replaceChildren(this.ways.get(this.choice.value).element);
  }

  chosen() {
    this.draw();
    this.element.dispatchEvent(new Event("given", { bubbles: true }));
  }

  /** Takes a picture's file, if the input may be a picture. */
  takePicture(file) {
    return this.ways.get("Picture")?.take(file);
  }

  /** Takes a frame, a canvas, of an input that may be a picture. */
  takeFrame(canvas) {
    if (this.choice.value !== "Picture") {
      this.choice.value = "Picture";
      this.draw();
    }
    this.ways.get("Picture").takeFrame(canvas);
  }

  /** The picture as the model gets it: a canvas, or null if the input is given in another way. */
  picture() {
    return this.ways.get(this.choice.value).canvas ?? null;
  }

  /** The tensor, or an Error that names the input. */
  async tensor() {
    const { name, datatype } = this.input;
    try {
      return { name, datatype, ...(await this.ways.get(this.choice.value).tensor()) };
    } catch (error) {
      throw new Error(`Input ${name}: ${error.message}`);
    }
  }
}
