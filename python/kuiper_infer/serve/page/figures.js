// SPDX-License-Identifier: MIT
// The view of live figures, which are read from the service's metrics every two seconds while it is seen.

import { getText } from "./api.js";
import { Chart } from "./chart.js";
import { alarm, element, table } from "./dom.js";
import { bytes, duration, rounded } from "./format.js";
import { Interval, Reading } from "./metrics.js";

const SECONDS = 2;
const RUN = { phase: "run" };
const PHASES = "kuiper_infer_phase_seconds";
const FIRST = "kuiper_infer_first_token_seconds";
const NEXT = "kuiper_infer_next_token_seconds";
const tokens = (interval, labels) => interval.rate(`${FIRST}_count`, labels) + interval.rate(`${NEXT}_count`, labels);

// Title, value of an interval, text of a value, what it is.
const CHARTS = [
  ["Requests", (i) => i.rate("kuiper_infer_answers_total"), (v) => `${rounded(v)} /s`, "answered, of all protocols"],
  ["Errors", (i) => i.rate("kuiper_infer_answers_total") - i.rate("kuiper_infer_answers_total", { status: "200" }) -
    i.rate("kuiper_infer_answers_total", { status: "OK" }), (v) => `${rounded(v)} /s`, "answers that are no result"],
  ["Time of a run", (i) => i.quantile(0.5, PHASES, RUN), duration, "median"],
  ["Slow runs", (i) => i.quantile(0.99, PHASES, RUN), duration, "99 of 100 are faster"],
  ["Waiting", (i) => i.mean(PHASES, { phase: "queue" }), duration, "of a request for its run, mean"],
  ["Tokens", tokens, (v) => `${rounded(v)} /s`, "of all answers together"],
  ["First token", (i) => i.quantile(0.5, FIRST), duration, "after the request, median"],
  ["Next token", (i) => i.quantile(0.5, NEXT), duration, "after the one before, median"],
  ["Answers under way", (i) => i.after.sum("kuiper_infer_answers_running"), rounded, "of language models"],
  ["Processor", (i) => i.rate("process_cpu_seconds_total"), (v) => `${rounded(v)} cores`, "that the service keeps busy"],
  ["Memory", (i) => i.after.sum("process_resident_memory_bytes"), bytes, "of the service"],
];

const MODELS = [
  ["Model", ({ labels }) => labels.model],
  ["Version", ({ labels }) => labels.version, true],
  ["Requests/s", ({ interval, labels }) => rounded(interval.rate("kuiper_infer_requests_total", labels)), true],
  ["Run, median", ({ interval, labels }) => duration(interval.quantile(0.5, PHASES, { ...labels, ...RUN })), true],
  ["Waiting", ({ interval, labels }) => rounded(interval.after.sum("kuiper_infer_queue_length", labels) +
    interval.after.sum("kuiper_infer_answers_waiting", labels)), true],
  ["Tokens/s", ({ interval, labels }) => rounded(tokens(interval, labels)), true],
];

export class FiguresView {
  title = "Figures";

  constructor() {
    this.charts = CHARTS.map(([title, value, text, meaning]) => ({ value, chart: new Chart(title, text, meaning) }));
    this.models = element("div");
    this.problem = element("div");
    this.before = null;
    this.timer = null;
    this.element = element("section", { class: "figures", "aria-label": "Figures" }, element("h1", {}, "Figures"),
      element("p", { class: "meta" }, `Read every ${SECONDS} seconds from the service's metrics, over the last two minutes.`),
      this.problem, element("div", { class: "charts" }, ...this.charts.map(({ chart }) => chart.element)), this.models);
  }

  async show() {
    this.before = null;
    this.timer ??= setInterval(() => { if (!document.hidden) this.look(); }, SECONDS * 1000);
    await this.look();
  }

  hide() {
    clearInterval(this.timer);
    this.timer = null;
  }

  async look() {
    try {
      const after = new Reading(await getText("metrics"), performance.now() / 1e3);
      if (this.before) this.draw(new Interval(this.before, after));
      this.before = after;
      this.problem.replaceChildren();
    } catch (error) {
      if (!this.problem.hasChildNodes()) this.problem.replaceChildren(alarm(`The metrics can't be read. ${error.message}`));
    }
  }

  draw(interval) {
    for (const { value, chart } of this.charts) chart.add(value(interval));
    const rows = interval.after.of("kuiper_infer_model_ready").map(({ labels }) => ({ interval, labels }));
    this.models.replaceChildren(element("h2", {}, "By model"), table("Figures by model", MODELS, rows));
  }
}
