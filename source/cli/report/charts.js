// SPDX-License-Identifier: MIT
// Pictures of the steps: the memory that is in use, and where the time goes in the order of the run.

/** The number, rounded up to one that reads well in units of 1024. */
function niceEnd(most) {
  let unit = 1;
  while (unit * 1024 <= most) unit *= 1024;
  for (const factor of [1, 1.5, 2, 3, 4, 6, 8, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 800]) {
    if (factor * unit >= most) return factor * unit;
  }
  return 1024 * unit;
}

/** Bytes in use at each step, and the planned memory that holds them, as wide as `place`. */
function drawMemory(place, data, chosen) {
  const steps = data.steps;
  const width = Math.max(300, place.clientWidth - 32);
  const [height, left, top, bottom] = [260, 70, 22, 34];
  const end = niceEnd(Math.max(data.run.planned_bytes, 1024));
  const x = (step) => left + ((width - left - 10) * step) / Math.max(1, steps.length);
  const y = (value) => top + (height - top - bottom) * (1 - value / end);
  const picture = shape("svg", { class: "chart", width, height });
  const parts = 4;
  for (let part = 0; part <= parts; ++part) {
    const value = (end * part) / parts;
    picture.append(shape("line", { class: "grid", x1: left, x2: width - 10, y1: y(value), y2: y(value) }),
      shape("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, part === 0 ? "0" : bytes(value)));
  }
  let path = `M${x(0)},${y(0)}`;
  steps.forEach((step, i) => { path += `V${y(step.live_bytes)}H${x(i + 1)}`; });
  picture.append(shape("path", { class: "area", d: path + `V${y(0)}Z` }));
  const planned = y(data.run.planned_bytes);
  picture.append(shape("line", { class: "limit", x1: left, x2: width - 10, y1: planned, y2: planned }),
    shape("text", { x: width - 12, y: planned - 6, "text-anchor": "end" }, "planned memory, " + bytes(data.run.planned_bytes)));
  const every = Math.max(1, Math.ceil(steps.length / 10));
  for (let step = 0; step < steps.length; step += every) {
    picture.append(shape("text", { x: (x(step) + x(step + 1)) / 2, y: height - 16, "text-anchor": "middle" }, String(step + 1)));
  }
  picture.append(shape("text", { x: (left + width) / 2, y: height - 1, "text-anchor": "middle" }, "step"));
  const cursor = shape("line", { class: "cursor", y1: top, y2: height - bottom, visibility: "hidden" });
  const stepAt = (event) => {
    const share = (event.clientX - picture.getBoundingClientRect().left - left) / (width - left - 10);
    return Math.max(0, Math.min(steps.length - 1, Math.floor(share * steps.length)));
  };
  picture.append(cursor);
  picture.addEventListener("mousemove", (event) => {
    if (steps.length === 0) return;
    const at = stepAt(event);
    const middle = (x(at) + x(at + 1)) / 2;
    for (const [name, value] of [["x1", middle], ["x2", middle], ["visibility", "visible"]]) cursor.setAttribute(name, value);
    showTip(event, `step ${at + 1}: ${steps[at].type} ${steps[at].name}\n${bytes(steps[at].live_bytes)} in use`);
  });
  picture.addEventListener("mouseleave", () => { cursor.setAttribute("visibility", "hidden"); hideTip(); });
  picture.addEventListener("click", (event) => { if (steps.length > 0) chosen(stepAt(event)); });
  return picture;
}

/** All steps side by side, each as wide as its time. */
function drawStrip(data, colorOf, textOf, chosen) {
  const strip = element("div", { class: "strip" });
  data.steps.forEach((step, i) => {
    const part = element("i", { ...tipped(() => textOf(i)), onclick: () => chosen(i) });
    part.style.flex = `${step.seconds * 1e6} 0 0px`;
    part.style.background = colorOf(step);
    strip.append(part);
  });
  return strip;
}
