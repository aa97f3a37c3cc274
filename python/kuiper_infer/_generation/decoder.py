# SPDX-License-Identifier: MIT
"""A decoder: a model that takes tokens and gives the logits of the next one, and keeps states between its runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._model import Model
from .._session import Session

# Tokens of a run, besides `prompt_chunk`. A session has a plan for each number of tokens and keeps four of them; making
# one takes longer than the run of a few tokens.
_SHORT, _FEW, _ONE = 32, 8, 1


class PromptTooLong(ValueError):
    """A prompt that leaves no room for an answer."""


class Decoder:
    """A model as a decoder. Raises ValueError if it is none: what was found and what is expected."""

    def __init__(self, model: Model) -> None:
        self.model = model
        inputs, outputs = model.inputs, model.outputs
        expected = "a decoder takes int64 tokens (1,n), gives float32 logits (1,n,vocabulary), and has states"
        if len(inputs) != 1 or inputs[0].dtype != "int64" or len(inputs[0].shape or ()) != 2:
            found = ", ".join(f"{each.name}: {each.dtype} {each.shape}" for each in inputs)
            raise ValueError(f"the model has the inputs {found}; {expected}")
        shape = outputs[0].shape if len(outputs) == 1 and outputs[0].dtype == "float32" else None
        if shape is None or len(shape) != 3 or shape[2] < 1:
            found = ", ".join(f"{each.name}: {each.dtype} {each.shape}" for each in outputs)
            raise ValueError(f"the model has the outputs {found}; {expected}")
        if not model.states:
            raise ValueError(f"the model has no states; {expected}")
        self.vocabulary: int = shape[2]
        lengths = [state.max_length for state in model.states if state.max_length is not None]
        self.max_length: int | None = min(lengths, default=None)
        self._can_truncate = all(state.axis is not None and state.window is None for state in model.states)

    def check_prompt(self, tokens: Sequence[int], max_length: int | None) -> None:
        """Raises ValueError for a prompt that can't be continued. `max_length`: tokens of prompt and answer."""
        if not tokens:
            raise ValueError("the prompt has no tokens, expected at least one")
        if max_length is not None and len(tokens) >= max_length:
            raise PromptTooLong(
                f"the prompt has {len(tokens)} tokens, expected less than {max_length}, the most of prompt and answer"
            )
        wrong = next((token for token in tokens if not 0 <= token < self.vocabulary), None)
        if wrong is not None:
            raise ValueError(f"the prompt has the token {wrong}, expected 0 to {self.vocabulary - 1}")

    def session(self) -> Session:
        """A session for one text."""
        return self.model.session()

    def part(self, tokens: Sequence[int], computed: int, chunk: int) -> tuple[list[int], int]:
        """The tokens of a run that continues a session, which holds `computed` tokens, by the first of `tokens`, at
        most `chunk`; and how many of `tokens` these are. The rest is padding, because runs have few different sizes:
        `Session.truncate` takes it back."""
        count = min(len(tokens), chunk)
        if not self._can_truncate:
            return [*tokens[:count]], count
        size = next(each for each in (chunk, _SHORT, _FEW, _ONE) if each <= chunk and _worth_padding(count, each))
        if self.max_length is not None and computed + size > self.max_length:
            size = _ONE
        count = min(count, size)
        return [*tokens[:count], *[tokens[0]] * (size - count)], count

    def run(self, sessions: Sequence[Session], tokens: Sequence[Sequence[int]]) -> list[np.ndarray]:
        """Continues each session by tokens; returns for each the logits behind its last token."""
        given = [[np.array([each], np.int64)] for each in tokens]
        if len(sessions) == 1:
            outputs = [sessions[0].run(given[0])]
        else:
            outputs = self.model.run_together(sessions, given)
        return [logits[0, -1] for (logits,) in outputs]


def _worth_padding(count: int, size: int) -> bool:
    """Whether a run of `size` tokens takes less time for `count` of them than runs of the next smaller size."""
    return count >= {_ONE: 1, _FEW: 3}.get(size, size * 3 / 5)
