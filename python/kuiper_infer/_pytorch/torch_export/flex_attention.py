# SPDX-License-Identifier: MIT
"""Writes attention whose mask and scores functions in the module's code compute: torch's flex_attention."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx

from .graph_writer import GraphWriter

aten = torch.ops.aten

Run = Callable[[torch.fx.GraphModule, Sequence[Any]], list[Any]]


def write_flex_attention(
    writer: GraphWriter,
    run: Run,
    query: torch.fx.Node,
    key: torch.fx.Node,
    value: torch.fx.Node,
    score_mod: torch.fx.GraphModule,
    block_mask: Sequence[Any],
    scale: float,
    options: Any,
    score_buffers: Sequence[torch.fx.Node] = (),
    mask_buffers: Sequence[torch.fx.Node] = (),
) -> list[Any]:
    """The attention, the logarithms to base 2 of the sums of its rows, and their largest scores times log2(e).

    `score_mod`, and the last item of `block_mask`: graphs of one element and its four indices. The other items only say
    which blocks of the mask are empty.
    """
    dtype = query.meta["val"].dtype
    scores_dtype = torch.float64 if dtype is torch.float64 else torch.float32

    def over_all(function: torch.fx.GraphModule, given: Sequence[torch.fx.Node], elements: int) -> torch.fx.Node:
        """What the function gives for each place; the first of `given` are arrays with an element for each place."""
        values = [each.meta["val"] for each in (query, key, *given)]
        body = make_fx(lambda query, key, *given: _over_all(function, query, key, given, elements))(*values)
        return run(body, [query, key, *given])[0]

    def converted(node: torch.fx.Node, to: torch.dtype) -> torch.fx.Node:
        return node if node.meta["val"].dtype is to else writer.call(aten.to.dtype, node, to)

    groups = query.meta["val"].shape[1] // key.meta["val"].shape[1]
    if groups > 1:
        key, value = (writer.call(aten.repeat_interleave.self_int, each, groups, 1) for each in (key, value))
    turned = writer.call(aten.transpose.int, converted(key, scores_dtype), -2, -1)
    scores = writer.call(aten.matmul.default, converted(query, scores_dtype), turned)
    scores = writer.call(aten.mul.Scalar, scores, scale)
    scores = converted(over_all(score_mod, [scores, *score_buffers], 1), scores_dtype)
    mask = over_all(block_mask[-1], mask_buffers, 0)
    scores = writer.call(aten.where.ScalarOther, mask, scores, -math.inf)
    weights = converted(writer.call(aten._safe_softmax.default, scores, -1), dtype)
    statistics = [writer.call(aten.logsumexp.default, scores, [-1]), writer.call(aten.amax.default, scores, [-1])]
    statistics = [writer.call(aten.div.Scalar, each, math.log(2)) for each in statistics]
    return [writer.call(aten.matmul.default, weights, converted(value, dtype)), *statistics]


def _over_all(
    function: torch.fx.GraphModule,
    query: torch.Tensor,
    key: torch.Tensor,
    given: Sequence[torch.Tensor],
    elements: int,
) -> torch.Tensor:
    places = [torch.arange(extent) for extent in (*query.shape[:3], key.shape[2])]
    first, rest = given[:elements], given[elements:]
    call: Callable[..., torch.Tensor] = function
    for axis in (3, 2, 1, 0):
        axes = [0 if each == axis else None for each in range(4)]
        call = torch.vmap(call, in_dims=(*[0] * elements, *axes, *[None] * len(rest)))
    return call(*first, *places, *rest)
