# SPDX-License-Identifier: MIT
"""Draws the record of record_metrics.py as an SVG picture: requests, batches and queue, latency by phase.

Needs nothing but Python: the same data give the same file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

WIDTH, HEIGHT, LEFT, GAP = 820, 180, 64, 44
RIGHT = WIDTH - 20
INK, QUIET, LINE = "#1f2933", "#5f6b76", "#d9dee4"
COLORS = {
    "requests a second": "#2b6cb0",
    "in a batch": "#2a8c82",
    "in the queue": "#e8590c",
    "decode": "#7a828a",
    "queue": "#e8590c",
    "run": "#2b6cb0",
    "encode": "#b08a1c",
}


def nice_end(most: float) -> float:
    """Returns the number rounded up to a round number."""
    power = 1.0
    while power * 10 <= most:
        power *= 10
    return next((factor * power for factor in (1, 1.6, 2, 3, 4, 6, 8, 10) if factor * power >= most), 10 * power)


class Panel:
    """One diagram of the picture, its upper border at `top`."""

    def __init__(self, top: float, title: str, most: float, seconds: float) -> None:
        self.top, self.seconds, self.end = top, seconds, nice_end(most)
        self.parts = [text(LEFT, top - 10, title, "start", INK, 13)]
        for part in range(5):
            value = self.end * part / 4
            self.parts.append(line(LEFT, self.y(value), RIGHT, self.y(value), LINE))
            self.parts.append(text(LEFT - 8, self.y(value) + 4, f"{value:g}", "end"))

    def x(self, second: float) -> float:
        return LEFT + (RIGHT - LEFT) * second / self.seconds

    def y(self, value: float) -> float:
        return self.top + HEIGHT * (1 - value / self.end)

    def curve(self, times: Sequence[float], values: Sequence[float], color: str, marker: str) -> None:
        """Draws a line with a mark at each value, "circle" or "square"."""
        points = [(self.x(time), self.y(value)) for time, value in zip(times, values, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.8"/>')
        self.parts += [mark(x, y, color, marker) for x, y in points]

    def band(self, times: Sequence[float], low: Sequence[float], high: Sequence[float], color: str) -> None:
        """Fills the area between two curves."""
        there = [f"{self.x(time):.1f},{self.y(value):.1f}" for time, value in zip(times, high, strict=True)]
        back = [f"{self.x(time):.1f},{self.y(value):.1f}" for time, value in zip(times, low, strict=True)]
        self.parts.append(f'<polygon points="{" ".join(there + back[::-1])}" fill="{color}" fill-opacity="0.8"/>')

    def legend(self, names: dict[str, str]) -> None:
        """Draws marks with names, at the right above the diagram."""
        x = RIGHT
        for name, marker in reversed(names.items()):
            x -= 7 * len(name)
            self.parts.append(text(x, self.top - 10, name, "start"))
            self.parts.append(mark(x - 9, self.top - 14, COLORS[name], marker))
            x -= 34


def text(x: float, y: float, content: str, anchor: str, color: str = QUIET, size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-size="{size}">{content}</text>'


def line(x1: float, y1: float, x2: float, y2: float, color: str, more: str = "") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"{more}/>'


def mark(x: float, y: float, color: str, marker: str) -> str:
    if marker == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'
    return f'<rect x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6" fill="{color}"/>'


def draw(data: dict) -> str:
    """Returns the picture of a record."""
    times, series, seconds = data["times"], data["series"], data["times"][-1]
    tops = [66 + k * (HEIGHT + GAP) for k in range(3)]
    rates = Panel(tops[0], "Requests a second", max(series["requests a second"]), seconds)
    rates.curve(times, series["requests a second"], COLORS["requests a second"], "circle")
    counts = Panel(tops[1], "Requests", max(series["in a batch"] + series["in the queue"]), seconds)
    markers = {"in a batch": "circle", "in the queue": "square"}
    for name, marker in markers.items():
        counts.curve(times, series[name], COLORS[name], marker)
    counts.legend(markers)
    phases = ("decode", "queue", "run", "encode")
    sums = [[0.0] * len(times)]
    for phase in phases:
        sums.append([low + value for low, value in zip(sums[-1], series[phase], strict=True)])
    latency = Panel(tops[2], "Mean latency of a request by phase, ms", max(sums[-1]), seconds)
    for k, phase in enumerate(phases):
        latency.band(times, sums[k], sums[k + 1], COLORS[phase])
    latency.legend(dict.fromkeys(phases, "square"))
    bottom = tops[2] + HEIGHT
    marks = []
    for load in data["loads"]:
        begin, end = rates.x(load["from"]), rates.x(min(load["to"], seconds))
        marks.append(line(begin, 34, begin, bottom, QUIET, ' stroke-dasharray="4 4"'))
        label = f"{load['clients']} client{'s' if load['clients'] > 1 else ''}"
        marks.append(text((begin + end) / 2, 30, label, "middle", INK, 14))
    for second in range(0, int(seconds) + 1, 2):
        marks.append(text(rates.x(second), bottom + 18, str(second), "middle"))
    marks.append(text((LEFT + RIGHT) / 2, bottom + 36, "seconds since the start", "middle"))
    height = bottom + 48
    size = f'width="{WIDTH}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica,Arial,sans-serif">'
    parts = [head, f'<rect width="{WIDTH}" height="{height}" fill="white"/>']
    return "\n".join([*parts, *rates.parts, *counts.parts, *latency.parts, *marks, "</svg>"]) + "\n"


def main() -> None:
    """Reads, then draws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the JSON file of record_metrics.py")
    parser.add_argument("--picture", type=Path, required=True, help="the SVG file to write")
    given = parser.parse_args()
    given.picture.write_text(draw(json.loads(given.data.read_text())))


if __name__ == "__main__":
    main()
