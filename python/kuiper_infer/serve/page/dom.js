// SPDX-License-Identifier: MIT
// Elements. Text enters the page as text alone, never as markup.

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== "string") node[name] = value;
    else if (value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An element with attributes, listeners (`onclick`) and children, which are elements or texts. */
export const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** An element of a picture. */
export const shape = (name, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

export const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

let numbers = 0;

/** A control with its label above it. `hint` is a sentence that belongs to the control. */
export function field(label, control, hint = null) {
  control.id ||= `field-${++numbers}`;
  const told = hint ? element("small", { id: `${control.id}-hint` }, hint) : null;
  if (told) control.setAttribute("aria-describedby", told.id);
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control, told);
}

/** A list of choices. `options` are texts, or pairs of value and text. */
export function select(options, attributes = {}) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  return element("select", attributes, ...pairs.map(([value, text]) => element("option", { value }, text)));
}

/** A list of names with values; values that are null are left out. */
export const facts = (pairs) =>
  element("dl", { class: "facts" }, ...pairs.filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));

/** A part of a page with a heading. */
export const section = (title, ...content) => element("section", { class: "card", "aria-label": title }, element("h2", {}, title), ...content);

/** A table. A column is [head, row -> content, whether it holds numbers]; `caption` is for screen readers. */
export function table(caption, columns, rows) {
  const cell = (tag, content, number, more = {}) => element(tag, { ...more, class: number ? "number" : null }, content);
  return element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
    element("table", {},
      element("thead", {}, element("tr", {}, ...columns.map(([head, , number]) => cell("th", head, number, { scope: "col" })))),
      element("tbody", {}, ...rows.map((row) =>
        element("tr", {}, ...columns.map(([, content, number]) => cell("td", content(row), number)))))));
}

/** A message about a failure, which screen readers tell at once. */
export const alarm = (text) => element("p", { class: "alarm", role: "alert" }, text);

/** Tells something to screen readers. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}
