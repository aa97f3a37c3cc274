# SPDX-License-Identifier: MIT
"""One answer, from its prompt to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from .. import _core
from .._session import Session
from ..text import Tokenizer, log_probabilities
from .options import GenerateOptions
from .pieces import Piece

# Where an answer's pieces go, and at last, in place of a last piece, what failed. It is called on the scheduler's
# thread.
Deliver = Callable[[Piece | BaseException], None]

_FORBIDDEN = -1e30  # a logit that makes a token impossible, and that the library takes for a number


class Request:
    """An answer. `submit` of a scheduler starts it; all but `cancelled` belongs to the scheduler from then on."""

    def __init__(
        self,
        prompt: Sequence[int],
        options: GenerateOptions,
        tokenizer: Tokenizer,
        vocabulary: int,
        deliver: Deliver,
        index: int = 0,
        endings: Sequence[int] = (),
    ) -> None:
        self.tokens = list(prompt)  # of prompt and answer
        self.prompt_length = len(prompt)
        self.options = options
        self.deliver = deliver
        self.index = index
        self.cancelled = False
        self.session: Session | None = None
        self.computed = 0  # tokens that the session's states hold
        self.kept = 0  # tokens of the prompt that did not have to be computed
        self.submitted = time.monotonic()
        self.last_token = 0.0  # when the last token came; 0: none has
        self._choices = min(vocabulary, tokenizer.size)  # models may have more logits than there are tokens
        self._sampler = options.sampler(self._choices)
        self._sampler.add_prompt(prompt)
        self._decoder = tokenizer.stream()
        self._stop = _core.StopFilter(options.stop_texts())
        self._endings = set() if options.ignore_endings else {*tokenizer.endings, *endings}
        self._endings.update(options.stop_tokens)

    @property
    def prompt_read(self) -> bool:
        """Whether all tokens of the prompt but the last one are computed."""
        return self.session is not None and self.computed >= self.prompt_length - 1

    @property
    def answered(self) -> int:
        """The number of tokens of the answer."""
        return len(self.tokens) - self.prompt_length

    def take(self, logits: np.ndarray, room: int | None) -> Piece:
        """Chooses the next token and returns its piece. `room`: tokens that prompt and answer may have together."""
        row = logits[: self._choices]
        chosen_from = row if self.options.logits_processor is None else self._processed(row)
        token = self._sampler.sample(chosen_from)
        self._sampler.add(token)
        self.tokens.append(token)
        count = self.options.logprobs
        told = None if count is None else log_probabilities(row, token, count)
        text, finish = "", None
        if token in self._endings:
            finish = "stop"
        else:
            text = self._stop.push(self._decoder.push(token))
            if self._stop.stopped():
                return Piece(text, token, "stop", told, self.index)
            if self.answered == self.options.max_tokens or len(self.tokens) == room:
                finish = "length"
        if finish is not None:
            text += self._rest()
            finish = "stop" if self._stop.stopped() else finish
        return Piece(text, token, finish, told, self.index)

    def end(self, reason: str) -> Piece:
        """The last piece of an answer that ends without another token."""
        return Piece(self._rest(), None, reason, None, self.index)

    def _rest(self) -> str:
        """The text that was held back, up to a text that ends the answer."""
        return self._stop.push(self._decoder.finish()) + self._stop.finish()

    def _processed(self, row: np.ndarray) -> np.ndarray:
        given = row.copy()
        assert self.options.logits_processor is not None
        returned = self.options.logits_processor(tuple(self.tokens), given)
        result = np.asarray(given if returned is None else returned, np.float32)
        if result.shape != row.shape:
            raise ValueError(f"logits_processor returned the shape {result.shape}, expected {row.shape}")
        if not (result > -np.inf).any():
            raise ValueError("logits_processor forbids all tokens")
        return np.maximum(result, np.float32(_FORBIDDEN))
