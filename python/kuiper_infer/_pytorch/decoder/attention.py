# SPDX-License-Identifier: MIT
"""Causal attention of new tokens over cached keys and values."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional as F

from .normalization import optional_norm_of
from .rotary import rotate
from .traits import Traits


class Attention(torch.nn.Module):
    """The attention of a layer. Its projections are the modules of transformers."""

    def __init__(self, theirs: Any, traits: Traits) -> None:
        super().__init__()
        self._traits = traits
        fused = getattr(theirs, "qkv_proj", None)
        if fused is not None:
            self.qkv_proj = fused
        else:
            self.q_proj, self.k_proj, self.v_proj = theirs.q_proj, theirs.k_proj, theirs.v_proj
        self._fused = fused is not None
        self.o_proj = theirs.o_proj
        self.q_norm = optional_norm_of(theirs, "q_norm", traits)
        self.k_norm = optional_norm_of(theirs, "k_norm", traits)

    def forward(
        self,
        x: torch.Tensor,
        table: tuple[torch.Tensor, torch.Tensor],
        mask: torch.Tensor,
        past_key: torch.Tensor,
        past_value: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns the layer's result and the keys and values with the new ones behind the past ones.

        `x`: (batch, n, hidden); `mask`: (n, length + n), true where attention reads; `past_key`, `past_value`: (batch,
        kv_heads, length, head_dim).
        """
        query, key, value = (self._heads(each) for each in self._projected(x))
        query = rotate(query if self.q_norm is None else self.q_norm(query), *table)
        key = rotate(key if self.k_norm is None else self.k_norm(key), *table)
        key = torch.cat([past_key, key], 2)
        value = torch.cat([past_value, value], 2)
        if self._traits.score_cap is None:
            grouped = self._traits.heads != self._traits.kv_heads
            context = F.scaled_dot_product_attention(
                query, key, value, attn_mask=mask, scale=self._traits.score_scale, enable_gqa=grouped
            )
        else:
            context = self._capped(query, key, value, mask, self._traits.score_cap)
        return self.o_proj(context.transpose(1, 2).flatten(2)), key, value

    def _projected(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        if not self._fused:
            return self.q_proj(x), self.k_proj(x), self.v_proj(x)
        own = self._traits.kv_heads * self._traits.head_dim
        query, key, value = self.qkv_proj(x).split([self._traits.heads * self._traits.head_dim, own, own], -1)
        return query, key, value

    def _heads(self, x: torch.Tensor) -> torch.Tensor:
        return x.unflatten(2, (-1, self._traits.head_dim)).transpose(1, 2)

    def _capped(
        self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor, cap: float
    ) -> torch.Tensor:
        """Attention with bounded scores, which scaled_dot_product_attention does not have.

        The queries of a group follow each other, so that a key's head is read for all of them.
        """
        count = query.shape[2]
        group = self._traits.heads // self._traits.kv_heads
        query = query.unflatten(1, (self._traits.kv_heads, group)).flatten(2, 3)
        scores = (query * self._traits.score_scale) @ key.transpose(2, 3)
        scores = torch.tanh(scores / cap) * cap
        scores = scores.unflatten(2, (group, count)).masked_fill(~mask, -torch.inf)
        context = scores.softmax(-1).flatten(2, 3) @ value
        return context.unflatten(2, (group, count)).flatten(1, 2)
