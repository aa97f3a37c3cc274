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
    this.element.setAttribute("aria-busy", "true");
    try {
      await (name && version ? this.showOne(name, version) : this.showAll());
    } finally {
      this.element.setAttribute("aria-busy", "false");
    }
  }

  hide() {}

  async showOne(name, version) {
    const model = await describe({ name, version });
    const { extensions } = await getJson("v2");
    this.element.replaceChildren(element("p", { class: "path" }, element("a", { href: "#models" }, "All models")),
      ...modelDetails(model, extensions.includes("report")));
  }

  async showAll() {
    const found = await versions();
    const described = await Promise.all(found.map((entry) => (entry.state === "READY" ? describe(entry) : entry)));
    const ready = described.filter(({ state }) => state === "READY");
    const others = described.filter(({ state }) => state !== "READY");
    this.element.replaceChildren(element("h1", {}, "Models"), ready.length ? this.readyTable(ready)
      : element("p", { class: "welcome" }, "No model answers yet. The service looks into its folder every few seconds."));
    if (others.length === 0) return;
    this.element.append(element("h2", {}, "Versions that do not answer"), table("Versions that do not answer", [
      ["Model", ({ name }) => name], ["Version", ({ version }) => version, true],
      ["State", ({ state }) => state.toLowerCase()], ["Reason", ({ reason }) => reason]], others));
  }

  readyTable(models) {
    return table("Models that answer", [
      ["Model", (model) => link(model)],
      ["Version", ({ version }) => version, true],
      ["Inputs", ({ inputs }) => arrays(inputs)],
      ["Outputs", ({ outputs }) => arrays(outputs)],
      ["Precision", ({ precision }) => precision],
      ["Parameters", ({ parameters }) => count(parameters), true],
      ["Weights", ({ weight_bytes }) => bytes(weight_bytes), true],
      ["Kind", ({ generates_text }) => (generates_text ? "text" : "arrays")],
    ], models);
  }
}
