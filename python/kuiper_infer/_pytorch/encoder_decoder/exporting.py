# SPDX-License-Identifier: MIT
"""Writes the files of an encoder-decoder and compares them with transformers."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import torch

from ..._model import Model
from ..._states import State
from ..decoder.exporting import EXAMPLE_LENGTH, EXAMPLE_TOKENS, checked_length
from ..decoder.verifying import STEPS, check_logits, generate
from ..exporting import write_files
from ..request import Request
from .modules import DecoderStepModule, EncoderModule

EXAMPLE_SOURCE = 9
"""The tokens of an example of a source: another number than those of the decoder's tokens and of its caches."""


def write_encoder_decoder(
    theirs: Any,
    source: torch.Tensor,
    folders: tuple[pathlib.Path, pathlib.Path],
    *,
    max_length: int | None,
    verify: bool,
    rtol: float,
) -> tuple[pathlib.Path, pathlib.Path]:
    """Writes encoder and decoder into a folder each and returns their paths without .pnnx.param.

    `source`: an example of what the encoder reads. Raises an ExportError if the results depart.
    """
    encoder, config = EncoderModule(theirs).eval(), theirs.config.get_text_config(decoder=True)
    with torch.inference_mode():
        hidden = theirs.get_encoder()(source).last_hidden_state
        cross = [torch.randn(each.shape) for each in encoder.keys_and_values(hidden)]
    decoder = DecoderStepModule(theirs, hidden.shape[-1]).eval()
    length = checked_length(max_length, _longest(config))
    caches = [f"{kind}_{layer}" for layer in range(len(cross) // 2) for kind in ("key", "value")]
    names = [f"cross_{name}" for name in caches]

    # Tokens may be of any number; features, such as the spectrum of half a minute, have one size.
    reads_tokens = not source.is_floating_point()
    free = {1: torch.export.Dim("source", min=1)} if reads_tokens else {}
    inputs = ["tokens" if reads_tokens else theirs.main_input_name]
    request = Request.of(encoder, (source,), None, {"source": free}, None, inputs, names, (), verify, rtol)
    written_encoder = write_files(request, "torch", folders[0])

    example = (
        torch.randint(config.vocab_size, (1, EXAMPLE_TOKENS), generator=torch.Generator().manual_seed(1)),
        [torch.randn(1, each.shape[1], EXAMPLE_LENGTH, each.shape[3]) for each in cross],
        cross,
    )
    shapes = {
        "tokens": {1: torch.export.Dim("count", min=1, max=length)},
        "past": [{2: torch.export.Dim("length", min=0, max=length)}] * len(cross),
        "cross": [{2: free[1]} if reads_tokens else {}] * len(cross),
    }
    past = [f"past_{name}" for name in caches]
    states = {output: State(name) for output, name in zip(caches, past, strict=True)}
    inputs, outputs = ["tokens", *past, *names], ["logits", *caches]
    request = Request.of(decoder, example, None, shapes, None, inputs, outputs, (), verify, rtol, states=states)
    written_decoder = write_files(request, "torch", folders[1])
    if verify:
        _compare(theirs, source, written_encoder, written_decoder, rtol)
    return written_encoder, written_decoder


def _longest(config: Any) -> int | None:
    """For how many tokens of the decoder there are positions; None: for any number, as relative ones of T5 are."""
    for name in ("max_target_positions", "max_position_embeddings"):
        if (longest := getattr(config, name, None)) is not None:
            return int(longest)
    return None


def _compare(theirs: Any, source: torch.Tensor, encoder: pathlib.Path, decoder: pathlib.Path, rtol: float) -> None:
    """Runs the source, a first token and the most probable tokens behind it, and compares the logits of every step.

    The reference computes all tokens at once and without a cache.
    """
    first = Model(f"{encoder}.pnnx.param")
    made = first.run([source.numpy()])
    cross = {info.name: array for info, array in zip(first.outputs, made, strict=True)}
    start = np.array([[theirs.config.decoder_start_token_id or 0]])
    tokens, logits = generate(Model(f"{decoder}.pnnx.param"), start, STEPS, cross)
    with torch.inference_mode():
        reference = theirs(source, decoder_input_ids=torch.from_numpy(tokens), use_cache=False)
    check_logits(logits, reference.logits[0].numpy(), rtol)
