# SPDX-License-Identifier: MIT
"""Exports encoder-decoders of the package transformers as two models: an encoder and one step of generation."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import _extras
from ._model import Model
from ._model_files import folder_beside, put_in_place, stem_of

if TYPE_CHECKING:
    import torch
    import transformers

__all__ = ["export_encoder_decoder"]


def export_encoder_decoder(
    model: transformers.PreTrainedModel,
    path: str | os.PathLike[str],
    *,
    source: torch.Tensor | None = None,
    max_length: int | None = None,
    verify: bool = True,
    rtol: float = 1e-3,
) -> tuple[Model, Model]:
    """Exports a model such as T5, BART, Marian or Whisper to `path`_encoder.pnnx.param, `path`_decoder.pnnx.param and
    their .pnnx.bin, verifies both, and returns encoder and decoder.

    `model`: a model of the package transformers that reads a source and generates tokens, with weights in float32.
    `source`: an example of what its encoder reads, float32 or int64 with a batch of 1. Models of text and Whisper do
    not need one. The number of tokens is free; features have the example's size.
    `max_length`: the most tokens of the decoder; by default as many as the model has positions for.
    `verify`: whether to compare both with PyTorch, as `export` does it, and then a first token and eight generated ones
    with transformers, computed without a cache. Logits may be off by `rtol` standard deviations. If they depart, an
    `ExportError` names the step, and nothing is written.

    The encoder's input is `tokens`, int64 (1, source), or has the name that transformers gives it, such as
    `input_features`. Its outputs are the keys and values of the decoder's attention to the source, for each layer, here
    the first, `cross_key_0` and `cross_value_0`, float32 (1, heads, source, head size): they are computed once. The
    decoder reads them beside `tokens`, int64 (1, n), in each run, and gives `logits`, float32 (1, 1, vocabulary). Its
    own keys and values are states. The source is whole: there is no mask of padding. Needs PyTorch and transformers.

        net = AutoModelForSeq2SeqLM.from_pretrained("t5-small", dtype=torch.float32)
        encoder, decoder = kuiper_infer.export_encoder_decoder(net, "t5")
    """
    _extras.require("decoder", "torch", "transformers")
    from ._pytorch.encoder_decoder.exporting import write_encoder_decoder
    from ._pytorch.encoder_decoder.sources import checked_model, example_source

    checked_model(model)
    stem = stem_of(path)
    if source is None:
        source = example_source(model)
    stems = [stem.with_name(f"{stem.name}_{half}") for half in ("encoder", "decoder")]
    with folder_beside(stems[0]) as first, folder_beside(stems[1]) as second:
        written = write_encoder_decoder(model, source, (first, second), max_length=max_length, verify=verify, rtol=rtol)
        encoder, decoder = (put_in_place(*pair) for pair in zip(written, stems, strict=True))
        return encoder, decoder
