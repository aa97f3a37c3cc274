// SPDX-License-Identifier: MIT
// The view of a chat: the messages, the answer that is being written, and where the next message is typed.

import { getJson } from "./api.js";
import { ChatSettings } from "./chat_settings.js";
import { Conversation } from "./conversation.js";
import { announce, button, element } from "./dom.js";
import { chat } from "./events.js";
import { MessageView, summary } from "./message.js";

export class ChatView {
  title = "Chat";

  constructor() {
    this.conversation = new Conversation();
    this.settings = new ChatSettings();
    this.stopper = null; // of the answer that is being written
    this.log = element("div", { class: "log", role: "log", "aria-live": "off", "aria-label": "Conversation" });
    this.input = element("textarea", { rows: 1, placeholder: "Write a message", "aria-label": "Message" });
    this.input.addEventListener("input", () => this.fit());
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.send();
    });
    this.sender = element("button", { class: "primary" }, "Send");
    this.stopButton = button("Stop", () => this.stop(), { class: "stop", hidden: true });
    this.form = element("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); this.send(); } },
      this.input, this.sender, this.stopButton);
    this.element = element("section", { class: "chat", "aria-label": "Chat" },
      element("div", { class: "toolbar" }, this.settings.model, button("New chat", () => this.restart())),
      this.settings.details, this.log, this.form);
    this.element.addEventListener("keydown", (event) => { if (event.key === "Escape") this.stop(); });
  }

  async show() {
    const { data } = await getJson("openai/v1/models");
    this.settings.offer(data.map(({ id }) => id));
    this.form.hidden = data.length === 0;
    this.draw();
  }

  hide() {}

  /** Draws all messages anew, but for an answer that is being written. */
  draw() {
    if (this.stopper) return;
    const views = this.conversation.messages.map(({ role, content }, index) => this.view(role, content, index));
    this.log.replaceChildren(...(views.length ? views.map((view) => view.element) : [this.welcome()]));
  }

  welcome() {
    const text = this.form.hidden
      ? "No model here generates text. A model does if it has a tokenizer.json or tokenizer.gguf beside it."
      : "Ask something. Enter sends the message, Shift and Enter begin a new line, Escape stops an answer.";
    return element("p", { class: "welcome" }, text);
  }

  view(role, content, index) {
    const edit = (made) => { this.conversation.cut(index); this.send(made); };
    const retry = () => { this.conversation.cut(index); this.answer(); };
    const view = new MessageView(role, content, role === "user" ? [["Edit", () => view.edit(edit)]] : [["Retry", retry]]);
    return view;
  }

  send(text = this.takeInput()) {
    if (!text || this.stopper) return;
    this.conversation.add("user", text);
    this.answer();
  }

  takeInput() {
    if (this.stopper) return "";
    const text = this.input.value.trim();
    this.input.value = "";
    this.fit();
    return text;
  }

  /** Lets the model answer the last message. What there is of an answer that is stopped or fails stays. */
  async answer() {
    this.draw();
    const { conversation, settings } = this;
    const view = this.view("assistant", "", conversation.messages.length);
    this.log.append(view.element);
    const stopper = new AbortController();
    this.busy(stopper);
    view.writing = true;
    const begun = performance.now();
    const told = { first: null, usage: null, reason: null };
    try {
      const body = { model: settings.model.value, messages: conversation.request(settings.system), ...settings.options() };
      for await (const { text, usage, reason } of chat(body, stopper.signal)) {
        told.usage = usage ?? told.usage;
        told.reason = reason ?? told.reason;
        if (!text) continue;
        told.first ??= performance.now();
        view.add(text);
        this.follow();
      }
    } catch (error) {
      if (error.name === "AbortError") told.reason = "stopped";
      else view.fail(error.message);
    }
    if (this.stopper !== stopper) return; // another chat has begun
    view.draw();
    view.meta.textContent = summary(told, begun, performance.now());
    view.writing = false;
    this.busy(null);
    if (view.content) conversation.add("assistant", view.content);
    announce(view.content ? `Answer: ${view.content}` : "There is no answer.");
    this.follow();
  }

  /** Notes what stops the answer that is being written; null: none is. */
  busy(stopper) {
    this.stopper = stopper;
    if (stopper === null && document.activeElement === this.stopButton) this.input.focus();
    this.sender.hidden = stopper !== null;
    this.stopButton.hidden = stopper === null;
    for (const each of this.log.querySelectorAll(".actions button")) each.disabled = stopper !== null;
  }

  stop() {
    this.stopper?.abort();
  }

  restart() {
    this.stop();
    this.busy(null);
    this.conversation.cut(0);
    this.draw();
    this.input.focus();
  }

  /** Makes the field as high as its text. */
  fit() {
    const { input } = this;
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight + input.offsetHeight - input.clientHeight}px`;
  }

  /** Keeps the end in sight for who reads there. */
  follow() {
    const page = document.scrollingElement;
    if (page.scrollHeight - page.scrollTop - page.clientHeight < 160) page.scrollTop = page.scrollHeight;
  }
}
