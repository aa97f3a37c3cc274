// SPDX-License-Identifier: MIT
// The views, of which the part of the address behind # chooses one.

import { ChatView } from "./chat.js";
import { alarm } from "./dom.js";
import { FiguresView } from "./figures.js";
import { ModelsView } from "./models.js";

const VIEWS = { chat: ChatView, models: ModelsView, figures: FiguresView };
const made = new Map();
let current = null;

/** The words of the address, such as models, NAME and VERSION. */
function words() {
  try {
    return location.hash.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

async function show() {
  const [name, ...rest] = words();
  const chosen = Object.hasOwn(VIEWS, name ?? "") ? name : "chat";
  if (!made.has(chosen)) made.set(chosen, new VIEWS[chosen]());
  const view = made.get(chosen);
  current?.hide();
  current = view;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === chosen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view.title} · KuiperInfer`;
  const main = document.getElementById("main");
  main.replaceChildren(view.element);
  try {
    await view.show(...rest);
  } catch (error) {
    if (current === view) main.prepend(alarm(error.message));
  }
}

window.addEventListener("hashchange", () => {
  if (location.hash === "#main") return;
  show();
  document.getElementById("main").focus();
});
show();
