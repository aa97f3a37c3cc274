// SPDX-License-Identifier: MIT
// The view of all versions in the service's folder and, below `models/NAME/VERSION`, of one of them.

import { getJson, modelPath, versions } from "./api.js";
import { element, table } from "./dom.js";
import { bytes, count, extents } from "./format.js";
import { modelDetails } from "./model.js";

const arrays = (list) => element("span", { class: "lines" }, ...list.map(({ name, datatype, shape }) =>
  element("span", {}, name, " ", element("small", {}, `${datatype}, ${extents(shape)}`))));
const link = ({ name, version }) =>
  element("a", { href: `#models/${encodeURIComponent(name)}/${encodeURIComponent(version)}` }, name);

const READY = [
  ["Model", (model) => link(model)],
  ["Version", ({ version }) => version, true],
  ["Inputs", ({ inputs }) => arrays(inputs)],
  ["Outputs", ({ outputs }) => arrays(outputs)],
  ["Precision", ({ precision }) => precision],
  ["Parameters", ({ parameters }) => count(parameters), true],
  ["Weights", ({ weight_bytes }) => bytes(weight_bytes), true],
  ["Kind", ({ generates_text }) => (generates_text ? "text" : "arrays")],
];
const OTHERS = [
  ["Model", ({ name }) => name],
  ["Version", ({ version }) => version, true],
  ["State", ({ state }) => state.toLowerCase()],
  ["Reason", ({ reason }) => reason],
];

/** What the service tells about a version that answers. */
async function describe(entry) {
  const path = modelPath(entry.name, entry.version);
  const [metadata, info] = await Promise.all([getJson(path), getJson(`${path}/info`)]);
  return { ...entry, ...metadata, version: entry.version, ...info };
}

export class ModelsView {
  title = "Models";

  constructor() {
    this.element = element("section", { class: "models", "aria-label": "Models" });
  }

  async show(name, version) {
    const asked = (this.asked = {});
    let content = [];
    try {
      content = await (name && version ? one(name, version) : all());
    } finally {
      if (this.asked === asked) this.element.replaceChildren(...content);
    }
  }

  hide() {}
}

async function one(name, version) {
  const [model, { extensions }] = await Promise.all([describe({ name, version }), getJson("v2")]);
  const back = element("p", { class: "path" }, element("a", { href: "#models" }, "All models"));
  return [back, ...modelDetails(model, extensions.includes("report"))];
}

async function all() {
  const found = await versions();
  const told = (entry) => describe(entry).catch(({ message }) => ({ ...entry, state: "UNAVAILABLE", reason: message }));
  const described = await Promise.all(found.map((entry) => (entry.state === "READY" ? told(entry) : entry)));
  const ready = described.filter(({ state }) => state === "READY");
  const others = described.filter(({ state }) => state !== "READY");
  const content = [element("h1", {}, "Models"), ready.length ? table("Models that answer", READY, ready)
    : element("p", { class: "welcome" }, "No model answers yet. The service looks into its folder every few seconds.")];
  if (others.length) content.push(element("h2", {}, "Versions that do not answer"), table("Versions that do not answer", OTHERS, others));
  return content;
}
