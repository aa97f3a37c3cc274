# SPDX-License-Identifier: MIT
"""The model of transformers that is exported, and an example of what its encoder reads."""

from __future__ import annotations

from typing import Any

import torch
import transformers

from ..decoder.sources import in_float
from .exporting import EXAMPLE_SOURCE


def checked_model(model: Any) -> None:
    """Raises TypeError or ValueError unless it is an encoder-decoder of transformers in float32 that gives logits."""
    if not isinstance(model, transformers.PreTrainedModel):
        raise TypeError(f"model is a {type(model).__name__}, expected a model of transformers")
    if not model.config.is_encoder_decoder or not model.can_generate():
        raise ValueError(
            f"the model is a {type(model).__name__}, expected one with an encoder and a decoder that generates tokens"
        )
    in_float(model)


def example_source(model: Any) -> torch.Tensor:
    """Returns tokens, or for Whisper a spectrum of the length that it reads. Raises ValueError for any other input."""
    generator = torch.Generator().manual_seed(4)
    if model.main_input_name == "input_ids":
        vocabulary = model.config.get_text_config(encoder=True).vocab_size
        return torch.randint(vocabulary, (1, EXAMPLE_SOURCE), generator=generator)
    if model.config.model_type == "whisper":
        frames = 2 * model.config.max_source_positions  # its second convolution halves them
        return torch.randn(1, model.config.num_mel_bins, frames, generator=generator)
    raise ValueError(f"source is None, expected an example of {model.main_input_name}")
