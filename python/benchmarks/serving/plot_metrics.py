# SPDX-License-Identifier: MIT
"""Reads a running service's /metrics for some seconds and draws them: requests, queue, latency by phase.

Neds matplotlib.
"""

from __future__ import annotations

import argparse
import time
import urllib.request
from collections import defaultdict

import matplotlib.pyplot as plt
from prometheus_client.parser import text_string_to_metric_families

PHASES = ("decode", "queue", "run", "encode")


def read(url: str, model: str) -> dict[str, float]:
    """The samples of a model, summed over its versions; those of phases have the phase in their names."""
    with urllib.request.urlopen(f"{url}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    found: dict[str, float] = defaultdict(float)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.labels.get("model") == model and "le" not in sample.labels:
                found[sample.name + sample.labels.get("phase", "")] += sample.value
    return found


def main() -> None:
    """Reads, then draws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--model", required=True)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--every", type=float, default=0.5)
    parser.add_argument("--picture", required=True)
    given = parser.parse_args()
    times: list[float] = []
    series: dict[str, list[float]] = defaultdict(list)
    begun = last_time = time.monotonic()
    last = read(given.url, given.model)
    while (now := time.monotonic()) - begun < given.seconds:
        time.sleep(max(0.0, last_time + given.every - now))
        now, values = time.monotonic(), read(given.url, given.model)
        new = {name: value - last.get(name, 0) for name, value in values.items()}
        times.append(now - begun)
        series["rate"].append(new["kuiper_infer_requests_total"] / (now - last_time))
        batches = new["kuiper_infer_batch_requests_count"]
        series["size"].append(new["kuiper_infer_batch_requests_sum"] / batches if batches else 0)
        series["waiting"].append(values["kuiper_infer_queue_length"])
        for phase in PHASES:
            count = new[f"kuiper_infer_phase_seconds_count{phase}"]
            series[phase].append(new[f"kuiper_infer_phase_seconds_sum{phase}"] / count * 1000 if count else 0)
        last, last_time = values, now
    figure, (rates, queue, phases) = plt.subplots(3, 1, sharex=True, figsize=(8, 7), layout="constrained")
    rates.plot(times, series["rate"])
    rates.set_ylabel("requests a second")
    queue.plot(times, series["waiting"], label="requests in the queue")
    queue.plot(times, series["size"], label="requests in a batch, mean")
    queue.legend()
    phases.stackplot(times, *(series[phase] for phase in PHASES), labels=PHASES)
    phases.set_ylabel("mean latency, ms")
    phases.set_xlabel("seconds")
    phases.legend(loc="upper left")
    figure.savefig(given.picture, dpi=80)


if __name__ == "__main__":
    main()
