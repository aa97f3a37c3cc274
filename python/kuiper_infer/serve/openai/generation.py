# SPDX-License-Identifier: MIT
"""A model that generates text, as the service holds it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from kuiper_infer import Answers, GenerateOptions, KuiperError, Model
from kuiper_infer.text import ChatTemplate, ChatTemplateError, Tokenizer

from ..._generation.decoder import Decoder, PromptTooLong
from ..._generation.mailbox import Mailbox
from ..._generation.request import Request
from ..._generation.scheduler import Closed, QueueFull, Scheduler
from ..config import ModelConfig
from ..errors import ServeError, Status
from ..files import require_regular
from ..folder import TOKENIZERS, Place
from .bodies import ChatBody, CompletionBody
from .constraints import Grammar, Grammars
from .metrics import GenerationMetrics
from .tools import CallReader, functions, template_messages


class Generation:
    """Tokenizer, template and scheduler of one version of a model. It is made on a thread, because that takes long."""

    def __init__(self, place: Place, engine: Model, config: ModelConfig, tokenizer_file: Path) -> None:
        self.created = int(time.time())
        self.config = config.generation
        self.tokenizer = Tokenizer.load(tokenizer_file)
        self._decoder = Decoder(engine)
        self._chat: ChatTemplate | str = _template(self.tokenizer)
        self._endings = [] if isinstance(self._chat, str) else self._chat.endings()
        file = tokenizer_file.read_text("utf-8") if tokenizer_file.suffix == ".json" else None
        self._grammars = Grammars(self.tokenizer, file, [*self.tokenizer.endings, *self._endings], self._chat)
        self._metrics = GenerationMetrics(place.name, str(place.version))
        self._scheduler = Scheduler(
            self._decoder,
            self.tokenizer,
            max_running=self.config.max_running,
            max_queue=config.limits.max_queue,
            prompt_chunk=self.config.prompt_chunk,
            max_length=self.config.max_length,
            prefix_cache_bytes=self.config.prefix_cache_bytes,
            observer=self._metrics,
            name=f"{place.name}/{place.version}",
        )

    @property
    def alive(self) -> bool:
        """Whether answers would be computed."""
        return self._scheduler.alive

    def chat_prompt(self, body: ChatBody) -> tuple[list[int], Grammar | None]:
        """The tokens of a conversation and the grammar of its answer. It takes long, so it is work for a thread."""
        if isinstance(self._chat, str):
            raise ServeError(Status.INVALID, f"the model has no conversations: {self._chat}")
        tools = list(body.tools or []) if body.tool_choice != "none" and functions(body) else None
        variables = {name: value for name, value in (body.chat_template_kwargs or {}).items() if name.isidentifier()}
        try:
            messages = template_messages(body.messages)
            parts = self._chat.render(messages, tools=tools, **{"add_generation_prompt": True, **variables})
        except (ValueError, TypeError) as error:
            raise ServeError(Status.INVALID, str(error)) from None
        return self.tokenizer.encode_parts(parts), self._grammars.grammar(body)

    def reader(self, grammar: Grammar | None) -> CallReader | None:
        """Finds the calls of tools in one answer; None if there can't be any."""
        return None if grammar is None else self._grammars.reader(grammar)

    def completion_prompts(self, body: CompletionBody) -> list[list[int]]:
        """The tokens of each prompt. It takes long, so it is work for a thread."""
        prompts = [self.tokenizer.encode(each) if isinstance(each, str) else each for each in body.prompts()]
        if not prompts:
            raise ServeError(Status.INVALID, "there are no prompts, expected at least one")
        return prompts

    def texts(self, prompts: Sequence[list[int]]) -> list[str]:
        """The texts of prompts. Raises ServeError for tokens that have none."""
        try:
            return [self.tokenizer.decode(each) for each in prompts]
        except (KuiperError, TypeError, ValueError) as error:
            raise ServeError(Status.INVALID, f"the prompt can't be echoed: {error}") from None

    def start(
        self, prompts: Sequence[list[int]], choices: int, options: GenerateOptions, grammar: Grammar | None = None
    ) -> Answers:
        """Starts `choices` answers to each prompt. Answer number i has the seed plus i."""
        mailbox, requests = Mailbox(), []
        if len(prompts) * choices > self.config.max_answers:
            said = f"the request wants {len(prompts) * choices} answers, at most {self.config.max_answers} at a time"
            raise ServeError(Status.INVALID, said)
        try:
            for index, tokens in enumerate(each for each in prompts for _ in range(choices)):
                self._decoder.check_prompt(tokens, self._scheduler.max_length)
                chosen = options.of_answer(index)
                if grammar is not None:
                    constraint = self._grammars.constraint(grammar, len(tokens))
                    chosen = chosen.with_processor(constraint)
                requests.append(
                    Request(tokens, chosen, self.tokenizer, self._decoder.vocabulary, mailbox.put, index, self._endings)
                )
            return Answers(self._scheduler, requests, mailbox)
        except PromptTooLong as error:
            raise ServeError(Status.CONTEXT, str(error)) from None
        except (ValueError, TypeError) as error:
            raise ServeError(Status.INVALID, str(error)) from None
        except QueueFull as error:
            raise ServeError(Status.QUEUE_FULL, str(error)) from None
        except Closed:
            raise ServeError(Status.UNAVAILABLE, "the model is being retired") from None

    def close(self) -> None:
        """Finishes the answers that were accepted, then ends. It blocks."""
        self._scheduler.close(finish=True)

    def forget_metrics(self) -> None:
        """Removes the gauges."""
        self._metrics.remove()


def tokenizer_beside(folder: Path, names: Sequence[str] = TOKENIZERS) -> Path | None:
    """The first of these files that a model's folder has; None if it has no tokenizer."""
    for name in names:
        if (folder / name).exists():
            require_regular(folder / name)
            return folder / name
    return None


def _template(tokenizer: Tokenizer) -> ChatTemplate | str:
    """The template of conversations, or why there is none."""
    try:
        return ChatTemplate(tokenizer)
    except (ChatTemplateError, ImportError) as error:
        return str(error)
