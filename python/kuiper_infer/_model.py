# SPDX-License-Identifier: MIT
"""The model: loading and running."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._errors import ErrorCode, KuiperError
from ._options import RunOptions
from ._reports import ModelInfo, Profile, Svg

Source = str | os.PathLike[str] | bytes

_DEFAULT_OPTIONS = RunOptions()


class ArrayInfo(NamedTuple):
    """An input or output array: its name, element type and shape."""

    name: str
    dtype: str | None  #: such as "float32", which NumPy understands; None where only a run tells it
    shape: tuple[int, ...] | None  #: -1: any extent; None where only a run tells it


class Model:
    """A neural network exported by pnnx, ready to run.

    `param` and `bin` are the paths of the converter's two files, or their contents as bytes. Without `bin` it is the
    file beside `param` whose name ends in `.bin` instead of `.param`.

    >>> model = Model(example)
    >>> image = np.zeros((1, 1, 32, 100), np.float32)
    >>> model(image).shape
    (1, 25, 96)

    A model may be called by any number of threads at once, the GIL is released meanwhile. It can be pickled when it was
    made of paths: it goes to other processes as them, and is loaded there.

    `threads`: how many compute a run; 0: as OMP_NUM_THREADS says, else one for each core that the process may use.
    `precision`: of convolutions, linear layers and matrix products: "highest" is float32; "medium" rounds their factors
    to bfloat16 where the CPU is faster so; "high" keeps at least 16 bits of them, and computes in float32 so far.
    `max_memory`: bytes that the model may take; more is an error before it is allocated.
    `cache`: a folder for what loading makes of the weights, so that the next process starts faster.
    """

    def __init__(
        self,
        param: Source,
        bin: Source | None = None,
        *,
        threads: int = 0,
        precision: str = "highest",
        max_memory: int | None = None,
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        if precision not in ("highest", "high", "medium"):
            raise ValueError(f'precision is {precision!r}, expected "highest", "high" or "medium"')
        if threads < 0:
            raise ValueError(f"threads is {threads}, expected 0 or more")
        if max_memory is not None and max_memory <= 0:
            raise ValueError(f"max_memory is {max_memory}, expected a number of bytes, or None for no limit")
        self.threads, self.precision, self.max_memory = threads, precision, max_memory
        self.cache = None if cache is None else os.fspath(cache)
        limits = (threads, precision, max_memory or 0, self.cache or "")
        if isinstance(param, bytes):
            if not isinstance(bin, bytes):
                raise TypeError("param is bytes: bin has to be the contents of the other file, as bytes")
            self.param, self.bin = None, None
            self._model = _core.Model.load_bytes(param, bin, *limits)
        else:
            if isinstance(bin, bytes):
                raise TypeError("bin is bytes: param has to be the contents of the other file, as bytes")
            self.param = os.fspath(param)
            self.bin = _bin_beside(self.param) if bin is None else os.fspath(bin)
            self._model = _core.Model.load_files(self.param, self.bin, *limits)
        self.inputs: tuple[ArrayInfo, ...] = tuple(ArrayInfo(*input) for input in self._model.inputs())
        """The inputs as the file records them, in its order. Batch and sizes may differ from the recorded ones where
        the network allows it (`output_info`)."""
        self.outputs: tuple[ArrayInfo, ...] = tuple(ArrayInfo(*output) for output in self._model.outputs())
        """The outputs for inputs of the recorded shapes, in the file's order; those of a tuple are numbered."""

    def output_info(self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]]) -> tuple[ArrayInfo, ...]:
        """The outputs for inputs of other shapes, given by name or in order. Nothing is computed.

        Raises `KuiperError` where the network does not allow such inputs.
        """
        named = shapes if isinstance(shapes, Mapping) else self._named(shapes)
        return tuple(ArrayInfo(*output) for output in self._model.outputs_for(dict(named)))

    def __call__(self, *inputs: Any, options: RunOptions | None = None) -> Any:
        """Runs the model on arrays in the order of its inputs, or on one dictionary of arrays by the inputs' names.

        Inputs are NumPy arrays or anything with the buffer protocol or DLPack, such as PyTorch's tensors on the CPU.
        They are read in place where they are contiguous. Gives the output as a NumPy array, or a tuple of them where
        there are several.
        """
        outputs = self.run(_by_name_or_in_order(inputs), options)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def run(self, inputs: Mapping[str, Any] | Sequence[Any], options: RunOptions | None = None) -> list[np.ndarray]:
        """Runs the model and gives a list of all outputs in the file's order, whatever their number."""
        given = options or _DEFAULT_OPTIONS
        return self._model.run(self._ordered(inputs), given.threads, given.deadline, given.cancel, given.progress)

    def info(self) -> ModelInfo:
        """What the model is made of; prints as a table."""
        return ModelInfo(inputs=self.inputs, outputs=self.outputs, **_core.describe(self._model))

    def profile(self, *inputs: Any, runs: int = 10) -> Profile:
        """The time of each step of a run, in the fastest of `runs` runs; prints as a table."""
        if runs < 1:
            raise ValueError(f"runs is {runs}, expected 1 or more")
        return Profile(*_core.profile(self._model, self._ordered_of(inputs), runs))

    def graph_text(self, *inputs: Any, full: bool = False, runs: int = 0) -> str:
        """The graph as it is run, a line a step; with shares of time where `runs` is not 0."""
        return _core.graph(self._model, self._ordered_of(inputs), full, runs)[0]

    def graph_svg(self, *inputs: Any, full: bool = False, runs: int = 0) -> Svg:
        """The graph as a picture, which notebooks show; needs Graphviz's program `dot`."""
        return Svg.draw(_core.graph(self._model, self._ordered_of(inputs), full, runs)[1])

    def operands(self, *inputs: Any) -> dict[str, np.ndarray]:
        """Runs without optimisation and gives every array between operators, by its name in the file."""
        return _core.operands(self._model, self._ordered_of(inputs))

    def _ordered_of(self, inputs: tuple[Any, ...]) -> Sequence[Any]:
        return self._ordered(_by_name_or_in_order(inputs))

    def _ordered(self, inputs: Mapping[str, Any] | Sequence[Any]) -> Sequence[Any]:
        """The arrays in the order of the model's inputs."""
        if isinstance(inputs, Mapping):
            try:
                ordered = [inputs[input.name] for input in self.inputs]
            except KeyError as missing:
                raise KuiperError(f"input {missing} is not given", ErrorCode.INPUT) from None
            if len(ordered) != len(inputs):
                unknown = sorted(set(inputs) - {input.name for input in self.inputs})
                raise KuiperError(f"the model has no input {unknown[0]!r}, it has {self._names()}", ErrorCode.INPUT)
            return ordered
        if len(inputs) != len(self.inputs):
            count = f"{len(inputs)} arrays are given, the model has {len(self.inputs)} inputs: {self._names()}"
            raise KuiperError(count, ErrorCode.INPUT)
        return inputs

    def _named(self, values: Sequence[Any]) -> dict[str, Any]:
        return {input.name: value for input, value in zip(self.inputs, self._ordered(values), strict=True)}

    def _names(self) -> str:
        return ", ".join(repr(input.name) for input in self.inputs)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{input.name}: {input.dtype}{list(input.shape or ())}" for input in self.inputs)
        return f"<kuiper_infer.Model {self.param or 'from memory'} ({inputs})>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.param is None:
            raise TypeError("a model made of bytes cannot be pickled: load it from files")
        return _load, (self.param, self.bin, self.threads, self.precision, self.max_memory, self.cache)


def _by_name_or_in_order(inputs: tuple[Any, ...]) -> Mapping[str, Any] | Sequence[Any]:
    """What a call was given: one dictionary, or arrays in order."""
    return inputs[0] if len(inputs) == 1 and isinstance(inputs[0], Mapping) else inputs


def _bin_beside(param: str) -> str:
    stem, extension = os.path.splitext(param)
    if extension != ".param":
        way = "export a model (docs/exporting.md), or give bin, too"
        raise ValueError(f"param is {param!r}, expected NAME.param: {way}")
    return stem + ".bin"


def _load(param: str, bin: str, threads: int, precision: str, max_memory: int | None, cache: str | None) -> Model:
    return Model(param, bin, threads=threads, precision=precision, max_memory=max_memory, cache=cache)
