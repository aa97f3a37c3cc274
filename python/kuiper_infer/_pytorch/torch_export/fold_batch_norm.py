# SPDX-License-Identifier: MIT
"""Multiplies batch normalisations of inference into the weights of the convolution or linear layer before them."""

from __future__ import annotations

import operator
from typing import Any

import torch

from .simplify import Weights

aten = torch.ops.aten

# Layers whose weights have the output channels along axis 0.
_LAYERS = {aten.conv1d.default, aten.conv2d.default, aten.conv3d.default, aten.linear.default}


def fold_batch_norms(weights: Weights) -> None:
    """Folds y = (layer(x) - mean) / sqrt(variance + eps) * scale + shift where nothing else reads the layer."""
    for node in list(weights.graph.nodes):
        norm = _batch_norm(node)
        if norm is None or not isinstance(node.args[0], torch.fx.Node):
            continue
        layer = node.args[0]
        if layer.target not in _LAYERS or len(layer.users) != 1 or not _channels_last(layer):
            continue
        *nodes, eps = norm
        scale, shift, mean, variance = (weights.of(each) for each in nodes)
        weight, bias = weights.of(layer.args[1]), weights.of(_bias(layer))
        if weight is None or mean is None or variance is None or weight.dtype != torch.float32:
            continue
        computed = zip((*nodes[:2], _bias(layer)), (scale, shift, bias), strict=True)
        if any(given is not None and tensor is None for given, tensor in computed):
            continue
        factor = (variance.double() + eps).rsqrt()
        factor = factor if scale is None else factor * scale
        moved = (-mean if bias is None else bias - mean.double()) * factor
        moved = moved if shift is None else moved + shift
        folded = weight.double() * factor.reshape(-1, *[1] * (weight.dim() - 1))
        _replace(weights, node, layer, folded.to(weight.dtype), moved.to(weight.dtype))


def _replace(
    weights: Weights, node: torch.fx.Node, layer: torch.fx.Node, weight: torch.Tensor, bias: torch.Tensor
) -> None:
    """Gives the layer the weights, and takes the normalisation out of the graph."""
    new = (weights.add(f"{layer.name}_weight", weight), weights.add(f"{layer.name}_bias", bias))
    layer.args = (layer.args[0], *new, *layer.args[3:])
    layer.kwargs = {name: value for name, value in layer.kwargs.items() if name != "bias"}
    for result in _results(node):
        result.replace_all_uses_with(layer)
        weights.graph.erase_node(result)
    if node.target is not aten.batch_norm.default and not node.users:
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
        return (*node.args[1:5], node.args[7])
    if node.target is aten._native_batch_norm_legit_no_training.default:
        return (*node.args[1:5], node.args[6])
    return None
