# SPDX-License-Identifier: MIT
"""Generation of text by a decoder."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from typing import Any, Unpack, overload

from ._checks import integer
from ._generation.answer import Answer, Answers
from ._generation.decoder import Decoder
from ._generation.mailbox import Mailbox
from ._generation.options import GenerateKeywords, GenerateOptions
from ._generation.request import Request
from ._generation.scheduler import Scheduler
from ._model import Model
from .text import ChatTemplate, Message, Tokenizer
from .text._tokenizer import tokens_of

Prompt = str | Sequence[int]


class Generator:
    """Continues texts and conversations by a decoder (docs/decoders.md).

    Answers are computed on a thread of the generator, which `close` or the end of the generator ends: all that are
    asked for at a time share each step. Any number of threads and event loops may ask.

    `max_running`: answers that are computed at a time; others wait.
    `prompt_chunk`: tokens of a prompt that are computed in one run beside other answers.
    `prefix_cache_bytes`: memory for the states of texts that were computed. A prompt that begins with the same tokens,
    such as a conversation that goes on, begins behind them.
    `chat_template`: a template in Jinja's language; None: the tokenizer's.
    """

    def __init__(
        self,
        model: Model,
        tokenizer: Tokenizer,
        *,
        chat_template: str | None = None,
        max_running: int = 8,
        prompt_chunk: int = 32,
        prefix_cache_bytes: int = 256 << 20,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self._decoder = Decoder(model)
        self._chat_text = chat_template
        self._chat: tuple[ChatTemplate, list[int]] | None = None
        self._scheduler = Scheduler(
            self._decoder,
            tokenizer,
            max_running=integer("max_running", max_running, 1),
            prompt_chunk=integer("prompt_chunk", prompt_chunk, 1),
            prefix_cache_bytes=integer("prefix_cache_bytes", prefix_cache_bytes, 0, 2**63 - 1),
        )
        self._end = weakref.finalize(self, self._scheduler.close)

    @overload
    def generate(self, prompt: Prompt, **options: Unpack[GenerateKeywords]) -> Answer: ...
    @overload
    def generate(self, prompt: Sequence[Prompt], **options: Unpack[GenerateKeywords]) -> Answers: ...
    def generate(self, prompt: Any, **options: Unpack[GenerateKeywords]) -> Answers:
        """Continues a text, or tokens. Returns an iterator of `Piece`, which is an asynchronous one as well.

        Several prompts run together, and each ends by itself: `Piece.index` tells which one a piece belongs to. If
        there is a seed, prompt number i has the seed plus i. `GenerateOptions` describes the options.

        Raises `ValueError` for a prompt that is empty or that leaves no room for an answer, and for options that are
        not possible.
        """
        if _is_prompt(prompt):
            return self._start([self._tokens(prompt)], GenerateOptions(**options), Answer)
        return self._start([self._tokens(each) for each in prompt], GenerateOptions(**options), Answers)

    def chat(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Mapping[str, Any]] | None = None,
        template_variables: Mapping[str, Any] | None = None,
        **options: Unpack[GenerateKeywords],
    ) -> Answer:
        """Answers a conversation: a list of {"role": ..., "content": ...}.

        Names of special tokens in messages are text. `tools` and `template_variables` go to the chat template. The
        template needs the package jinja2. What a conversation has in common with earlier ones is not computed again.
        """
        template, endings = self._template()
        parts = template.render(messages, tools=tools, **(template_variables or {}))
        tokens = self.tokenizer.encode_parts(parts)
        answer = self._start([tokens], GenerateOptions(**options), Answer, endings)
        assert isinstance(answer, Answer)
        return answer

    @property
    def max_length(self) -> int | None:
        """The most tokens of prompt and answer together; None if there is no limit."""
        return self._scheduler.max_length

    def close(self) -> None:
        """Cancels all answers and ends the generator's thread."""
        self._end()

    def __enter__(self) -> Generator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _template(self) -> tuple[ChatTemplate, list[int]]:
        if self._chat is None:
            template = ChatTemplate(self.tokenizer, self._chat_text)
            self._chat = template, template.endings()
        return self._chat

    def _tokens(self, prompt: Any) -> Sequence[int]:
        if isinstance(prompt, str):
            return self.tokenizer.encode(prompt)
        return tokens_of("prompt", prompt)

    def _start(
        self, prompts: Sequence[Sequence[int]], options: GenerateOptions, kind: type[Answers],
        endings: Sequence[int] = (),
    ) -> Answers:  # fmt: skip
        mailbox = Mailbox()
        requests = []
        for index, tokens in enumerate(prompts):
            self._decoder.check_prompt(tokens, self.max_length)
            requests.append(
                Request(
                    tokens, options.of_answer(index), self.tokenizer, self._decoder.vocabulary, mailbox.put, index,
                    endings,
                )
            )  # fmt: skip
        return kind(self._scheduler, requests, mailbox, self)


def _is_prompt(prompt: Any) -> bool:
    """Whether it is one prompt: a text, or a list of tokens."""
    if isinstance(prompt, str) or not isinstance(prompt, Sequence):
        return True
    return bool(prompt) and not isinstance(prompt[0], (str, Sequence))
