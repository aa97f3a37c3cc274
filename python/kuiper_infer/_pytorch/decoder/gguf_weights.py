# SPDX-License-Identifier: MIT
"""The weights of a GGUF file as stored integers, for a model that transformers has read from the same file."""

from __future__ import annotations

import pathlib
from typing import Any

import gguf
import numpy as np
import torch

from .gguf_blocks import FORMATS, Parts, numbers_of, parts_of


def read_stored(path: pathlib.Path, theirs: Any) -> dict[str, Parts]:
    """Returns the attributes of each weight that the file has in blocks of FORMATS, by the weight's name in `theirs`.

    Raises ValueError that names the weight if the integers stand for other numbers than transformers has read.
    """
    reader = gguf.GGUFReader(path)
    tensors = {tensor.name: tensor for tensor in reader.tensors}
    kind = str(reader.fields["general.architecture"].contents())
    architecture = {name: key for key, name in gguf.MODEL_ARCH_NAMES.items()}[kind]
    names = gguf.get_tensor_name_map(architecture, theirs.config.num_hidden_layers)
    stored: dict[str, Parts] = {}
    for name, weight in theirs.named_parameters():
        tensor = tensors.get(f"{names.get_name(name.removesuffix('.weight'))}.weight")
        if tensor is None or tensor.tensor_type.name not in FORMATS or not name.endswith(".weight"):
            continue
        data = np.asarray(tensor.data)
        if kind == "llama":
            data = data[_order(name, data.shape[0], theirs.config)]
        parts = parts_of(tensor.tensor_type.name, data)
        if not torch.equal(numbers_of(parts), weight.detach()):
            raise ValueError(f"{path}: {tensor.name} holds other numbers than transformers' {name}")
        stored[name] = parts
    return stored


def _order(name: str, rows: int, config: Any) -> np.ndarray:
    """The order of the rows in transformers. In files of the architecture llama two elements that are rotated together
    are neighbours; in transformers they are half a head apart."""
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}.get(name.split(".")[-2])
    order = np.arange(rows)
    if heads is None:
        return order
    return order.reshape(heads, -1, 2).swapaxes(1, 2).reshape(-1)
