# SPDX-License-Identifier: MIT
"""Runs the PyTorch code that the converter writes beside a model (MODEL_pnnx.py), statement by statement."""

from __future__ import annotations

import ast
import os
import pathlib
import re
import types
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from .._errors import ErrorCode, KuiperError
from .calls import tensors_of, to_numpy


class CodeError(KuiperError):
    """The converter's code cannot be run as Python, which happens for operators that it does not know."""

    def __init__(self, message: str) -> None:
        super().__init__(message, ErrorCode.FILE)

    def __reduce__(self) -> tuple[type[KuiperError], tuple[Any, ...]]:
        return type(self), (str(self),)


class ConverterCode:
    """The converter's code: `forward` has an assignment for each operator, whose results are called v_OPERAND.

    Its weights are those of the file in its own folder that it names or, if there is none, those of `bin`.
    """

    fault = (
        "the PyTorch code that the converter wrote for this file departs, too: the file holds another network than the "
        "module, with other weights, a fault of the converter's, or with `if`, numbers and sizes fixed as they were "
        "for the example"
    )

    def __init__(self, path: pathlib.Path, bin: str | os.PathLike[str] | None = None) -> None:
        self.path = path
        # Operators that the converter does not know are written as in C++: aten::name(...).
        self._source = re.sub(r"\b(\w+)::(\w+)\(", r"torch.ops.\1.\2(", path.read_text())
        try:
            tree = ast.parse(self._source, filename=str(path))
            (model,) = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Model"]
            functions = {node.name: node for node in model.body if isinstance(node, ast.FunctionDef)}
            self._forward = functions["forward"]
        except (SyntaxError, ValueError, KeyError) as error:
            raise CodeError(f"{path.name} has no class Model that Python can read: {error}") from error
        self._globals: dict[str, Any] = {"__name__": "converter_code"}
        try:
            exec(compile(tree, str(path), "exec"), self._globals)
            self._globals["zipfile"] = _weights_of(path.parent, bin)
            self._model = self._globals["Model"]().eval()
        except Exception as error:
            raise CodeError(f"the class Model of {path.name} cannot be constructed: {_first_line(error)}") from error

    @property
    def inputs(self) -> list[str]:
        """The operands that forward is called with."""
        return [argument.arg.removeprefix("v_") for argument in self._forward.args.args[1:]]

    def outputs(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        *_, (_, _, result) = self._run(inputs)
        return tensors_of(result)

    def operands(self, inputs: Sequence[torch.Tensor]) -> Iterator[tuple[str, np.ndarray, str]]:
        """(operand, array, line of code) of every tensor, in the order of the lines.

        Each comes before the next line runs, which may write into the same memory.
        """
        seen: set[str] = set()
        for line, names, _ in self._run(inputs):
            for name, value in names.items():
                operand = name.removeprefix("v_")
                if operand not in seen and isinstance(value, torch.Tensor):
                    seen.add(operand)
                    yield operand, to_numpy(value), line

    def _run(self, inputs: Sequence[torch.Tensor]) -> Iterator[tuple[str, dict[str, Any], Any]]:
        """Runs the statements; yields (line, assigned values by name, returned value) after each of them."""
        names = [f"v_{name}" for name in self.inputs]
        if len(names) != len(inputs):
            raise CodeError(f"forward in {self.path.name} has {len(names)} inputs, {len(inputs)} arrays are given")
        variables = {**self._globals, "self": self._model}
        variables.update(zip(names, [input.detach().clone() for input in inputs], strict=True))
        for statement in self._forward.body:
            line = ast.get_source_segment(self._source, statement) or ""
            result = None
            try:
                with torch.no_grad():
                    if isinstance(statement, ast.Return) and statement.value is not None:
                        code = compile(ast.Expression(statement.value), str(self.path), "eval")
                        result = eval(code, variables)
                    else:
                        module = ast.Module([statement], type_ignores=[])
                        exec(compile(module, str(self.path), "exec"), variables)
            except Exception as error:
                raise CodeError(f"{self.path.name}: `{line}` cannot be run: {_first_line(error)}") from error
            names_in = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
            stored = [node.id for node in names_in if isinstance(node.ctx, ast.Store) and node.id.startswith("v_")]
            yield line, {name: variables[name] for name in stored}, result


def _weights_of(folder: pathlib.Path, bin: str | os.PathLike[str] | None) -> types.SimpleNamespace:
    """Takes the place of the module zipfile in the converter's code, which looks in the working folder."""

    def open_archive(name: str, mode: Any = "r") -> zipfile.ZipFile:
        own = folder / name
        return zipfile.ZipFile(own if own.exists() or bin is None else bin, mode)

    return types.SimpleNamespace(ZipFile=open_archive)


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0] or type(error).__name__
