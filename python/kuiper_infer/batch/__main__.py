# SPDX-License-Identifier: MIT
"""The program ``kuiper-batch``: a model over folders of Parquet files or images, on one machine or many."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tqdm import tqdm

from .. import KuiperError, Model
from .._operators import import_modules
from .arguments import make_parser
from .inputs import find_inputs
from .pictures import PictureOptions
from .reading import IMAGE_SCHEMA, first_schema
from .shards import hold_tables, make_shards
from .storage import Storage
from .worker import Job


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program. Returns 0 if every shard has its output, 1 if some have not, 2 for a wrong argument."""
    options = make_parser().parse_args(arguments)
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
