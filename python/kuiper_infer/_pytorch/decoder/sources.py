# SPDX-License-Identifier: MIT
"""The model of transformers that is exported, and the integers of its weights."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import torch
import transformers

from ..torch_export.graph_nodes import identity_of
from .traits import Traits

_SEED = 20261126


def source_of(model: Any, weights: str | os.PathLike[str] | None) -> tuple[Any, dict[Any, dict[str, torch.Tensor]]]:
    """Returns the model in float32, and what is written in place of its weights, by their identity.

    `model`: a model or a configuration of transformers, or None; `weights`: a GGUF file or None.
    """
    if weights is not None:
        return _of_gguf(model, pathlib.Path(weights))
    if isinstance(model, transformers.PretrainedConfig):
        Traits.of(model)  # a type that is not supported is named before its weights are made
        with torch.random.fork_rng():
            torch.manual_seed(_SEED)
            model = transformers.AutoModelForCausalLM.from_config(model)
    if not isinstance(model, transformers.PreTrainedModel):
        raise TypeError(
            f"model is a {type(model).__name__}, expected a model or a configuration of transformers, or None beside "
            "weights"
        )
    Traits.of(model.config)
    return in_float(model), {}


def in_float(model: Any) -> Any:
    """Returns the model for inference. Raises ValueError unless all of its weights are float32."""
    if any(parameter.dtype != torch.float32 for parameter in model.parameters()):
        raise ValueError("the model has weights that are not float32, expected model.float()")
    return model.eval()


def _of_gguf(model: Any, path: pathlib.Path) -> tuple[Any, dict[Any, dict[str, torch.Tensor]]]:
    from .gguf_weights import read_stored

    if model is not None and not isinstance(model, transformers.PretrainedConfig):
        raise TypeError(f"model is a {type(model).__name__} beside weights, expected a configuration or None")
    theirs = transformers.AutoModelForCausalLM.from_pretrained(
        str(path.parent), gguf_file=path.name, config=model, dtype=torch.float32
    )
    theirs = in_float(theirs)
    by_name = read_stored(path, theirs)
    weights = dict(theirs.named_parameters(remove_duplicate=False))
    return theirs, {identity_of(weights[name]): parts for name, parts in by_name.items()}
