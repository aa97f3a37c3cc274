# SPDX-License-Identifier: MIT
"""Exports a random program by torch.export, runs it in this process, and compares the results with PyTorch's."""

import pathlib
import warnings

import torch

import kuiper_infer

from .exam import describe, difference, program_in


def judge(program, folder):
    """Returns (outcome, explanation)."""
    inputs = tuple(tensor.clone() for tensor in program.inputs)
    try:
        # The check of `export` has tolerances of its own: here those of the program count.
        model = kuiper_infer.export(program.make_model(), inputs, pathlib.Path(folder) / "model", via="torch", check=False)
        results = [torch.from_numpy(result) for result in model.run(list(program.inputs))]
    except kuiper_infer.ExportError as error:
        theirs = "torch.export cannot take" in str(error) and "not supported" not in str(error)
        return ("not converted" if theirs else "refused"), str(error)[:400]
    except kuiper_infer.KuiperError as error:
        return "refused", str(error)[:400]
    except Exception as error:  # of any kind: none of them is to leave the exporter
        return "crashed", repr(error)[:400]
    words = difference(results, program.expected, program.tolerance)
    return ("wrong" if words else "equal"), words


def examine(seed, keep=None):
    """Returns (seed, outcome, explanation, the program's source). The files stay in the folder `keep` if it is given."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    with program_in(seed, keep) as (program, folder):
        outcome, words = judge(program, folder)
    return seed, outcome, words, describe(program)
