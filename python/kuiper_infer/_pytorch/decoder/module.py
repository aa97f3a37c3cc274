# SPDX-License-Identifier: MIT
"""One step of a decoder as a module: tokens and caches in, logits and longer caches out."""

from __future__ import annotations

from typing import Any

import torch

from .attention import Attention
from .normalization import norm_of, optional_norm_of
from .rotary import table_of
from .traits import Traits


class FeedForward(torch.nn.Module):
    """The gated layer. Its projections and its activation are the modules of transformers."""

    def __init__(self, theirs: Any) -> None:
        super().__init__()
        self._fused = hasattr(theirs, "gate_up_proj")
        if self._fused:
            self.gate_up_proj = theirs.gate_up_proj
        else:
            self.gate_proj, self.up_proj = theirs.gate_proj, theirs.up_proj
        self.down_proj = theirs.down_proj
        self.activation = theirs.activation_fn if self._fused else theirs.act_fn

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        gate, up = self.gate_up_proj(x).chunk(2, -1) if self._fused else (self.gate_proj(x), self.up_proj(x))
        return self.down_proj(self.activation(gate) * up)


class Layer(torch.nn.Module):
    """Attention and the feed-forward layer, each behind a normalisation and beside a skip."""

    def __init__(self, theirs: Any, traits: Traits) -> None:
        super().__init__()
        self.self_attn = Attention(theirs.self_attn, traits)
        self.mlp = FeedForward(theirs.mlp)
        # Models that normalise results, too, have "post_attention_layernorm" behind attention, all others before the
        # feed-forward layer.
        both = hasattr(theirs, "pre_feedforward_layernorm")
        self.input_layernorm = norm_of(theirs, "input_layernorm", traits)
        self.attention_norm = norm_of(theirs, "post_attention_layernorm", traits) if both else None
        before = "pre_feedforward_layernorm" if both else "post_attention_layernorm"
        self.feedforward_input_norm = norm_of(theirs, before, traits)
        self.feedforward_norm = optional_norm_of(theirs, "post_feedforward_layernorm", traits)

    def forward(self, x: torch.Tensor, *others: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """`others`: what Attention takes besides `x`."""
        context, key, value = self.self_attn(self.input_layernorm(x), *others)
        x = x + (context if self.attention_norm is None else self.attention_norm(context))
        made = self.mlp(self.feedforward_input_norm(x))
        return x + (made if self.feedforward_norm is None else self.feedforward_norm(made)), key, value


def _kind(window: int | None) -> str:
    return "full" if window is None else "sliding"


class DecoderModule(torch.nn.Module):
    """A decoder of transformers as a function of tokens and caches.

    It shares the weights of the given model. Positions follow from the length of the caches, and so do the masks.
    """

    def __init__(self, theirs: Any, logits: str) -> None:
        """`theirs`: a model for causal language modelling; `logits`: "last" or "all"."""
        super().__init__()
        self.traits = traits = Traits.of(theirs.config)
        self._logits = logits
        self.embed_tokens = torch.nn.Embedding.from_pretrained(theirs.model.embed_tokens.weight)
        self.embed_tokens.weight = theirs.model.embed_tokens.weight  # the same object, which lm_head may share
        self.layers = torch.nn.ModuleList(Layer(each, traits) for each in theirs.model.layers)
        self.norm = norm_of(theirs.model, "norm", traits)
        self.lm_head = theirs.lm_head
        rotary, local = theirs.model.rotary_emb, getattr(theirs.model, "rotary_emb_local", None)
        kinds = sorted({_kind(window) for window in traits.windows})
        self.tables = torch.nn.ModuleDict({kind: table_of(rotary, local, kind == "sliding") for kind in kinds})

    def forward(self, tokens: torch.Tensor, *past: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """`tokens`: int64 (batch, n); `past`: key and value of each layer, (batch, kv_heads, length, head_dim).

        Returns logits (batch, 1 or n, vocabulary), and keys and values with the new ones behind the past ones.
        """
        length, count = past[0].shape[2], tokens.shape[1]
        positions = torch.arange(length, length + count)
        keys = torch.arange(length + count)
        masks = {window: self._mask(positions, keys, window) for window in set(self.traits.windows)}
        tables = {kind: table(positions) for kind, table in self.tables.items()}
        x = self.embed_tokens(tokens)
        if self.traits.embedding_scale is not None:
            x = x * self.traits.embedding_scale
        caches: list[torch.Tensor] = []
        for index, (layer, window) in enumerate(zip(self.layers, self.traits.windows, strict=True)):
            x, *own = layer(x, tables[_kind(window)], masks[window], *past[2 * index : 2 * index + 2])
            caches += own
        if self._logits == "last":
            x = x[:, -1:]
        x = self.lm_head(self.norm(x))
        if self.traits.logit_cap is not None:
            x = torch.tanh(x / self.traits.logit_cap) * self.traits.logit_cap
        return (x, *caches)

    @staticmethod
    def _mask(positions: torch.Tensor, keys: torch.Tensor, window: int | None) -> torch.Tensor:
        positions = positions.unsqueeze(1)
        mask = keys <= positions
        return mask if window is None else mask & (keys > positions - window)

    def random_caches(self, length: int) -> list[torch.Tensor]:
        """Keys and values of all layers for an example."""
        shape = (1, self.traits.kv_heads, length, self.traits.head_dim)
        return [torch.randn(shape) for _ in range(2 * self.traits.layers)]
