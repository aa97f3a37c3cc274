# SPDX-License-Identifier: MIT
"""The paths below `/openai/v1`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from kuiper_infer import Answers

from ..body import read_body as read_bytes
from ..config import Limits
from ..data_plane import ServiceDataPlane, count_answer, report
from ..disconnect import while_connected
from ..errors import ServeError, Status, shown
from ..served_model import ServedModel
from .answers import Form
from .bodies import ChatBody, CompletionBody, read_body
from .chat_answers import ChatForm
from .completion_answers import CompletionForm
from .embeddings import EmbeddingBody
from .error_answers import described, error_response
from .generation import Generation

PREFIX = "/openai"  # KServe's


class OpenAIEndpoints:
    """Answers the requests."""

    def __init__(self, dataplane: ServiceDataPlane, max_body: int, body_seconds: float) -> None:
        self._dataplane = dataplane
        self._max_body = max_body
        self._body_seconds = body_seconds

    async def models(self) -> Response:
        """All models that generate text."""
        found = self._dataplane.repository.get_models()
        entries = [_entry(name, model.generation) for name, model in found.items() if model.generation is not None]
        return JSONResponse({"object": "list", "data": entries})

    async def model(self, model_name: str) -> Response:
        """One model."""
        try:
            return JSONResponse(_entry(model_name, self._find(model_name)))
        except ServeError as error:
            return error_response(error)

    async def chat(self, request: Request) -> Response:
        """Answers a conversation."""
        return await self._told(request, self._generated(request, ChatBody))

    async def completion(self, request: Request) -> Response:
        """Continues texts."""
        return await self._told(request, self._generated(request, CompletionBody))

    async def embeddings(self, request: Request) -> Response:
        """Turns texts into vectors."""
        return await self._told(request, self._embedded(request))

    async def beyond(self, path: str) -> Response:
        """Tells that there is no such path."""
        return error_response(ServeError(Status.NOT_FOUND, f"there is no path {shown(PREFIX + '/v1/' + path)}"))

    async def _told(self, request: Request, answer: Awaitable[Response]) -> Response:
        try:
            response = await answer
        except Exception as error:  # each gets a status
            told = report(error, "openai", request.url.path)
            count_answer("openai", str(told.status.http))
            return error_response(told)
        if not isinstance(response, StreamingResponse):
            count_answer("openai", "200")
        return response

    async def _embedded(self, request: Request) -> Response:
        body = read_body(EmbeddingBody, await self._read(request))
        with self._dataplane.place():
            return JSONResponse(await while_connected(request, self._served(body.model).embed(body)))

    async def _generated(self, request: Request, kind: type[ChatBody] | type[CompletionBody]) -> Response:
        body: ChatBody | CompletionBody = read_body(kind, await self._read(request))
        generation = self._find(body.model)
        with contextlib.ExitStack() as held:
            held.enter_context(self._dataplane.place())
            answers, form = await self._start(generation, body)
            held.callback(answers.close)
            if not body.stream:
                return JSONResponse(await while_connected(request, form.whole(answers)))
            events = _events(form, answers, held.pop_all())
        return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-cache"})

    async def _start(self, generation: Generation, body: ChatBody | CompletionBody) -> tuple[Answers, Form]:
        deadline = time.monotonic() + generation.config.timeout_seconds
        options = body.options(generation.config.max_tokens, deadline)
        choices = body.n or 1
        if isinstance(body, ChatBody):
            tokens, grammar = await asyncio.to_thread(generation.chat_prompt, body)
            form = ChatForm(body, generation.tokenizer, [generation.reader(grammar) for _ in range(choices)])
            return generation.start([tokens], choices, options, grammar), form
        prompts = await asyncio.to_thread(generation.completion_prompts, body)
        if body.echo and body.logprobs is not None:
            raise ServeError(Status.INVALID, "the log-probabilities of an echoed prompt are not computed")
        echoed = [text for text in generation.texts(prompts) for _ in range(choices)] if body.echo else None
        return generation.start(prompts, choices, options), CompletionForm(body, generation.tokenizer, echoed)

    async def _read(self, request: Request) -> bytes:
        limits = Limits(max_json_bytes=self._dataplane.most_json_bytes())
        text, _ = await read_bytes(request, limits, self._max_body, self._body_seconds)
        return text

    def _served(self, model: str) -> ServedModel:
        name, _, version = model.rpartition("/")
        return self._dataplane.repository.find(name or model, version if name else None)

    def _find(self, model: str) -> Generation:
        found = self._served(model)
        if found.generation is None:
            raise ServeError(Status.INVALID, f"model {shown(model)} generates no text: it has no tokenizer.json")
        return found.generation


async def _events(form: Form, answers: Answers, held: contextlib.ExitStack) -> AsyncIterator[str]:
    """The events of a stream. Its end, also by a client that goes, frees the places of its answers."""
    status = str(Status.CLIENT_GONE.http)
    with held:
        try:
            async for event in form.stream(answers):
                yield event
            status = "200"
        except Exception as error:
            told = report(error, "openai", "a stream")
            status = str(told.status.http)
            yield f"data: {json.dumps(described(told))}\n\n"
        finally:
            count_answer("openai", status)


def openai_router(endpoints: OpenAIEndpoints) -> APIRouter:
    """The paths that are answered."""
    routes = APIRouter(prefix=PREFIX + "/v1", default_response_class=JSONResponse)
    routes.add_api_route("/models", endpoints.models, methods=["GET"], response_model=None)
    routes.add_api_route("/models/{model_name:path}", endpoints.model, methods=["GET"], response_model=None)
    routes.add_api_route("/chat/completions", endpoints.chat, methods=["POST"], response_model=None)
    routes.add_api_route("/completions", endpoints.completion, methods=["POST"], response_model=None)
    routes.add_api_route("/embeddings", endpoints.embeddings, methods=["POST"], response_model=None)
    routes.add_api_route("/{path:path}", endpoints.beyond, methods=["GET", "POST"], response_model=None)
    return routes


def _entry(name: str, generation: Generation) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": generation.created, "owned_by": "kuiper_infer"}
