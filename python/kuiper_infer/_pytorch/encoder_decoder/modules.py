# SPDX-License-Identifier: MIT
"""The two halves of an encoder-decoder as modules that carry the keys and values of attention as tensors."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from transformers.cache_utils import DynamicCache, DynamicLayer, EncoderDecoderCache


class _Given(DynamicLayer):
    """Keys and values of one layer, of any length from 0 on.

    The class of transformers takes no elements for another case than some, which would fix the length of an export.
    """

    def __init__(self, keys: torch.Tensor, values: torch.Tensor) -> None:
        super().__init__()
        self.keys, self.values = keys, values
        self.dtype, self.device, self.is_initialized = keys.dtype, keys.device, True

    def get_seq_length(self) -> int:
        return self.keys.shape[-2]


def _cache_of(tensors: Sequence[torch.Tensor]) -> DynamicCache:
    """`tensors`: keys and values of the first layer, then of the next."""
    cache = DynamicCache()
    cache.layers = [_Given(*pair) for pair in zip(tensors[::2], tensors[1::2], strict=True)]
    return cache


def _tensors_of(cache: DynamicCache) -> list[torch.Tensor]:
    return [tensor for layer in cache.layers for tensor in (layer.keys, layer.values)]


def _decode(theirs: Any, tokens: torch.Tensor, hidden: torch.Tensor, cache: EncoderDecoderCache) -> torch.Tensor:
    """Returns the logits of tokens behind the cache, which gets their keys and values."""
    name = "cache" if "cache" in inspect.signature(theirs.forward).parameters else "past_key_values"
    return theirs(decoder_input_ids=tokens, encoder_outputs=(hidden,), use_cache=True, **{name: cache}).logits


class EncoderModule(torch.nn.Module):
    """The encoder and, for each layer of the decoder, the keys and values that its attention to the source reads.

    A decoder of transformers computes them in its first step. So a step of one token runs behind the encoder, and all
    of it that doesn't lead to keys and values is left out of the exported graph.
    """

    def __init__(self, theirs: Any) -> None:
        super().__init__()
        self.model = theirs

    def forward(self, source: torch.Tensor) -> list[torch.Tensor]:
        """Returns keys and values of each layer in turn, (batch, heads, length of the source, head size)."""
        return self.keys_and_values(self.model.get_encoder()(source).last_hidden_state)

    def keys_and_values(self, hidden: torch.Tensor) -> list[torch.Tensor]:
        """`hidden`: the encoder's result."""
        cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
        _decode(self.model, torch.zeros(hidden.shape[0], 1, dtype=torch.int64), hidden, cache)
        return _tensors_of(cache.cross_attention_cache)


class DecoderStepModule(torch.nn.Module):
    """A step of the decoder. Positions and masks follow from the length of the caches."""

    def __init__(self, theirs: Any, encoder_width: int) -> None:
        super().__init__()
        self.model = theirs
        self._encoder_width = encoder_width

    def forward(
        self, tokens: torch.Tensor, past: Sequence[torch.Tensor], cross: Sequence[torch.Tensor]
    ) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """`tokens`: int64 (1, n); `past`: keys and values of each layer, (1, heads, length, head size); `cross`: those
        that EncoderModule returns.

        Returns the logits behind the last token, (1, 1, vocabulary), and `past` with the new keys and values.
        """
        cache = EncoderDecoderCache(_cache_of(past), _cache_of(cross))
        # The decoder asks for the encoder's result, but reads keys and values that the cache has already.
        unread = torch.zeros(tokens.shape[0], cross[0].shape[2], self._encoder_width)
        logits = _decode(self.model, tokens, unread, cache)
        return logits[:, -1:], _tensors_of(cache.self_attention_cache)
