# SPDX-License-Identifier: MIT
"""Runs that continue each other: a model's states from run to run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from . import _core
from ._checks import MOST_EXTENT, integer, path, path_bytes
from ._core import StateSnapshot
from ._inputs import Array, in_order
from ._options import RunOptions, run_arguments


class Session:
    """A model with states of its own, made by `Model.session()`.

    A state is an output that is an input of the next run: keys and values of attention, the hidden state of a recurrent
    layer, the last frames of a stream. It is neither among the inputs to give nor among the outputs. Where the model
    joins new elements to it, the state grows; otherwise the output replaces it. After an error in a run the states are
    what they were before it.

    A session is used by one thread at a time. Any number of sessions of a model may run at once.
    """

    def __init__(self, model: _core.Model, names: Sequence[str]) -> None:
        self._model = model
        self._names = names
        self._session = model.session()

    def run(self, inputs: Mapping[str, Array] | Sequence[Array], options: RunOptions | None = None) -> list[np.ndarray]:
        """Runs the model on its states and on these inputs, and returns a list of all outputs that are no states."""
        return self._session.run(self._model, in_order(self._names, inputs), *run_arguments(options))

    def set_state(self, name: str, array: Array) -> None:
        """Sets a state, by the name of its input, to a copy of an array: mostly before the first run."""
        self._session.set_state(name, array)

    @property
    def length(self) -> int:
        """The number of elements of the first state that grows, such as tokens; 0 if there is none.

        With a window it is the number that the state holds, at most the window.
        """
        return self._session.length()

    @property
    def state_bytes(self) -> int:
        """Bytes of memory of the states."""
        return self._session.state_bytes()

    def reset(self) -> None:
        """Gives all states their first values: the file's, otherwise zeros, and no elements if a state grows."""
        self._session.reset()

    def truncate(self, length: int) -> None:
        """Drops the last elements of all states that grow, so that `length` are left.

        Raises `KuiperError` if there are fewer, if a state is replaced in each run, or if its window has dropped
        elements: such a state can only be restored.
        """
        self._session.truncate(integer("length", length, 0, MOST_EXTENT))

    def snapshot(self) -> StateSnapshot:
        """Returns a copy of the states, which later runs don't change."""
        return self._session.snapshot()

    def restore(self, snapshot: StateSnapshot) -> None:
        """Sets the states to those of a snapshot of this session or of another session of the same model."""
        if not isinstance(snapshot, StateSnapshot):
            raise TypeError(f"snapshot is {type(snapshot).__name__}, expected what Session.snapshot returned")
        self._session.restore(snapshot)

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the states to a file, which is complete or not there."""
        self._session.save(path_bytes("file", path("file", file)))

    def load(self, file: str | os.PathLike[str]) -> None:
        """Reads states that `save` wrote for the same model. Raises `KuiperError` for any other file."""
        self._session.load(path_bytes("file", path("file", file)))


def run_together(
    model: _core.Model,
    names: Sequence[str],
    sessions: Sequence[Session],
    inputs: Sequence[Mapping[str, Array] | Sequence[Array]],
    options: RunOptions | None,
) -> list[list[np.ndarray]]:
    """Runs sessions of a model at once (`Model.run_together`)."""
    for index, session in enumerate(sessions):
        if not isinstance(session, Session):
            raise TypeError(f"session {index} is {type(session).__name__}, expected what Model.session returned")
    given = [in_order(names, each) for each in inputs]
    return _core.run_together([s._session for s in sessions], model, given, *run_arguments(options))
