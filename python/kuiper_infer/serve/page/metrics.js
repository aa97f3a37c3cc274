// SPDX-License-Identifier: MIT
// The metrics of the service in Prometheus's text format, and what two readings of them tell.

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const plain = (text) => text.replace(/\\(.)/g, (_, letter) => (letter === "n" ? "\n" : letter));

/** One reading: all samples by name, and the moment in seconds. */
export class Reading {
  constructor(text, seconds) {
    this.seconds = seconds;
    this.samples = new Map();
    for (const line of text.split("\n")) {
      const found = LINE.exec(line);
      if (!found) continue;
      const [, name, labels = "", value] = found;
      const sample = { labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, word]) => [key, plain(word)])), value: Number(value) };
      if (!this.samples.has(name)) this.samples.set(name, []);
      this.samples.get(name).push(sample);
    }
  }

  /** The samples of a metric that have these labels. */
  of(name, labels = {}) {
    const wanted = Object.entries(labels);
    return (this.samples.get(name) ?? []).filter((sample) => wanted.every(([key, value]) => sample.labels[key] === value));
  }

  /** The sum of the samples. */
  sum(name, labels) {
    return this.of(name, labels).reduce((total, { value }) => total + value, 0);
  }
}

/** What happened between two readings. */
export class Interval {
  constructor(before, after) {
    this.before = before;
    this.after = after;
    this.seconds = after.seconds - before.seconds;
  }

  /** How much a counter has grown. */
  growth(name, labels) {
    return Math.max(0, this.after.sum(name, labels) - this.before.sum(name, labels));
  }

  rate(name, labels) {
    return this.growth(name, labels) / this.seconds;
  }

  /** The mean of a histogram's values; NaN if there were none. */
  mean(name, labels) {
    return this.growth(`${name}_sum`, labels) / this.growth(`${name}_count`, labels);
  }

  /** A quantile of a histogram's values, as Prometheus estimates it; NaN if there were none. */
  quantile(share, name, labels) {
    const bounds = [...new Set(this.after.of(`${name}_bucket`, labels).map((sample) => sample.labels.le))];
    const buckets = bounds.map((le) => ({ bound: le === "+Inf" ? Infinity : Number(le), count: this.growth(`${name}_bucket`, { ...labels, le }) }));
    buckets.sort((a, b) => a.bound - b.bound);
    const wanted = share * (buckets.at(-1)?.count ?? 0);
    if (!(wanted > 0)) return Number.NaN;
    const at = buckets.findIndex(({ count }) => count >= wanted);
    const below = at > 0 ? buckets[at - 1] : { bound: 0, count: 0 };
    if (buckets[at].bound === Infinity) return below.bound;
    return below.bound + ((buckets[at].bound - below.bound) * (wanted - below.count)) / (buckets[at].count - below.count);
  }
}
