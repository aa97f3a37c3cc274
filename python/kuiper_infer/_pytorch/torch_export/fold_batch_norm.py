# SPDX-License-Identifier: MIT
"""Multiplies batch normalisations of inference into the weights of the convolution or linear layer before them."""

from __future__ import annotations

import operator
from typing import Any

import torch

from .simplify import Weights

aten = torch.ops.aten

# The axis of the weight that counts output channels.
_LAYERS = {
    aten.conv1d.default: 0,
    aten.conv2d.default: 0,
    aten.conv3d.default: 0,
    aten.linear.default: 0,
}


def fold_batch_norms(weights: Weights) -> None:
    """Folds y = (layer(x) - mean) / sqrt(variance + eps) * scale + shift where nothing else reads the layer."""
    for node in list(weights.graph.nodes):
        norm = _batch_norm(node)
        if norm is None or not isinstance(node.args[0], torch.fx.Node):
            continue
        layer = node.args[0]
        if layer.target not in _LAYERS or len(layer.users) != 1 or not _channels_last(layer):
            continue
        scale, shift, mean, variance, eps = norm
        tensors = [None if given is None else weights.of(given) for given in (scale, shift, mean, variance)]
        weight, bias = weights.of(layer.args[1]), weights.of(_bias(layer))
        missing = weight is None or (bias is None and _bias(layer) is not None)
        if missing or tensors[2] is None or tensors[3] is None or weight.dtype != torch.float32:
            continue
        if any(given is not None and tensor is None for given, tensor in zip((scale, shift), tensors, strict=False)):
            continue
        _fold(weights, node, layer, weight, bias, tensors, eps)


def _fold(
    weights: Weights,
    node: torch.fx.Node,
    layer: torch.fx.Node,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    tensors: list[torch.Tensor | None],
    eps: float,
) -> None:
    scale, shift, mean, variance = (None if tensor is None else tensor.double() for tensor in tensors)
    factor = (variance + eps).rsqrt()
    factor = factor if scale is None else factor * scale
    folded = weight.double() * factor.reshape(-1, *[1] * (weight.dim() - 1))
    moved = (-mean if bias is None else bias.double() - mean) * factor
    moved = moved if shift is None else moved + shift
    new_weight = weights.add(f"{layer.name}_weight", folded.to(weight.dtype))
    new_bias = weights.add(f"{layer.name}_bias", moved.to(weight.dtype))
    layer.args = (layer.args[0], new_weight, new_bias, *layer.args[3:])
    layer.kwargs = {name: value for name, value in layer.kwargs.items() if name != "bias"}
    for result in _results(node):
        result.replace_all_uses_with(layer)
        weights.graph.erase_node(result)
    if not node.users:
        weights.graph.erase_node(node)


def _results(node: torch.fx.Node) -> list[torch.fx.Node]:
    """The nodes that stand for the normalised array."""
    if node.target is aten.batch_norm.default:
        return [node]
    return [user for user in list(node.users) if user.target is operator.getitem and user.args[1] == 0]


def _bias(layer: torch.fx.Node) -> Any:
    return layer.args[2] if len(layer.args) > 2 else layer.kwargs.get("bias")


def _channels_last(layer: torch.fx.Node) -> bool:
    """Whether the normalised axis, which is axis 1, counts the layer's output channels."""
    return layer.target is not aten.linear.default or layer.meta["val"].dim() == 2


def _batch_norm(node: torch.fx.Node) -> tuple[Any, Any, Any, Any, float] | None:
    """(scale, shift, mean, variance, eps) of a normalisation by recorded statistics."""
    if node.target is aten.batch_norm.default and node.args[5] is False:
        return (*node.args[1:5], node.args[7])  # type: ignore[return-value]
    if node.target is aten._native_batch_norm_legit_no_training.default:
        return (*node.args[1:5], node.args[6])  # type: ignore[return-value]
    return None
