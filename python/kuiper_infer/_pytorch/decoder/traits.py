# SPDX-License-Identifier: MIT
"""What distinguishes the decoders of the Llama family from each other, read from a configuration of transformers."""

from __future__ import annotations

import dataclasses
from typing import Any

FAMILY = ("gemma2", "gemma3_text", "llama", "mistral", "phi3", "qwen2", "qwen3")
"""The types of models, as `config.model_type` names them, that DecoderModule computes."""


@dataclasses.dataclass(frozen=True)
class Traits:
    """The numbers of a decoder that its weights do not tell."""

    vocabulary: int
    heads: int
    kv_heads: int
    head_dim: int
    windows: tuple[int | None, ...]  #: for each layer how many of the last positions attention reads; None: all
    score_scale: float  #: what products of queries and keys are multiplied by
    score_cap: float | None  #: bounds the scores of attention: cap * tanh(score / cap)
    logit_cap: float | None  #: bounds the logits in the same way
    embedding_scale: float | None
    norm_eps: float
    norm_offset: float  #: what is added to the weights of normalisations
    longest: int  #: positions for which the rotary frequencies hold

    @property
    def layers(self) -> int:
        return len(self.windows)

    @classmethod
    def of(cls, config: Any) -> Traits:
        """Raises ValueError that names the type of the model if it is none of FAMILY."""
        kind = config.model_type
        if kind not in FAMILY:
            raise ValueError(f"the model is of the type {kind!r}, expected one of {', '.join(FAMILY)}")
        if getattr(config, "use_bidirectional_attention", False):
            raise ValueError("the model attends to later tokens, too (use_bidirectional_attention), expected a decoder")
        gemma = kind.startswith("gemma")
        head_dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        return cls(
            vocabulary=config.vocab_size,
            heads=config.num_attention_heads,
            kv_heads=config.num_key_value_heads,
            head_dim=head_dim,
            windows=_windows_of(config),
            score_scale=(config.query_pre_attn_scalar if gemma else head_dim) ** -0.5,
            score_cap=getattr(config, "attn_logit_softcapping", None) if gemma else None,
            logit_cap=getattr(config, "final_logit_softcapping", None) if gemma else None,
            embedding_scale=config.hidden_size**0.5 if gemma else None,
            norm_eps=config.rms_norm_eps,
            norm_offset=1.0 if gemma else 0.0,
            longest=_longest(config),
        )


def _windows_of(config: Any) -> tuple[int | None, ...]:
    window = getattr(config, "sliding_window", None)
    types = getattr(config, "layer_types", None)
    if config.model_type in ("mistral", "phi3"):  # a window is for all layers
        types = None
    if types is None:
        return (window,) * config.num_hidden_layers
    return tuple(window if each == "sliding_attention" else None for each in types)


def _longest(config: Any) -> int:
    """Rotary frequencies of the kind longrope are others beyond the length of the original training."""
    rope = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    if rope.get("rope_type", rope.get("type")) == "longrope":
        original = getattr(config, "original_max_position_embeddings", None)
        return original or rope.get("original_max_position_embeddings") or config.max_position_embeddings
    return config.max_position_embeddings
