# SPDX-License-Identifier: MIT
"""The program ``kuiper-batch``: a model over folders of Parquet files or images, on one machine or many."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tqdm import tqdm

from .. import KuiperError, Model
from .._operators import import_modules
from .inputs import find_inputs
from .pictures import PictureOptions
from .reading import IMAGE_SCHEMA, first_schema
from .shards import hold_tables, make_shards
from .storage import Storage
from .worker import Job


def _pair(text: str) -> tuple[str, str]:
    left, sign, right = text.partition("=")
    if not (left and sign and right):
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=NAME")
    return left, right


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected a whole number of at least 1")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kuiper-batch",
        description="Runs a model on every row of Parquet files, or on every image of a folder, by Ray. Each input "
        "file becomes one output file; those that exist are skipped, so a job that was killed goes on where it was.",
    )
    add = parser.add_argument
    add("--input", required=True, help="a folder, a file or a pattern (*, **): Parquet files, or PNG and JPEG images")
    add("--output", required=True, help="the folder of the results, which belongs to this job alone")
    add("--param", required=True, help="the model's .pnnx.param file")
    add("--bin", help="the model's .pnnx.bin file; by default beside the other")
    add("--import", action="append", default=[], metavar="MODULE", dest="modules",
        help="a Python module that registers operators of the model; workers import it, too")  # fmt: skip
    add("--map", action="append", type=_pair, default=[], metavar="COLUMN=INPUT", dest="columns",
        help="a column and the model's input that it becomes; for images the column is 'image'")  # fmt: skip
    add("--name", action="append", type=_pair, default=[], metavar="OUTPUT=COLUMN", dest="outputs",
        help="the column of one of the model's outputs; by default the output's name")  # fmt: skip
    add("--keep", action="append", metavar="COLUMN", help="a column that goes along (all that are not mapped)")
    add("--rows-per-call", type=_positive, default=4, help="rows that are run together (%(default)s)")
    add("--no-batch-axis", action="store_true", help="the inputs' first axis is no batch: a row is a whole input")
    add("--any-shape", action="store_true", help="outputs may have another shape in each row")
    add("--group", type=_positive, default=256, help="images that become one output file (%(default)s)")
    images = parser.add_argument_group("images, as of `kuiper run`")
    images.add_argument("--image-fit", choices=["stretch", "crop", "letterbox"], default="stretch")
    images.add_argument("--image-size", type=_positive, nargs=2, metavar=("HEIGHT", "WIDTH"))
    images.add_argument("--color", choices=["rgb", "bgr", "gray"], default="rgb")
    images.add_argument("--divisor", type=float, default=255.0)
    images.add_argument("--mean", type=float, nargs="+", default=[0.0])
    images.add_argument("--std", type=float, nargs="+", default=[1.0])
    cluster = parser.add_argument_group("the cluster")
    cluster.add_argument("--address", help="of a Ray cluster; by default RAY_ADDRESS, one that runs here, or a new one")
    cluster.add_argument("--cpus", type=_positive, default=1, help="CPUs, and so threads, of a worker (%(default)s)")
    cluster.add_argument("--workers", type=_positive, help="by default as many as the cluster has CPUs for")
    cluster.add_argument("--retries", type=int, default=10, help="of a shard whose worker died (%(default)s)")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program. Returns 0 if every shard has its output, 1 if some have not, 2 for a wrong argument."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (KuiperError, ValueError, OSError) as error:
        print(f"kuiper-batch: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    param, weights = Storage(options.param), Storage(options.bin or options.param.removesuffix(".param") + ".bin")
    files = (param.read(), weights.read())
    import_modules(options.modules)
    model = Model(*files)
    output = Storage(options.output)
    source, names = find_inputs(options.input, output)
    tables = hold_tables(names)
    size = options.image_size
    job = Job(
        input=source,
        output=output,
        columns=dict(options.columns) or _default_columns(model, tables),
        outputs=dict(options.outputs),
        keep=options.keep,
        rows_per_call=options.rows_per_call,
        batch_axis=not options.no_batch_axis,
        any_shape=options.any_shape,
        pictures=PictureOptions(
            options.image_fit,
            options.color,
            (size[0], size[1]) if size else None,
            options.divisor,
            tuple(options.mean),
            tuple(options.std),
        ),
        modules=tuple(options.modules),
    )
    rows = job.table_model(model)
    schema = first_schema(names, source) if tables else IMAGE_SCHEMA
    if schema is not None:
        rows.schema(schema)  # wrong names are found before anything starts
    del rows, model
    return _run_job(job, names, files, options)


def _default_columns(model: Model, tables: bool) -> dict[str, str]:
    if tables:
        return {info.name: info.name for info in model.inputs}
    return {"image": model.inputs[0].name}


def _run_job(job: Job, names: list[str], files: tuple[bytes, bytes], options: argparse.Namespace) -> int:
    from .job import check_settings, connect, open_shards, run_shards  # Ray is slow to import; arguments are fine now

    check_settings(job, options.input, files)
    shards = make_shards(names, job.output, options.group)
    todo = open_shards(shards, job.output)
    missing = {shard.output for shard in todo}
    rows = failed = 0
    if todo:
        connect(options.address)
        with tqdm(total=len(shards), initial=len(shards) - len(todo), unit="shard") as bar:
            limits = {"cpus": options.cpus, "workers": options.workers, "retries": options.retries}
            for done in run_shards(todo, job, files, **limits):
                rows, failed = rows + done.rows, failed + done.failed
                if done.error:
                    bar.write(f"{done.shard}: {done.error}", file=sys.stderr)
                else:
                    missing.discard(done.shard)
                bar.set_postfix(rows=rows, failed=failed)
                bar.update()
    missing -= {name for name in missing if job.output.exists(name)}  # another job has made these
    print(f"{len(shards) - len(missing)} of {len(shards)} shards done; now {rows} rows, of which {failed} failed")
    for name in sorted(missing):
        print(f"kuiper-batch: no output for '{name}'; run the job again to try once more", file=sys.stderr)
    job.output.delete_temporary()
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
