# SPDX-License-Identifier: MIT
"""Compares an exported decoder with transformers, step by step."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from ..._errors import ErrorCode
from ..._model import Model
from ..difference import difference
from ..export_errors import ExportError
from .traits import Traits

PROMPT, STEPS = 6, 8


def compare_steps(theirs: Any, written: pathlib.Path, traits: Traits, rtol: float) -> None:
    """Runs a prompt and then single tokens, each the most probable one, and compares the logits of every step.

    The reference computes all tokens at once and without a cache. Raises an ExportError that names the first step that
    departs.
    """
    generator = torch.Generator().manual_seed(2)
    prompt = torch.randint(traits.vocabulary, (1, PROMPT), generator=generator).numpy()
    tokens, logits = generate(Model(f"{written}.pnnx.param"), prompt, STEPS)
    with torch.inference_mode():
        expected = theirs(input_ids=torch.from_numpy(tokens), use_cache=False).logits[0].numpy()
    check_logits(logits, expected, rtol)


def check_logits(logits: list[np.ndarray], expected: np.ndarray, rtol: float) -> None:
    """Compares the logits behind a prompt and each token behind it with the last ones that are expected.

    Raises an ExportError that names the first step that departs by more than `rtol` standard deviations.
    """
    for step, made in enumerate(logits):
        found = difference(made, expected[step - len(logits)])
        if found.departs(rtol):
            what = "the prompt" if step == 0 else f"token {step} behind the prompt"
            raise ExportError(
                f"the exported decoder departs from transformers' logits after {what}: {found}",
                ErrorCode.GRAPH,
            )


def generate(
    model: Model, prompt: np.ndarray, steps: int, others: Mapping[str, np.ndarray] | None = None
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Returns the prompt with the most probable tokens behind it, and the logits behind the prompt and each token.

    `prompt`: int64 (1, n); `others`: what each run reads besides tokens. The last token's logits are there, too, so
    there are `steps` + 1 of them.
    """
    session = model.session()
    tokens, given = prompt, prompt
    logits: list[np.ndarray] = []
    for step in range(steps + 1):
        (made,) = session.run({"tokens": given, **(others or {})})
        logits.append(made[0, -1])
        if step < steps:
            given = made[:, -1:].argmax(-1)
            tokens = np.concatenate([tokens, given], 1)
    return tokens, logits
