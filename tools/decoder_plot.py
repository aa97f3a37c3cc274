# SPDX-License-Identifier: MIT
"""Draws rates of token generation over the length of context, as SVG, from what compare_decoders.py has measured."""
import json
import math

COLOURS = ("#0b6e4f", "#2a9d8f", "#8ab17d", "#e76f51", "#f4a261", "#9b5de5", "#577590", "#6d6875")
WIDTH, HEIGHT, LEFT, TOP, GAP = 420, 260, 56, 36, 64


def panel(found, lengths, x0, title, top_rate):
    """One number of threads: a line for each model."""
    low, high = math.log(lengths[0]), math.log(lengths[-1])

    def place(length, rate):
        x = x0 + LEFT + (math.log(length) - low) / max(high - low, 1e-9) * (WIDTH - LEFT - 12)
        return x, TOP + HEIGHT * (1 - rate / top_rate)

    parts = [f'<text x="{x0 + LEFT}" y="{TOP - 14}" font-weight="bold">{title}</text>']
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = TOP + HEIGHT * (1 - share)
        parts.append(f'<line x1="{x0 + LEFT}" x2="{x0 + WIDTH - 12}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{x0 + LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{top_rate * share:.0f}</text>')
    for length in lengths:
        x, _ = place(length, 0)
        parts.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{length:,}</text>')
    for (_, rates), colour in zip(found.items(), COLOURS, strict=False):
        points = [place(length, rates["decode"][str(length)]) for length in lengths]
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
    return parts


def draw(plots, lengths):
    """`plots`: by number of threads, the rates by (name, engine)."""
    top_rate = max(rate for found in plots.values() for rates in found.values() for rate in rates["decode"].values()) * 1.05
    names = list(next(iter(plots.values())))
    width = len(plots) * (WIDTH + GAP)
    height = TOP + HEIGHT + 40 + 18 * len(names)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for i, (threads, found) in enumerate(plots.items()):
        parts += panel(found, lengths, i * (WIDTH + GAP), f"tokens/s over the length, {threads} thread{'s' if threads > 1 else ''}", top_rate)
    for i, ((name, engine), colour) in enumerate(zip(names, COLOURS, strict=False)):
        y = TOP + HEIGHT + 44 + 18 * i
        parts.append(f'<rect x="{LEFT}" y="{y - 9}" width="18" height="4" fill="{colour}"/>')
        parts.append(f'<text x="{LEFT + 26}" y="{y}">{"KuiperInfer" if engine == "kuiper" else engine}, {name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def text_of(plots, lengths):
    """The measurements as JSON."""
    threads = {str(count): [[name, engine, rates] for (name, engine), rates in found.items()] for count, found in plots.items()}
    return json.dumps({"lengths": lengths, "threads": threads}, indent=1) + "\n"


def picture_of(text):
    """The picture of measurements that text_of wrote."""
    measured = json.loads(text)
    plots = {int(count): {(name, engine): rates for name, engine, rates in rows} for count, rows in measured["threads"].items()}
    return draw(plots, measured["lengths"])
