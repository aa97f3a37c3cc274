// SPDX-License-Identifier: MIT
// The messages of a conversation. The browser keeps them until its tab is closed.

const KEY = "kuiper conversation";

export class Conversation {
  constructor() {
    this.messages = stored();
  }

  /** The messages for the service, behind a system message if there is one. */
  request(system) {
    const first = system.trim() ? [{ role: "system", content: system.trim() }] : [];
    return [...first, ...this.messages.map(({ role, content }) => ({ role, content }))];
  }

  add(role, content) {
    this.messages.push({ role, content });
    this.keep();
  }

  /** Leaves only the messages before the one with this index. */
  cut(index) {
    this.messages.length = index;
    this.keep();
  }

  keep() {
    sessionStorage.setItem(KEY, JSON.stringify(this.messages));
  }
}

function stored() {
  try {
    const messages = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return messages.filter(({ role, content }) => typeof role === "string" && typeof content === "string");
  } catch {
    return [];
  }
}
