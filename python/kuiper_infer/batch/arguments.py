# SPDX-License-Identifier: MIT
"""The arguments of ``kuiper-batch``."""

from __future__ import annotations

import argparse


def _pair(text: str) -> tuple[str, str]:
    left, sign, right = text.partition("=")
    if not (left and sign and right):
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=NAME")
    return left, right


def _positive(text: str) -> int:
    return _whole(text, 1)


def _whole(text: str, least: int = 0) -> int:
    number = int(text) if text.isdecimal() and len(text) < 10 else -1
    if number < least:
        raise argparse.ArgumentTypeError(f"'{text}': expected a whole number from {least} to 999999999")
    return number


def _place(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected a path or an address, found none")
    return text


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kuiper-batch",
        description="Runs a model on every row of Parquet files, or on every image of a folder, by Ray. Each input "
        "file becomes one output file. Files that exist are skipped, so a killed job continues where it was.",
    )
    add = parser.add_argument
    add(
        "--input",
        type=_place,
        required=True,
        help="a folder, a file or a pattern (*, **): Parquet files, or PNG and JPEG images",
    )
    add("--output", type=_place, required=True, help="the folder of the results, used by this job alone")
    add("--param", required=True, help="the model's .pnnx.param file")
    add("--bin", help="the model's .pnnx.bin file; by default the one beside --param")
    add("--import", action="append", default=[], metavar="MODULE", dest="modules",
        help="a Python module that registers operators of the model; workers import it as well")  # fmt: skip
    add("--map", action="append", type=_pair, default=[], metavar="COLUMN=INPUT", dest="columns",
        help="the column to read for an input of the model; for images the column is 'image'")  # fmt: skip
    add("--name", action="append", type=_pair, default=[], metavar="OUTPUT=COLUMN", dest="outputs",
        help="the column to write for an output of the model; by default it has the output's name")  # fmt: skip
    add("--keep", action="append", metavar="COLUMN", help="a column to copy to the results (default: all but inputs)")
    add("--rows-per-call", type=_positive, default=4, help="rows that are run together (default: %(default)s)")
    add("--no-batch-axis", action="store_true", help="the inputs have no batch axis: a row is a whole input")
    add("--any-shape", action="store_true", help="outputs may have another shape in each row")
    add("--group", type=_positive, default=256, help="images that become one output file (default: %(default)s)")
    images = parser.add_argument_group("images", "The options of `kuiper run` of the same names")
    images.add_argument("--image-fit", choices=["stretch", "crop", "letterbox"], default="stretch")
    images.add_argument("--image-size", type=_positive, nargs=2, metavar=("HEIGHT", "WIDTH"))
    images.add_argument("--color", choices=["rgb", "bgr", "gray"], default="rgb")
    images.add_argument("--divisor", type=float, default=255.0)
    images.add_argument("--mean", type=float, nargs="+", default=[0.0])
    images.add_argument("--std", type=float, nargs="+", default=[1.0])
    cluster = parser.add_argument_group("the cluster")
    cluster.add_argument("--address", help="a Ray cluster; by default RAY_ADDRESS, one that runs here, or a new one")
    cluster.add_argument(
        "--cpus", type=_positive, default=1, help="CPUs (and threads) per worker (default: %(default)s)"
    )
    cluster.add_argument("--workers", type=_positive, help="workers; by default as many as the cluster has CPUs for")
    cluster.add_argument(
        "--retries", type=_whole, default=10, help="retries of a shard whose worker died (default: %(default)s)"
    )
    return parser
