# SPDX-License-Identifier: MIT
"""How a module is called: its arguments taken apart into tensors and everything else."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils import _pytree as pytree

from .structures import flatten, type_name


@dataclasses.dataclass(frozen=True)
class Call:
    """Arguments of a module. Lists and dictionaries among them are taken apart, down to tensors and constants."""

    leaves: tuple[Any, ...]
    structure: pytree.TreeSpec

    @classmethod
    def of(cls, arguments: Any, name: str = "args") -> Call:
        """`arguments`: a tensor, a tuple or list of positional arguments, or a dictionary of keyword arguments."""
        if isinstance(arguments, Mapping):
            positional, keywords = (), dict(arguments)
        else:
            positional, keywords = tuple(arguments) if isinstance(arguments, tuple | list) else (arguments,), {}
        leaves, structure = flatten((positional, keywords))
        call = cls(
            tuple(torch.from_numpy(leaf) if isinstance(leaf, np.ndarray) else leaf for leaf in leaves), structure
        )
        if not call.tensors:
            raise ValueError(f"{name} holds no tensor, but the inputs of a model are tensors")
        for index, tensor in enumerate(call.tensors):
            if tensor.device.type != "cpu":
                raise ValueError(f"tensor {index} of {name} is on {tensor.device}, expected on cpu")
            if tensor.dtype == torch.bfloat16 or tensor.is_quantized or tensor.layout != torch.strided:
                raise ValueError(
                    f"tensor {index} of {name} is {tensor.dtype}, {tensor.layout}, expected one that NumPy has: "
                    "convert it inside of forward"
                )
        return call

    @property
    def tensors(self) -> list[torch.Tensor]:
        """The inputs of the exported model."""
        return [leaf for leaf in self.leaves if isinstance(leaf, torch.Tensor)]

    @property
    def plain(self) -> bool:
        """Whether the arguments are nothing but positional tensors."""
        return self.structure == pytree.tree_structure((tuple(self.tensors), {}))

    def arguments(self, tensors: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments, with these tensors in place of the call's own."""
        return pytree.tree_unflatten(list(self.with_tensors(tensors).leaves), self.structure)

    def with_tensors(self, tensors: Iterable[torch.Tensor]) -> Call:
        """The call with these tensors in place of its own."""
        remaining = iter(tensors)
        leaves = tuple(next(remaining) if isinstance(leaf, torch.Tensor) else leaf for leaf in self.leaves)
        return dataclasses.replace(self, leaves=leaves)

    def run(self, module: torch.nn.Module) -> Any:
        """What the module gives. It gets copies, since it may write into them; its buffers stay as they are."""
        return self.run_with_states(module, [])[0]

    def run_with_states(self, module: torch.nn.Module, states: Sequence[str]) -> tuple[Any, list[torch.Tensor]]:
        """What the module gives, and what it leaves in these buffers, which get their values of before again."""
        before = [(buffer, buffer.detach().clone()) for buffer in module.buffers()]
        positional, keywords = self.arguments([tensor.detach().clone() for tensor in self.tensors])
        try:
            result = module(*positional, **keywords)
            return result, [module.get_buffer(name).detach().clone() for name in states]
        finally:
            with torch.no_grad():
                for buffer, values in before:
                    buffer.copy_(values)

    def has_ones_beside(self, second: Call) -> bool:
        """Whether this call has 1 as an extent that is to be free, and `second` has another one."""
        extents = [
            pair
            for a, b in zip(self.tensors, second.tensors, strict=True)
            for pair in zip(a.shape, b.shape, strict=True)
        ]
        return any(own == 1 and other != 1 for own, other in extents)

    def check_second(self, second: Call) -> None:
        """Raises a ValueError if `second` and this call together do not show which extents are free."""
        if self.structure != second.structure or len(self.tensors) != len(second.tensors):
            raise ValueError("args2 is built of other arguments than args, expected the same with other extents")
        for own, other in zip(self.leaves, second.leaves, strict=True):
            if not isinstance(own, torch.Tensor) and own != other:
                raise ValueError(
                    f"args2 holds {other!r} where args holds {own!r}, which becomes a constant of the model"
                )
        for index, (own, other) in enumerate(zip(self.tensors, second.tensors, strict=True)):
            if own.dtype != other.dtype or own.dim() != other.dim():
                raise ValueError(
                    f"tensor {index} of args2 is {described(other)}, expected the element type and rank of the one in "
                    f"args, {described(own)}"
                )
        if all(own.shape == other.shape for own, other in zip(self.tensors, second.tensors, strict=True)):
            raise ValueError("args2 has the shapes of args, expected others wherever an extent is to be free")


def tensors_of(result: Any) -> list[torch.Tensor]:
    """Returns the tensors in a module's result, in order, without None."""
    tensors = []
    for leaf in flatten(result)[0]:
        if leaf is None:
            continue
        if not isinstance(leaf, torch.Tensor):
            raise TypeError(
                f"the module returns a {type_name(leaf)}, expected tensors, or tuples, lists, dictionaries and "
                "dataclasses of them"
            )
        tensors.append(leaf)
    if not tensors:
        raise TypeError("the module returns no tensor")
    return tensors


def described(tensor: torch.Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')}{tuple(tensor.shape)}"


def to_numpy(tensor: torch.Tensor) -> np.ndarray:
    """A copy, which later writes into the tensor do not reach; bfloat16, which NumPy lacks, as float32."""
    tensor = tensor.detach().float() if tensor.dtype == torch.bfloat16 else tensor.detach()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    return tensor.clone().resolve_conj().resolve_neg().numpy()
