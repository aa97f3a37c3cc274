# SPDX-License-Identifier: MIT
"""The trial run of a model before it answers: its outputs have to fit their description."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kuiper_infer import ArrayInfo, KuiperError, Model

from .load_errors import NotServable

# Values that are tried for all free extents, because no file tells which extents a network takes.
_EXTENTS = (1, 2, 4, 8, 16, 32, 64, 128, 224, 256)


def run_trial(engine: Model) -> list[np.ndarray] | str:
    """Returns the outputs for inputs of some shape that the model takes, or why there are none."""
    reason = "the shape of an input is not recorded"
    for shapes in _shapes(engine.inputs):
        try:
            if all(info.shape is not None for info in engine.outputs):
                engine.output_info(shapes)  # cheaper than a run if the shapes are refused
            return engine.run([ones(info, shape) for info, shape in zip(engine.inputs, shapes, strict=True)])
        except KuiperError as error:
            reason = str(error)
    return reason


def outputs_as_run(engine: Model) -> tuple[tuple[ArrayInfo, ...], str | None]:
    """Returns the description of the outputs, completed by the results of a run, and the reason if there was no run.

    Raises NotServable if the model's outputs differ from their description.
    """
    infos = engine.outputs
    if len({info.name for info in infos}) != len(infos):
        raise NotServable("several of the model's outputs have the same name")
    made = run_trial(engine)
    if isinstance(made, str):
        for info in infos:
            if info.dtype is None or info.shape is None:
                raise NotServable(f"the type or rank of output '{info.name}' is not known, and no trial of it succeeds")
        return infos, made
    if len(made) != len(infos):
        raise NotServable(f"the model describes {len(infos)} outputs and gives {len(made)}")
    return tuple(_completed(info, array) for info, array in zip(infos, made, strict=True)), None


def _completed(info: ArrayInfo, array: np.ndarray) -> ArrayInfo:
    dtype = info.dtype or array.dtype.name
    shape = (-1,) * array.ndim if info.shape is None else info.shape
    if dtype != array.dtype.name or len(shape) != array.ndim:
        raise NotServable(
            f"output '{info.name}' is described as {dtype} with {len(shape)} axes, "
            f"the model gives {array.dtype.name} with {array.ndim}"
        )
    return ArrayInfo(info.name, dtype, shape)


def _shapes(infos: Sequence[ArrayInfo]) -> Iterator[list[tuple[int, ...]]]:
    recorded = [info.shape for info in infos if info.shape is not None]
    if len(recorded) != len(infos):
        return
    free = any(extent < 0 for shape in recorded for extent in shape)
    for free_extent in _EXTENTS if free else _EXTENTS[:1]:
        yield [tuple(free_extent if extent < 0 else extent for extent in shape) for shape in recorded]


def ones(info: ArrayInfo, shape: tuple[int, ...]) -> np.ndarray:
    """An input for a trial: ones are valid indices, masks and divisors nearly everywhere."""
    return np.ones(shape, info.dtype)
