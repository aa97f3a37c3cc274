# SPDX-License-Identifier: MIT
"""Models in Ray Data: a class for ``map_batches``; each of its actors loads the model once.

    dataset = ray.data.read_parquet("s3://bucket/in")
    dataset = kuiper_infer.ray.predict(dataset, "m.pnnx.param", columns={"pixels": "pnnx_input_0"})
    dataset.write_parquet("s3://bucket/out")

For a job that writes one output file for each input file and can be killed and begun again, see ``kuiper-batch``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import ray
from ray.data import ActorPoolStrategy, Dataset

from . import ArrayInfo, Model
from .batch.naming import columns_of_inputs, columns_of_outputs
from .batch.rows import RowModel

Columns = dict[str, np.ndarray]


class Predictor:
    """A callable class for `ray.data.Dataset.map_batches` with batches of NumPy arrays: adds the outputs' columns.

    Args:
        param, bin: the model, as of `Model`. Paths are opened in the actors.
        columns: for each column that is read, the name of the input that it becomes. An input's first axis is the
            batch; a row of the column holds the axes after it.
        outputs: for each output, the name of its column; by default the output's own name.
        keep: columns of the input that the result keeps; by default all.
        errors: "raise" ends the job at a row that the model refuses. "column" adds the column `error`: it is empty for
            a row that succeeded, and otherwise holds the reason. The outputs of a refused row are NaN, or 0 if they
            are whole numbers.
        rows_per_call: the most rows that run together. If the model mixes the rows of a batch, each row runs by itself.
        options: further arguments of `Model`. By default it has as many threads as the actor has CPUs, because Ray sets
            OMP_NUM_THREADS.

    Raises ValueError if columns and outputs do not fit the model.
    """

    def __init__(
        self,
        param: str | os.PathLike[str] | bytes,
        bin: str | os.PathLike[str] | bytes | None = None,
        *,
        columns: Mapping[str, str],
        outputs: Mapping[str, str] | None = None,
        keep: Sequence[str] | None = None,
        errors: str = "raise",
        rows_per_call: int = 4,
        **options: Any,
    ) -> None:
        if errors not in ("raise", "column"):
            raise ValueError(f"errors is '{errors}', expected 'raise' or 'column'")
        self._rows = RowModel(Model(param, bin, **options), rows_per_call)
        self._column_of = columns_of_inputs(columns, self._rows.model.inputs)
        self._names = columns_of_outputs(outputs, self._rows.outputs)
        self._keep = keep
        self._errors = errors
        self._shapes = self._rows.recorded_row_shapes()

    def __call__(self, batch: Columns) -> Columns:
        """Runs the model on a batch of rows."""
        results = self._rows.run(self._row(batch, index) for index in range(len(next(iter(batch.values())))))
        if self._errors == "raise":
            for index, reason in enumerate(results.reasons):
                if reason is not None:
                    raise ValueError(f"row {index} of a batch: {reason}")
        done = dict(batch) if self._keep is None else {name: batch[name] for name in self._keep}
        for info, name, shape, rows in zip(self._rows.outputs, self._names, self._shapes, results.outputs, strict=True):
            done[name] = _stack(rows, info, shape)
        if self._errors == "column":
            done["error"] = np.array([reason or "" for reason in results.reasons], object)
        return done

    def _row(self, batch: Columns, index: int) -> list[np.ndarray] | str:
        arrays = []
        for info in self._rows.model.inputs:
            column = self._column_of[info.name]
            try:
                arrays.append(self._rows.fit(np.asarray(batch[column][index]), info))
            except ValueError as error:
                return f"column '{column}': {error}"
        return arrays


def predict(
    dataset: Dataset,
    param: str | os.PathLike[str] | bytes,
    bin: str | os.PathLike[str] | bytes | None = None,
    *,
    actors: int | tuple[int, int] | None = None,
    cpus: int = 1,
    batch_size: int = 64,
    **arguments: Any,
) -> Dataset:
    """The dataset with the outputs of a model, run by actors of `cpus` CPUs each.

    `actors`: the number of actors, or the least and the most; by default from 1 to the number that the cluster has CPUs
    for. Further arguments are `Predictor`'s.
    """
    if actors is None:
        actors = (1, max(1, int(ray.cluster_resources().get("CPU", 1)) // cpus))
    pool = (
        ActorPoolStrategy(size=actors)
        if isinstance(actors, int)
        else ActorPoolStrategy(min_size=actors[0], max_size=actors[1])
    )
    return dataset.map_batches(
        Predictor,
        fn_constructor_args=(param, bin),
        fn_constructor_kwargs=arguments,
        batch_size=batch_size,
        compute=pool,
        num_cpus=cpus,
    )


def _stack(rows: Sequence[np.ndarray | None], info: ArrayInfo, shape: tuple[int, ...] | None) -> np.ndarray:
    """Returns the rows of an output as one array, or as an array of arrays if their shapes differ."""
    found = {row.shape for row in rows if row is not None}
    if len(found) > 1 or (shape is None and not found):
        ragged = np.empty(len(rows), object)
        ragged[:] = [np.empty(0, info.dtype) if row is None else row for row in rows]
        return ragged
    dtype = np.dtype(info.dtype)
    blank = np.full(found.pop() if found else shape or (), np.nan if dtype.kind == "f" else 0, dtype)
    return np.stack([blank if row is None else row for row in rows])
