// SPDX-License-Identifier: MIT
// A model's two files are dropped or chosen; the page then tells what they hold, runs the model and shows where its time goes.

import { cameraControl } from "./camera.js";
import { alarm, announce, button, element, section } from "./dom.js";
import { loadModel } from "./engine.js";
import { exampleTitles, loadExample } from "./examples.js";
import { lineText } from "./line_text.js";
import { modelFacts } from "./model_facts.js";
import { layoutOf } from "./picture_input.js";
import { boxes, classes } from "./pictures.js";
import { reportForm } from "./report_frame.js";
import { runForm } from "./run_form.js";

const VIEWS = { Boxes: boxes, "Classes of pixels": classes, "Text of a line": lineText };

const waiting = new Map();  // files of a model whose other file is not there yet
const told = element("p", { class: "meta", "aria-live": "polite" }, "Drop a model's .pnnx.param and .pnnx.bin here, or choose both.");
const shown = element("div");
let model = null;
let camera = null;

const read = async (file) => new Uint8Array(await file.arrayBuffer());

/** Takes files that were dropped or chosen, one after the other or both at once. */
async function take(files) {
  for (const file of files) {
    const ending = /\.(param|bin)$/.exec(file.name)?.[1];
    if (ending) waiting.set(ending, file);
    else told.textContent = `${file.name} is no file .param or .bin.`;
  }
  if (waiting.size === 1) told.textContent = `${[...waiting.values()][0].name} is here; the .${waiting.has("param") ? "bin" : "param"} is missing.`;
  if (waiting.size < 2) return;
  const [param, bin] = [waiting.get("param"), waiting.get("bin")];
  waiting.clear();
  await attempt(async () => show(param.name, await read(param), await read(bin)));
}

/** Ends the model that is shown, and its camera. */
function close() {
  camera?.stop();
  model?.dispose();
  camera = model = null;
  shown.replaceChildren();
}

/** Shows another model or why that failed. */
async function attempt(action) {
  close();
  try {
    await action();
  } catch (error) {
    close();
    shown.append(alarm(error.message));
    told.textContent = "Drop another model here, or choose one.";
  }
}

async function show(name, param, bin, settings = {}) {
  told.textContent = `Loading ${name} …`;
  const loaded = await loadModel(name, param, bin);
  close();  // what another click has shown meanwhile
  model = loaded;
  told.textContent = `${name} is loaded. Drop another model here, or choose one.`;
  const report = reportForm(loaded);
  const infer = (tensors) => {
    const outputs = loaded.infer(tensors);
    report.enable();
    return outputs;
  };
  if (loaded.inputs.slice(0, 1).some(layoutOf)) camera = cameraControl((frame) => form.runOnFrame(frame));
  const form = runForm(loaded.inputs, infer, { views: VIEWS, settings, more: camera ? [camera.element] : [] });
  for (const event of ["submit", "given"]) form.element.addEventListener(event, () => camera?.stop());
  shown.replaceChildren(element("h1", {}, name), section("Model", ...modelFacts(loaded)), section("Run it", form.element),
    section("Where the time goes", report.element));
  announce(`${name} is loaded.`);
  return form;
}

const example = (name) => attempt(async () => {
  told.textContent = "Loading …";
  const { name: file, param, bin, picture, settings } = await loadExample(name);
  const form = await show(file, param, bin, settings);
  await form.takePicture(picture);
});

function modelDrop() {
  const files = element("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files of a model", onchange: () => {
    take([...files.files]);
    files.value = "";  // so that a file that has been changed can be chosen again
  } });
  const drop = element("div", { class: "drop model" }, told, button("Choose files", () => files.click()), files);
  const over = (event, inside) => { event.preventDefault(); drop.classList.toggle("over", inside); };
  drop.addEventListener("dragover", (event) => over(event, true));
  drop.addEventListener("dragleave", (event) => over(event, false));
  drop.addEventListener("drop", (event) => { over(event, false); take(event.dataTransfer.files); });
  return drop;
}

addEventListener("pagehide", () => camera?.stop());
document.getElementById("main").append(
  section("A model", modelDrop(), element("p", { class: "examples" }, "Or an example:",
    ...exampleTitles.map(([name, title]) => button(title, () => example(name))))), shown);
