# SPDX-License-Identifier: MIT
"""How programs name states: outputs that are inputs of the next run of a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ._checks import MOST_EXTENT, integer


class State(NamedTuple):
    """The input that an output is in the next run of a session, for `states=` of `Model` and `export`."""

    input: str  #: its name
    window: int | None = None  #: the most elements that a growing state keeps, the last ones; None: as the file says


def checked_states(states: Mapping[int | str, str | State] | Mapping[str, str | State] | None) -> dict[str, State]:
    """Returns the states by the outputs' names or numbers. Raises TypeError or ValueError that names what is wrong."""
    if states is None:
        return {}
    if not isinstance(states, Mapping):
        raise TypeError(f"states is {type(states).__name__}, expected a dictionary of inputs' names by outputs")
    checked = {}
    for output, given in states.items():
        name, window = given if isinstance(given, State) else (given, None)
        if isinstance(output, bool) or not isinstance(output, (int, str)) or not isinstance(name, str):
            raise TypeError(
                f"states has {output!r}: {given!r}, expected an output's number or name, and an input's name or a State"
            )
        if window is not None:
            window = integer(f"the window of state {name!r}", window, 1, MOST_EXTENT)
        checked[str(output)] = State(name, window)
    return checked
