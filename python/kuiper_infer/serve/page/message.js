// SPDX-License-Identifier: MIT
// A message of a conversation as the page shows it.

import { alarm, announce, button, element } from "./dom.js";
import { duration, rounded } from "./format.js";

/** Paragraphs of text and blocks of code, which stand between lines of three backticks. All of it is text. */
function parts(text) {
  const found = [{ code: false, lines: [] }];
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith("```")) found.push({ code: !found.at(-1).code, lines: [] });
    else found.at(-1).lines.push(line);
  }
  return found.filter(({ lines }) => lines.some(Boolean)).map(({ code, lines }) => {
    const content = lines.join("\n");
    return code ? element("pre", { tabindex: "0" }, element("code", {}, content)) : element("p", {}, content.trim());
  });
}

export class MessageView {
  /** `actions` are pairs of a button's text and what it does. */
  constructor(role, content, actions) {
    this.content = content;
    this.text = element("div", { class: "text" }, ...parts(content));
    this.meta = element("p", { class: "meta" });
    const copy = navigator.clipboard ? [["Copy", () => this.copy()]] : [];
    this.actions = element("div", { class: "actions" },
      ...[...actions, ...copy].map(([text, act]) => button(text, act, { class: "quiet" })));
    const who = role === "user" ? "You" : "Answer";
    this.element = element("article", { class: `message ${role}`, "aria-label": who }, this.text, this.meta, this.actions);
    this.drawing = 0;
  }

  /** Adds a piece of text, drawn with the next frame. */
  add(text) {
    this.content += text;
    this.drawing ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.drawing);
    this.drawing = 0;
    this.text.replaceChildren(...parts(this.content));
  }

  /** While an answer is written it has no actions. */
  set writing(writing) {
    this.element.classList.toggle("writing", writing);
    this.element.setAttribute("aria-busy", String(writing));
    this.actions.hidden = writing;
  }

  fail(message) {
    this.meta.before(alarm(message));
  }

  async copy() {
    await navigator.clipboard.writeText(this.content);
    announce("The text is copied.");
  }

  /** Shows a form with the text in place of it; `done` gets the new text. */
  edit(done) {
    const input = element("textarea", { rows: 3, "aria-label": "Edited message" });
    input.value = this.content;
    const end = () => { form.replaceWith(this.text); this.actions.hidden = false; };
    const save = () => { if (input.value.trim()) done(input.value.trim()); };
    const form = element("form", { class: "edit", onsubmit: (event) => { event.preventDefault(); save(); } }, input,
      element("div", { class: "actions" }, element("button", { class: "primary" }, "Send"), button("Cancel", end)));
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") end();
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); save(); }
    });
    this.actions.hidden = true;
    this.text.replaceWith(form);
    input.focus();
  }
}

/** What is told about an answer below it. The moments are in milliseconds; the rate is that of the tokens after the first. */
export function summary({ first, usage, reason }, begun, ended) {
  const parts = { stopped: ["stopped"], length: ["ended by the limit of tokens"] }[reason] ?? [];
  const tokens = usage?.completion_tokens ?? 0;
  if (tokens > 0) parts.push(`${tokens} token${tokens === 1 ? "" : "s"}`);
  if (first !== null && tokens > 1) parts.push(`${rounded((tokens - 1) / ((ended - first) / 1e3))} tokens/s`);
  if (first !== null) parts.push(`first after ${duration((first - begun) / 1e3)}`);
  return parts.join(" · ");
}
