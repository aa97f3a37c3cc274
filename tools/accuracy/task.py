# SPDX-License-Identifier: MIT
"""A task on which number formats are measured."""
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

TOOLS = pathlib.Path(__file__).resolve().parent.parent
ROOT = TOOLS.parent
sys.path.append(str(TOOLS / "train"))  # the sample models' metrics are those of their training

CALIBRATION_SCENES = 4  # first number of the scenes' seeds; the trainings have 0 to 3
Run = Callable[[np.ndarray], np.ndarray]  # a model of one input and one output


class Lacking(Exception):
    """Something that a task needs is missing on this machine."""


@dataclass
class Task:
    title: str
    model: pathlib.Path               # without .pnnx.param and .pnnx.bin
    samples: str                      # what is measured on, and its seed
    calibration_samples: str
    figures: list[str]                # names; the first `judged` ones say how good a model is: more is better
    calibration: list[np.ndarray]     # inputs for `kuiper quantize`
    measure: Callable[[Run, Run], list[float]]  # the figures of a model; the second one computes in float32
    judged: int = 1


def model_files(folder, name, *more):
    """Returns the model's path without endings. Raises Lacking if one of its files is missing."""
    for file in (f"{name}.pnnx.param", f"{name}.pnnx.bin", *more):
        if not (folder / file).is_file():
            raise Lacking(f"{folder / file} is missing (tools/get_model.py fetches models)")
    return folder / name
