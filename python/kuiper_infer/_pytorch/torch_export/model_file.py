# SPDX-License-Identifier: MIT
"""The two files of a model: operators with their operands and parameters as text, weights in an archive."""

from __future__ import annotations

import dataclasses
import pathlib
import zipfile
from collections.abc import Iterable, Sequence

import torch

# Names of element types in the file: "f32" after a shape.
_TYPES = {
    torch.float32: "f32",
    torch.float64: "f64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.int16: "i16",
    torch.int8: "i8",
    torch.uint8: "u8",
    torch.bool: "bool",
    torch.complex64: "c64",
    torch.complex128: "c128",
}


def has_type(dtype: torch.dtype) -> bool:
    """Whether the file has a name for the element type."""
    return dtype in _TYPES


@dataclasses.dataclass
class Operand:
    """An array, a number or a list that flows between operators. Arrays have an element type and a shape."""

    name: str
    dtype: torch.dtype | None = None
    shape: tuple[int | None, ...] = ()  #: None stands for a free extent

    def note(self) -> str:
        """What the file says of the operand: nothing of numbers and lists."""
        return "" if self.dtype is None else f" #{self.name}={self.text()}"

    def text(self) -> str:
        """The shape and the element type."""
        return "no array" if self.dtype is None else f"{_shape_text(self.shape)}{_TYPES[self.dtype]}"


@dataclasses.dataclass
class Operator:
    """A line of the file."""

    type: str
    name: str
    inputs: list[tuple[str, Operand]] = dataclasses.field(default_factory=list)  #: name of the argument, operand
    outputs: list[Operand] = dataclasses.field(default_factory=list)
    parameters: dict[str, str] = dataclasses.field(default_factory=dict)
    weights: dict[str, torch.Tensor] = dataclasses.field(default_factory=dict)

    def line(self) -> str:
        operands = [operand.name for _, operand in self.inputs] + [operand.name for operand in self.outputs]
        named = [f" ${name}={operand.name}" for name, operand in self.inputs if name]
        weights = [
            f" @{name}={_shape_text(weight.shape)}{_TYPES[weight.dtype]}"
            for name, weight in sorted(self.weights.items())
        ]
        notes = [operand.note() for operand in [operand for _, operand in self.inputs] + self.outputs]
        return "".join(
            [
                f"{self.type:24} {self.name:24} {len(self.inputs)} {len(self.outputs)}",
                *(f" {name}" for name in operands),
                *(f" {name}={text}" for name, text in sorted(self.parameters.items())),
                *weights,
                *named,
                *dict.fromkeys(notes),
            ]
        )


def _shape_text(shape: Iterable[int | None]) -> str:
    return f"({','.join('?' if extent is None else str(int(extent)) for extent in shape)})"


def write(operators: Sequence[Operator], stem: pathlib.Path) -> None:
    """Writes STEM.pnnx.param and STEM.pnnx.bin."""
    operands = {operand.name for operator in operators for operand in operator.outputs}
    lines = ["7767517", f"{len(operators)} {len(operands)}", *(operator.line() for operator in operators)]
    pathlib.Path(f"{stem}.pnnx.param").write_text("\n".join(lines) + "\n", encoding="utf-8")
    with zipfile.ZipFile(f"{stem}.pnnx.bin", "w", zipfile.ZIP_STORED) as archive:
        for operator in operators:
            for name, weight in sorted(operator.weights.items()):
                entry = zipfile.ZipInfo(f"{operator.name}.{name}")  # of a fixed date, so that files are reproducible
                with archive.open(entry, "w", force_zip64=True) as member:
                    member.write(_bytes_of(weight))


def _bytes_of(weight: torch.Tensor) -> memoryview | bytes:
    """The elements in row-major order, without a copy where they lie so already."""
    weight = weight.detach().resolve_conj().resolve_neg().contiguous()
    if weight.numel() == 0:
        return b""
    return memoryview(weight.reshape(-1).view(torch.uint8).numpy())
