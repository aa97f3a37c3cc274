# SPDX-License-Identifier: MIT
"""The parts that the trainings of the shape detector and of the shape segmenter share."""

import argparse
import math
import pathlib
import shutil
import tempfile
import time

import numpy as np
import pnnx
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from scenes import FRAME_GREY, draw_scene, framed_scene


def fit(model, arguments, rng, loss_of_batch, decay, largest_gradient):
    """Trains on the batches that loss_of_batch(rng) draws and saves the running average of the weights."""
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(decay), use_buffers=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=arguments.rate, weight_decay=0.02)
    started, running = time.monotonic(), None
    for step in range(1, 1_000_000):
        # Whichever is used up first, steps or time, ends the schedule: a busy machine must still reach its low rates.
        minutes = (time.monotonic() - started) / 60
        progress = max(step / arguments.steps, minutes / arguments.minutes)
        if progress >= 1:
            break
        warm = min(1.0, step / 100)
        optimizer.param_groups[0]["lr"] = arguments.rate * warm * max(0.01, 0.5 + 0.5 * math.cos(math.pi * progress))
        loss = loss_of_batch(rng)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), largest_gradient)
        optimizer.step()
        average.update_parameters(model)
        running = loss.item() if running is None else running + 0.03 * (loss.item() - running)
        if step % 50 == 0:
            print(f"{minutes:5.1f} min, step {step}, loss {running:.4f}", flush=True)
    torch.save({name: value.contiguous() for name, value in average.module.state_dict().items()}, arguments.checkpoint)


def load(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return model.eval()


def tensor_of(picture, multiple):
    """Returns the network's input for a picture of any size. Grey fills its sides up to a multiple of the stride."""
    height, width = picture.shape[:2]
    frame = np.full((-(-height // multiple) * multiple, -(-width // multiple) * multiple, 3), FRAME_GREY, np.uint8)
    frame[:height, :width] = picture
    return torch.from_numpy(frame).permute(2, 0, 1)[None].float() / 255


def framed_scenes(first_seed, count):
    """Returns scenes of 256 x 256 with consecutive seeds from that number on."""
    return [framed_scene(np.random.default_rng([first_seed, index]), 256) for index in range(count)]


def held_out_scenes(first_seed):
    """Returns (name, list of scenes) for each set that a model is measured on."""
    yield "framed 256 x 256, 300 scenes", framed_scenes(first_seed, 300)
    yield "640 x 480, 100 scenes", [draw_scene(np.random.default_rng([first_seed, index]), 640, 480, 12)
                                    for index in range(100)]


def export(model, name, labels, folder, tolerance):
    """Exports for any size: pnnx reads two sizes and writes '?' where they differ. Checks a third one."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        trace = str(pathlib.Path(scratch) / f"{name}.pt")
        exported = pnnx.export(model, trace, torch.rand(1, 3, 256, 320), torch.rand(1, 3, 384, 448), fp16=False)
        other = torch.rand(1, 3, 480, 640)
        torch.testing.assert_close(exported(other), model(other), rtol=1e-3, atol=tolerance)
        for suffix in ("param", "bin"):
            shutil.copyfile(f"{trace[:-3]}.pnnx.{suffix}", folder / f"{name}.pnnx.{suffix}")
    (folder / f"{name}.labels.txt").write_text("".join(f"{label}\n" for label in labels), encoding="ascii")


def command_line(description, batch, figures, print_command, print_help):
    """Returns the parser of a program, and the parser of its command that prints a picture's result, for more options."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="train from scratch, then measure")
    training.add_argument("--minutes", type=float, default=10, help="time limit (default: 10)")
    training.add_argument("--steps", type=int, default=2000, help="batches to draw and learn (default: 2000)")
    training.add_argument("--batch", type=int, default=batch, help=f"scenes in a batch (default: {batch})")
    training.add_argument("--size", type=int, default=256, help="side of a scene (default: 256)")
    training.add_argument("--rate", type=float, default=3e-3, help="highest learning rate (default: 0.003)")
    training.add_argument("--seed", type=int, default=1, help="seed of weights and scenes (default: 1)")
    training.add_argument("--bfloat16", action="store_true", help="compute in bfloat16 where the processor has it")
    measuring = commands.add_parser("measure", help=f"{figures} on held-out scenes")
    exporting = commands.add_parser("export", help="write the files of the model")
    exporting.add_argument("--out", type=pathlib.Path, required=True, help="folder of the files")
    printing = commands.add_parser(print_command, help=print_help)
    printing.add_argument("picture", help="PNG, JPEG, ...")
    for command in (training, measuring, exporting, printing):
        command.add_argument("--checkpoint", required=True, help="the weights' file")
        command.add_argument("--threads", type=int, default=1, help="threads of PyTorch (default: 1)")
    return parser, printing


def run(parser, actions):
    """Calls the action of the command given."""
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    actions[arguments.command](arguments)
