# SPDX-License-Identifier: MIT
"""The model: loading and running."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from . import _build_options, _core, _html
from ._checks import integer, path, path_bytes
from ._inputs import Array, by_name_or_in_order, extents, in_order
from ._options import RunOptions, run_arguments
from ._reports import ARRAY_HEADER, ModelInfo, Profile, Svg, array_rows
from ._session import Session, run_together
from ._states import State, checked_states

Source = str | os.PathLike[str] | bytes

Outputs = np.ndarray | tuple[np.ndarray, ...]


class ArrayInfo(NamedTuple):
    """An input or output array: its name, element type and shape."""

    name: str
    dtype: str | None  #: NumPy's name, such as "float32"; None if it is known only after a run
    shape: tuple[int, ...] | None  #: a free extent is -1; None if the shape is known only after a run


class StateInfo(NamedTuple):
    """A state: an output that is an input of the next run of a session."""

    name: str  #: of the input
    output: str  #: the output's name; "NAME.1" for an item of a tuple
    dtype: str  #: NumPy's name, such as "float32"
    shape: tuple[int, ...]  #: as the file records it; a free extent is -1
    axis: int | None  #: along which it grows; None if the output replaces it
    window: int | None  #: the most elements that it keeps along the axis; None if it keeps all
    max_length: int | None  #: the most elements that it may have along the axis; None if there is no limit
    kept: str  #: the element type in which sessions keep it: "float32", or what `state_type` chose


class Model:
    """A neural network exported by pnnx, ready to run.

    `param` and `bin` are the paths of the converter's two files, or their contents as bytes. By default `bin` is the
    file beside `param` whose name ends in `.bin` instead of `.param`.

    >>> model = Model(example)
    >>> image = np.zeros((1, 1, 32, 100), np.float32)
    >>> model(image).shape
    (1, 25, 96)

    Any number of threads may call a model at once; the GIL is released while it computes. A model made of paths can be
    pickled: the paths and options are sent to the other process, which loads the model.

    `threads`: the number of threads that compute a run. 0 means OMP_NUM_THREADS or, if that is not set, one thread for
    each core that the process may use.
    `precision`: how exact convolutions, linear layers and matrix products are. "highest" is as exact as float32. "high"
    keeps at least 16 bits of each factor, and "medium" rounds factors to bfloat16, or, if the weight is stored in 8 or
    4 bits, inputs to 8 bits. A level is used only for products that are faster by it on this CPU; "high" and "highest"
    gain time on CPUs with AMX.
    `max_memory`: the most bytes that the model may take. An allocation that would exceed them is an error.
    `cache`: a folder for packed weights, so that the next process starts faster.
    `max_state_length`: the most elements that a growing state may have along its axis; a run beyond it is an error.
    `state_type`: the element type in which sessions keep keys and values, which are growing states that attention alone
    reads: "float32", "bfloat16", "int8" (integers with a scale for each row), or "auto", which is bfloat16 at "medium"
    and float32 otherwise. States are smaller, and read faster, in fewer bits; `states` says which are kept so.
    `measure_methods`: chooses the methods of convolutions by a short measurement instead of by an estimate.

    `states`: outputs that are inputs of the next run of a session: the input's name by the output's name, or by its
    number. The items of tuples count: {1: "past_k0"}. A growing state that is to keep only its last elements has a
    window: {1: State("past_k0", window=256)}. States that the file names need not be given.

    The others help to find a fault, or to measure what an optimisation gains. None means what the environment variable
    says and, if that is not set, on:

    `fuse_operators`: joins operators with those before them (KUIPER_FUSION).
    `place_results`: writes concatenated channels directly to their place (KUIPER_PLACEMENT).
    `convolution_method`: computes the convolutions that it suits by this method, such as "rows"; "auto" chooses a
    method for each (KUIPER_CONVOLUTION).
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
        measure_methods: bool = False,
        fuse_operators: bool | None = None,
        place_results: bool | None = None,
        convolution_method: str | None = None,
        max_state_length: int | None = None,
        state_type: str | None = None,
        states: Mapping[int | str, str | State] | None = None,
    ) -> None:
        given = locals()  # before there are other names than the arguments
        options = _build_options.checked({keyword: given[keyword] for keyword in _build_options.TABLE})
        options["states"] = checked_states(states)
        self._options = options
        self.threads: int = options["threads"]
        self.precision: str = options["precision"]
        self.max_memory: int | None = options["max_memory"]
        self.cache: str | None = options["cache"]
        self.measure_methods: bool = options["measure_methods"]
        self.fuse_operators: bool | None = options["fuse_operators"]
        self.place_results: bool | None = options["place_results"]
        self.convolution_method: str | None = options["convolution_method"]
        self.max_state_length: int | None = options["max_state_length"]
        self.state_type: str | None = options["state_type"]
        core_options = _build_options.for_core(options)
        if isinstance(param, bytes):
            if not isinstance(bin, bytes):
                raise TypeError("param is bytes: bin has to be the contents of the other file, as bytes")
            self.param, self.bin = None, None
            self._model = _core.Model.load_bytes(param, bin, core_options)
        else:
            if isinstance(bin, bytes):
                raise TypeError("bin is bytes: param has to be the contents of the other file, as bytes")
            self.param = path("param", param)
            self.bin = _bin_beside(self.param) if bin is None else path("bin", bin)
            param_bytes, bin_bytes = path_bytes("param", self.param), path_bytes("bin", self.bin)
            self._model = _core.Model.load_files(param_bytes, bin_bytes, core_options)
        self.inputs: tuple[ArrayInfo, ...] = tuple(ArrayInfo(*input) for input in self._model.inputs())
        """The inputs as the file records them, in its order. Batch and sizes may differ from the recorded ones where
        the network allows it (`output_info`)."""
        self.states: tuple[StateInfo, ...] = tuple(StateInfo(*state) for state in self._model.states())
        """The states: outputs that are inputs of the next run. They are neither in `inputs` nor in `outputs`."""
        self._names = tuple(input.name for input in self.inputs)
        self.outputs: tuple[ArrayInfo, ...] = tuple(ArrayInfo(*output) for output in self._model.outputs())
        """The outputs for inputs of the recorded shapes, in the file's order; those of a tuple are numbered."""

    def output_info(self, shapes: Mapping[str, Sequence[int]] | Sequence[Sequence[int]]) -> tuple[ArrayInfo, ...]:
        """Returns the outputs' types and shapes for inputs of other shapes, given by name or in order.

        Nothing is computed. Raises `KuiperError` if the network does not allow these shapes.
        """
        names = self._names
        ordered = [extents(name, shape) for name, shape in zip(names, in_order(names, shapes), strict=True)]
        return tuple(ArrayInfo(*output) for output in self._model.outputs_for(ordered))

    @overload
    def __call__(self, inputs: Mapping[str, Array], /, *, options: RunOptions | None = None) -> Outputs: ...
    @overload
    def __call__(self, *inputs: Array, options: RunOptions | None = None) -> Outputs: ...
    def __call__(self, *inputs: Any, options: RunOptions | None = None) -> Outputs:
        """Runs the model on arrays in the order of its inputs, or on one dictionary of arrays by the inputs' names.

        Inputs are NumPy arrays or anything with the buffer protocol or DLPack, such as PyTorch's tensors on the CPU.
        Contiguous inputs are read in place. Returns the output as a NumPy array, or a tuple of arrays if there are
        several outputs.
        """
        outputs = self.run(by_name_or_in_order(inputs), options)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def run(self, inputs: Mapping[str, Array] | Sequence[Array], options: RunOptions | None = None) -> list[np.ndarray]:
        """Runs the model and returns a list of all outputs in the file's order, even if there is only one."""
        return self._model.run(in_order(self._names, inputs), *run_arguments(options))

    def session(self) -> Session:
        """Returns a session, whose runs continue the model's states. `run` begins with the first values each time."""
        return Session(self._model, self._names)

    def run_together(
        self,
        sessions: Sequence[Session],
        inputs: Sequence[Mapping[str, Array] | Sequence[Array]],
        options: RunOptions | None = None,
    ) -> list[list[np.ndarray]]:
        """Runs several sessions of this model at once, each on its own inputs and states.

        Returns the outputs of each. The sessions share the reading of weights, even if the shapes of their inputs
        differ, so that a step of many sequences takes little longer than a step of one. After an error all states are
        as before.
        """
        return run_together(self._model, self._names, sessions, inputs, options)

    def info(self) -> ModelInfo:
        """Returns the model's inputs, outputs, operators, weights and memory; prints as a table."""
        return ModelInfo(inputs=self.inputs, outputs=self.outputs, **_core.describe(self._model))

    def profile(
        self, *inputs: Array | Mapping[str, Array], runs: int = 10, options: RunOptions | None = None
    ) -> Profile:
        """Returns the time of each step of a run, in the fastest of `runs` runs; prints as a table.

        `options` hold for all runs together, here and in the functions below: their deadline ends the measurement.
        """
        arrays, count = self._ordered_of(inputs), integer("runs", runs, 1)
        return Profile(*_core.profile(self._model, arrays, count, *run_arguments(options)))

    def graph_text(
        self,
        *inputs: Array | Mapping[str, Array],
        full: bool = False,
        runs: int = 0,
        options: RunOptions | None = None,
    ) -> str:
        """Returns the graph as it is run, one line for each step, with shares of time if `runs` is not 0."""
        return self._graph(inputs, full, runs, options)[0]

    def graph_svg(
        self,
        *inputs: Array | Mapping[str, Array],
        full: bool = False,
        runs: int = 0,
        options: RunOptions | None = None,
    ) -> Svg:
        """Returns the graph as a picture, which notebooks show. Needs Graphviz's program `dot`."""
        return Svg.draw(self._graph(inputs, full, runs, options)[1])

    def report(
        self,
        page: str | os.PathLike[str],
        *inputs: Array | Mapping[str, Array],
        runs: int = 10,
        options: RunOptions | None = None,
    ) -> None:
        """Writes a page about the model that any browser shows: graph, time, memory, quantisation, machine.

        `kuiper report` writes the same page: a single file of HTML that needs no other file and no network.
        """
        target = path("page", page)
        text = self.report_html(*inputs, runs=runs, options=options)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)

    def report_html(
        self, *inputs: Array | Mapping[str, Array], runs: int = 10, options: RunOptions | None = None
    ) -> str:
        """Returns the page that `report` writes."""
        param, bin = path_bytes("param", self.param or ""), path_bytes("bin", self.bin or "")
        arrays, count = self._ordered_of(inputs), integer("runs", runs, 1)
        built_with = _build_options.for_core(self._options)
        return _core.report(self._model, arrays, param, bin, built_with, count, *run_arguments(options))

    def operands(self, *inputs: Array | Mapping[str, Array]) -> dict[str, np.ndarray]:
        """Runs without optimisation and returns every array between operators by its name in the file."""
        return _core.operands(self._model, self._ordered_of(inputs))

    def _graph(self, inputs: tuple[Any, ...], full: bool, runs: int, options: RunOptions | None) -> tuple[str, str]:
        """Returns the graph as text and in Graphviz's language."""
        param = path_bytes("param", self.param or "")
        arrays, count = self._ordered_of(inputs), integer("runs", runs, 0)
        return _core.graph(self._model, arrays, param, bool(full), count, *run_arguments(options))

    def _ordered_of(self, inputs: tuple[Any, ...]) -> Sequence[Any]:
        return in_order(self._names, by_name_or_in_order(inputs))

    def __repr__(self) -> str:
        inputs = ", ".join(f"{input.name}: {input.dtype}{list(input.shape or ())}" for input in self.inputs)
        return f"<kuiper_infer.Model {self.param or 'from memory'} ({inputs})>"

    def _repr_html_(self) -> str:
        title = f"Model {'from memory' if self.param is None else _shown(self.param)}, precision {self.precision}"
        arrays = _html.table(ARRAY_HEADER, array_rows(self.inputs, self.outputs), words=range(4))
        return _html.paragraph(title, bold=True) + arrays

    def __reduce__(self) -> tuple[Any, ...]:
        if self.param is None:
            raise TypeError("a model made of bytes cannot be pickled: load it from files")
        return _load, (self.param, self.bin, self._options)


def _shown(path: str) -> str:
    """Returns the path as text without surrogates."""
    return os.fsencode(path).decode("utf-8", "replace")


def _bin_beside(param: str) -> str:
    stem, extension = os.path.splitext(param)
    if extension == ".param":
        return stem + ".bin"
    way = _core.way_from_foreign_file(path_bytes("param", param))
    found = way or "expected NAME.param: export a model (docs/exporting.md), or give bin, too"
    raise ValueError(f"param is {param!r}, {found}")


def _load(param: str, bin: str, options: dict[str, Any]) -> Model:
    return Model(param, bin, **options)
