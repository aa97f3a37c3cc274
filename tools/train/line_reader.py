#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains and measures the printed-line reader: convolutions, a bidirectional LSTM and greedy CTC.

    line_reader.py train   --checkpoint reader.pt --minutes 60
    line_reader.py measure --checkpoint reader.pt --lines 3000
    line_reader.py read    --checkpoint reader.pt PICTURE ...

export_line_reader.py in this folder exports the trained network.
"""

import argparse
import math
import os
import random
import time

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from fonts import find_fonts
from line_model import LineReader, decode, edit_distance, encode, load
from render_lines import random_line, to_input, to_line_height
from sample_text import random_text


class RenderedBatches(IterableDataset):
    """An endless stream of (lines (N, 1, 32, W) in -1..1, targets, target lengths), drawn as it is read."""

    def __init__(self, batch_size, seed, batches_at_once=16):
        super().__init__()
        self.batch_size, self.seed, self.batches_at_once = batch_size, seed, batches_at_once

    def __iter__(self):
        worker = get_worker_info()
        rng = random.Random(f"{self.seed}/{worker.id if worker else 0}")
        fonts = find_fonts(False)
        while True:
            texts = [random_text(rng) for _ in range(self.batch_size * self.batches_at_once)]
            drawn = [(random_line(fonts, text, rng), text) for text in texts]
            drawn.sort(key=lambda item: item[0].shape[1])  # lines of similar width share a batch, so that there is little padding
            starts = list(range(0, len(drawn), self.batch_size))
            rng.shuffle(starts)
            for start in starts:
                yield self.collate(drawn[start:start + self.batch_size])

    @staticmethod
    def collate(batch):
        """Pads on the right with the last column, which looks like a wider margin."""
        widest = max(pixels.shape[1] for pixels, _ in batch)
        lines = [to_input(np.pad(pixels, ((0, 0), (0, widest - pixels.shape[1])), "edge")) for pixels, _ in batch]
        targets = [encode(text) for _, text in batch]
        return (torch.from_numpy(np.concatenate(lines)), torch.tensor(sum(targets, [])),
                torch.tensor([len(target) for target in targets]))


def draw_lines(held_out, count, seed):
    """Yields (text, pixels) of random lines in fonts of the held-out or of the training families."""
    rng = random.Random(seed)
    fonts = find_fonts(held_out)
    for _ in range(count):
        text = random_text(rng)
        yield text, random_line(fonts, text, rng)


def measure(model, lines):
    """Returns the character accuracy (1 - edit distance / length) of lines that are read one by one as a program would read
    them, the share of lines without error, and the number of characters. The model is a function of a tensor."""
    errors = characters = exact = count = 0
    with torch.inference_mode():
        for text, pixels in lines:
            read = decode(model(torch.from_numpy(to_input(pixels)))[0])
            errors += edit_distance(read, text)
            characters += len(text)
            exact += read == text
            count += 1
    return 1 - errors / characters, exact / count, characters


def train(arguments):
    """Trains by CTC with AdamW, a short warm-up and a cosine schedule, and saves the averaged weights."""
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    model = LineReader().to(memory_format=torch.channels_last).train()
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(arguments.average), use_buffers=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.rate, weight_decay=0.01)
    batches = DataLoader(RenderedBatches(arguments.batch, arguments.seed), batch_size=None,
                         num_workers=arguments.workers, prefetch_factor=8)
    started, seen, running, reported = time.monotonic(), 0, 0.0, time.monotonic()
    for step, (lines, targets, lengths) in enumerate(batches, 1):
        minutes = (time.monotonic() - started) / 60
        # Whichever is used up first, lines or time, ends the schedule: a busy machine must still reach its low rates.
        progress = max(seen / arguments.lines, minutes / arguments.minutes)
        if progress >= 1:
            break
        warm = min(1.0, step / 300)
        optimizer.param_groups[0]["lr"] = arguments.rate * warm * max(0.01, 0.5 + 0.5 * math.cos(math.pi * progress))
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=arguments.bfloat16):
            log_probabilities = model(lines.to(memory_format=torch.channels_last))
        steps = log_probabilities.float().permute(1, 0, 2)
        loss = F.ctc_loss(steps, targets, torch.full_like(lengths, steps.shape[0]), lengths, zero_infinity=True)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        average.update_parameters(model)
        seen += len(lines)
        running += 0.01 * (loss.item() - running) if step > 1 else loss.item()
        if time.monotonic() - reported > arguments.report:
            reported = time.monotonic()
            save(average.module, arguments.checkpoint)
            characters, exact, _ = measure(load(arguments.checkpoint), draw_lines(False, 100, 7))
            print(f"{minutes:5.1f} min, step {step}, {seen} lines, {seen / minutes / 60:.0f} lines/s, "
                  f"loss {running:.4f}, training fonts: characters {characters:.4f}, lines {exact:.3f}", flush=True)
    save(average.module, arguments.checkpoint)


def save(model, path):
    """Writes a new file and renames it, so that a reader never finds half a checkpoint."""
    state = {name: value.contiguous() for name, value in model.state_dict().items()}
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="train from scratch")
    training.add_argument("--minutes", type=float, default=60, help="time limit (default: 60)")
    training.add_argument("--lines", type=int, default=1_000_000, help="lines to draw and learn (default: 1000000)")
    training.add_argument("--batch", type=int, default=32, help="lines a step (default: 32)")
    training.add_argument("--rate", type=float, default=2e-3, help="highest learning rate (default: 0.002)")
    training.add_argument("--average", type=float, default=0.998, help="decay of the weights' average (default: 0.998)")
    training.add_argument("--workers", type=int, default=1, help="drawing processes (default: 1)")
    training.add_argument("--threads", type=int, default=1, help="threads of the network (default: 1)")
    training.add_argument("--report", type=float, default=120, help="seconds between checkpoints (default: 120)")
    training.add_argument("--bfloat16", action="store_true", help="compute in bfloat16, for processors that can")
    measuring = commands.add_parser("measure", help="character accuracy over freshly drawn lines")
    measuring.add_argument("--fonts", choices=("held-out", "training"), default="held-out")
    measuring.add_argument("--lines", type=int, default=3000, help="lines to draw (default: 3000)")
    reading = commands.add_parser("read", help="print the text of pictures")
    reading.add_argument("pictures", nargs="+", metavar="PICTURE")
    for command in (training, measuring, reading):
        command.add_argument("--checkpoint", required=True,
                             help="the weights' file; measure and read also take an exported .pnnx.bin")
        command.add_argument("--seed", type=int, default=1, help="seed of all random choices (default: 1)")
    arguments = parser.parse_args()
    if arguments.command == "train":
        train(arguments)
        return
    torch.set_num_threads(1)  # one line at a time is too little work for more
    if arguments.command == "measure":
        lines = draw_lines(arguments.fonts == "held-out", arguments.lines, f"measure {arguments.seed}")
        characters, exact, count = measure(load(arguments.checkpoint), lines)
        print(f"{arguments.fonts} fonts, {arguments.lines} lines, {count} characters: "
              f"character accuracy {characters:.4f}, lines without error {exact:.4f}")
    else:
        model = load(arguments.checkpoint)
        for path in arguments.pictures:
            with torch.inference_mode(), Image.open(path) as picture:
                print(decode(model(torch.from_numpy(to_input(to_line_height(picture))))[0]))


if __name__ == "__main__":
    main()
