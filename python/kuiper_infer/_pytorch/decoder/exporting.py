# SPDX-License-Identifier: MIT
"""Writes the files of a decoder and compares them with transformers."""

from __future__ import annotations

import pathlib
from typing import Any

import torch

from ..._states import State
from ..exporting import write_files
from ..request import Request
from .module import DecoderModule
from .verifying import compare_steps

EXAMPLE_TOKENS, EXAMPLE_LENGTH = 5, 7
"""The sizes of the example: numbers that no configuration gives, so that PyTorch keeps both free."""


def write_decoder(
    theirs: Any,
    folder: pathlib.Path,
    *,
    max_length: int | None,
    logits: str,
    verify: bool,
    rtol: float,
    stored: dict[Any, dict[str, torch.Tensor]],
) -> pathlib.Path:
    """Writes the files of a model of transformers into the folder and returns their path without .pnnx.param.

    `stored`: what is written in place of weights, by their identity. Raises an ExportError if the results depart.
    """
    module = DecoderModule(theirs, logits).eval()
    longest = checked_length(max_length, module.traits.longest)
    caches = [f"{kind}_{layer}" for layer in range(module.traits.layers) for kind in ("key", "value")]
    inputs = ["tokens", *(f"past_{name}" for name in caches)]
    example = (
        torch.randint(module.traits.vocabulary, (1, EXAMPLE_TOKENS), generator=torch.Generator().manual_seed(1)),
        *module.random_caches(EXAMPLE_LENGTH),
    )
    count = torch.export.Dim("count", min=1, max=longest)
    length = torch.export.Dim("length", min=0, max=longest)
    shapes = {"tokens": {1: count}, "past": tuple({2: length} for _ in caches)}
    request = Request.of(
        module,
        example,
        None,
        shapes,
        None,
        inputs,
        ["logits", *caches],
        (),
        verify,
        rtol,
        states={output: State(name) for output, name in zip(caches, inputs[1:], strict=True)},
        stored=stored,
    )
    written = write_files(request, "torch", folder)
    if verify:
        compare_steps(theirs, written, module.traits, rtol)
    return written


def checked_length(wanted: int | None, longest: int | None) -> int | None:
    """Returns how many positions the caches may have; None: any number.

    Raises ValueError if the model's positions do not go so far, or if it is less than the export's example has.
    """
    if wanted is None:
        return longest
    if wanted < EXAMPLE_LENGTH or (longest is not None and wanted > longest):
        upper = "or more" if longest is None else f"to {longest}, for which the model's positions hold"
        raise ValueError(f"max_length is {wanted}, expected {EXAMPLE_LENGTH} {upper}")
    return wanted
