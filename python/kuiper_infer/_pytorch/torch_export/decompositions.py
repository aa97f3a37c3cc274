# SPDX-License-Identifier: MIT
"""Takes operators apart that the library lacks and PyTorch has no parts for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch

aten = torch.ops.aten

Rule = Callable[..., Any]


class UnsupportedOperators(Exception):
    """Operators of the graph that neither the library has nor PyTorch can take apart."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = sorted(set(names))
        super().__init__(f"operators that are not supported: {', '.join(self.names)}")


def rule_of(target: Any, known: Mapping[Any, Rule]) -> Rule | None:
    """How an operator is taken apart: as written here, by PyTorch (`known`), or as its Python code does it."""
    if not isinstance(target, torch._ops.OpOverload):
        return None
    name = target._schema.name
    written = _RULES.get(target) or _RULES_BY_NAME.get(name) or known.get(target)
    written = written or torch._decomp.decomposition_table.get(target)
    if written is None and target.namespace not in ("aten", "prims") and _has_kernel(name):
        return _traced(target)
    return written


def _traced(target: torch._ops.OpOverload) -> Rule:
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return target._op_dk(torch._C.DispatchKey.CompositeExplicitAutograd, *args, **kwargs)
        except Exception as error:
            raise UnsupportedOperators([str(target)]) from error

    return call


def _has_kernel(name: str) -> bool:
    """Whether an operator has one implementation for all devices, as torch.library.custom_op registers it."""
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeExplicitAutograd"))


def _int_mm(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return aten.mm.default(a.to(torch.int32), b.to(torch.int32))


def _product_of_type(product: Rule) -> Rule:
    return lambda a, b, out_dtype: product(a.to(out_dtype), b.to(out_dtype))


def _add_relu(a: torch.Tensor, b: Any, *, alpha: Any = 1) -> torch.Tensor:
    return aten.relu.default(torch.add(a, b, alpha=alpha))


_IDENTITIES = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "max": -math.inf, "min": math.inf}
_SCATTERED = {"sum": "sum", "mean": "sum", "prod": "prod", "max": "amax", "min": "amin"}


def _segment_reduce(
    data: torch.Tensor,
    reduce: str,
    *,
    lengths: torch.Tensor | None = None,
    indices: torch.Tensor | None = None,
    offsets: torch.Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: float | None = None,
) -> torch.Tensor:
    """Reduces consecutive parts along axis 0. An element's part is the first one that ends behind the element."""
    given = lengths if offsets is None else offsets
    if indices is not None or given is None or given.dim() != 1 or axis != 0:
        raise ValueError("segment_reduce is supported along axis 0 by one list of lengths or offsets")
    ends = aten.cumsum.default(given, 0) if offsets is None else offsets[1:]
    counts = given if offsets is None else offsets[1:] - offsets[:-1]
    rank = data.dim()
    part = aten.searchsorted.Tensor(ends, torch.arange(data.shape[0], dtype=ends.dtype), right=True)
    part = part.reshape([-1] + [1] * (rank - 1)).expand(data.shape)
    start = data.new_full([ends.shape[0], *data.shape[1:]], _IDENTITIES[reduce] if initial is None else initial)
    made = aten.scatter_reduce.two(start, 0, part, data, _SCATTERED[reduce])
    if reduce != "mean":
        return made
    counts = counts.reshape([-1] + [1] * (rank - 1))
    return torch.where(counts == 0, math.nan if initial is None else initial, made / counts)


def _multinomial(
    weights: torch.Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> torch.Tensor:
    """Draws as PyTorch does: without replacement the largest quotients of weights and exponential numbers."""
    if replacement and num_samples > 1:
        sums = weights.cumsum(-1)
        drawn = torch.rand([*weights.shape[:-1], num_samples], dtype=weights.dtype) * sums[..., -1:]
        return aten.searchsorted.Tensor(sums, drawn, right=True)
    exponential = (-torch.log(1 - torch.rand(weights.shape, dtype=weights.dtype))).clamp_min(1e-30)
    quotients = weights / exponential
    if num_samples == 1:
        return quotients.argmax(-1, keepdim=True)
    return aten.topk.default(quotients, num_samples)[1]


_library = torch.library.Library("kuiper_infer", "FRAGMENT")
_library.define("_grouped_mm(Tensor input, Tensor mat2, Tensor offs) -> Tensor")


def _grouped_mm(input: torch.Tensor, mat2: torch.Tensor, offs: torch.Tensor) -> torch.Tensor:
    """The rows up to offs[0] times mat2[0], those up to offs[1] times mat2[1] and so on; later rows are 0."""
    made = input.new_zeros(input.shape[0], mat2.shape[2])
    for begin, end, matrix in zip([0, *offs.tolist()], offs.tolist(), mat2, strict=False):
        made[begin:end] = input[begin:end] @ matrix
    return made


_library.impl("_grouped_mm", _grouped_mm, "CompositeExplicitAutograd")
torch.library.register_fake(
    "kuiper_infer::_grouped_mm",
    lambda input, mat2, offs: input.new_empty(input.shape[0], mat2.shape[2]),
    lib=_library,
)


def _grouped_mm_fallback(input: torch.Tensor, weight: torch.Tensor, offs: torch.Tensor) -> torch.Tensor:
    """The products of a mixture of experts, for which transformers has an operator that loops over the experts.

    PyTorch's own operator for them refuses float32.
    """
    return torch.ops.kuiper_infer._grouped_mm(input, weight, offs.to(torch.int32))


_RULES: dict[Any, Rule] = {
    aten._int_mm.default: _int_mm,
    aten.mm.dtype: _product_of_type(aten.mm.default),
    aten.bmm.dtype: _product_of_type(aten.bmm.default),
    aten._is_all_true.default: aten.all.default,
    aten._is_any_true.default: aten.any.default,
    aten._add_relu.Tensor: _add_relu,
    aten._add_relu.Scalar: _add_relu,
    aten.segment_reduce.default: _segment_reduce,
    aten.multinomial.default: _multinomial,
}
_RULES_BY_NAME: dict[str, Rule] = {"transformers::grouped_mm_fallback": _grouped_mm_fallback}
