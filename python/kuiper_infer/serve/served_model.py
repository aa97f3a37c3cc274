# SPDX-License-Identifier: MIT
"""One version of a model in the service: the engine's model, its queue and the facts about its arrays."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from kserve import InferRequest, InferResponse
from kserve.model import InferenceModel

from kuiper_infer import ArrayInfo, KuiperError, Model, ModelInfo, RunOptions
from kuiper_infer._batch_axis import Shapes, why_rows_fixed, why_rows_mix

from . import folder, tensors
from .batching import Batcher, batch_sizes
from .config import ModelConfig, read_config
from .errors import ServeError, Status, shown
from .files import require_regular
from .folder import Place
from .metrics import ModelMetrics
from .openai.embeddings import Embedding, EmbeddingBody, is_encoder, tried_row
from .openai.generation import Generation, tokenizer_beside
from .statistics import Statistics
from .trial import outputs_as_run

_log = logging.getLogger("kserve.kuiper_infer")


@dataclass(frozen=True)
class Loaded:
    """A loaded version. It is made on a thread, because that takes long."""

    engine: Model
    info: ModelInfo
    config: ModelConfig
    outputs: tuple[ArrayInfo, ...]
    sizes: tuple[int, ...]  # of batches
    described_inputs: list[dict[str, Any]]  # as the protocol has it
    described_outputs: list[dict[str, Any]]
    generation: Generation | None  # if there is a tokenizer and the model is a decoder
    embedding: Embedding | None  # if there is a tokenizer and the model encodes sentences


def load(root: Path, place: Place) -> Loaded:
    """Reads a version's files and finds out whether its requests may run together."""
    path = place.folder(root)
    config = read_config(path / folder.CONFIG)
    for name in (folder.PARAM, folder.BIN):
        require_regular(path / name)
    engine = Model(str(path / folder.PARAM), str(path / folder.BIN), **config.model_options())
    outputs, reason = outputs_as_run(engine)
    if reason is not None:
        _log.warning("%s/%d: no trial of it succeeded: %s", place.name, place.version, reason)
    sizes = batch_sizes(config.batching.max_size)
    encodes = is_encoder(engine)
    names = (*folder.TOKENIZERS, folder.VOCABULARY) if encodes else folder.TOKENIZERS
    tokenizer = tokenizer_beside(path, names)
    encoder = encodes and tokenizer is not None
    row = tried_row(engine) if encoder else None
    reason = why_rows_fixed(engine, sizes, row)
    free_rows = reason is None
    if len(sizes) > 1:
        reason = reason or why_rows_mix(engine, row)
        if reason is not None:
            _log.warning("%s/%d: requests are not joined to batches: %s", place.name, place.version, reason)
            sizes = (1,)
    sizes = tuple(size for size in sizes if size == 1 or _planned(engine, size, row, place))
    return Loaded(
        engine,
        engine.info(),
        config,
        outputs,
        sizes,
        [tensors.metadata_of(info, free_rows) for info in engine.inputs],
        [tensors.metadata_of(info, free_rows) for info in outputs],
        None if tokenizer is None or encoder else Generation(place, engine, config, tokenizer),
        Embedding(config, tokenizer) if tokenizer is not None and encoder else None,
    )


def _planned(engine: Model, rows: int, row: Shapes | None, place: Place) -> bool:
    """Runs that number of rows once, so that the engine plans it now, and no request has to wait for planning.

    `row`: the shapes of inputs of one row; None: the recorded ones.
    """
    shapes = row or [info.shape or () for info in engine.inputs]
    try:
        engine.run(
            [np.zeros((rows, *shape[1:]), info.dtype) for info, shape in zip(engine.inputs, shapes, strict=True)]
        )
    except KuiperError as error:
        _log.warning("%s/%d: there are no batches of %d: %s", place.name, place.version, rows, error)
        return False
    return True


class ServedModel(InferenceModel):
    """Answers the protocol's requests to one version.

    It is no `kserve.Model`, whose time for three steps and their histograms is a tenth of a millisecond for a request.
    """

    def __init__(self, place: Place, loaded: Loaded, cores: int) -> None:
        super().__init__(place.name)
        self.place = place
        self.loaded = loaded
        self.generation = loaded.generation
        config = loaded.config
        self.workers = config.workers or cores
        self.statistics = Statistics()
        self._metrics = ModelMetrics(place.name, str(place.version), self.statistics)
        self._batcher = Batcher(
            self._run,
            sizes=loaded.sizes,
            workers=self.workers,
            max_wait=config.batching.max_wait_ms / 1000,
            max_queue=config.limits.max_queue,
            observer=self._metrics,
            name=f"{place.name}/{place.version}",
        )

    def start(self) -> None:
        """Is called when the version begins to answer."""
        super().start()
        self._metrics.start()

    @property
    def alive(self) -> bool:
        """Whether its workers take requests."""
        return self._batcher.alive and (self.generation is None or self.generation.alive)

    def get_input_types(self) -> list[dict[str, Any]]:
        """The protocol's description of the inputs."""
        return self.loaded.described_inputs

    def get_output_types(self) -> list[dict[str, Any]]:
        """The protocol's description of the outputs."""
        return self.loaded.described_outputs

    async def __call__(self, body: Any, headers: Any = None, verb: Any = None) -> tuple[InferResponse, dict[str, str]]:
        """Called by KServe to run the model."""
        return await self.answer(body), {}

    async def answer(self, request: InferRequest) -> InferResponse:
        """Answers a request and counts it."""
        begun = time.monotonic()
        rows = None
        try:
            response = await self._answer(request)
            rows = self._rows(request)
            return response
        finally:
            self.statistics.answered(rows, time.monotonic() - begun)

    def _rows(self, request: InferRequest) -> int:
        shape = self.loaded.described_inputs[0]["shape"] if self.loaded.described_inputs else []
        return request.inputs[0].shape[0] if shape and shape[0] == -1 and request.inputs[0].shape else 1

    async def _answer(self, request: InferRequest) -> InferResponse:
        """Checks the request, queues its arrays until they have run, and makes the response of the outputs."""
        begun = time.monotonic()
        infos, limits = self.loaded.outputs, self.loaded.config.limits
        tensors.check_requested(request, infos)
        inputs = tensors.inputs_of(request, self.loaded.engine.inputs, limits.max_request_bytes)
        deadline = begun + _timeout(request, limits.timeout_seconds)
        self._metrics.phase("decode", time.monotonic() - begun)
        outputs = await self._batcher.submit(inputs, deadline)
        begun = time.monotonic()
        response = tensors.response_of(
            request, self.name, str(self.place.version), infos, outputs, limits.max_response_bytes
        )
        self._metrics.phase("encode", time.monotonic() - begun)
        return response

    async def embed(self, body: EmbeddingBody) -> dict[str, Any]:
        """Answers a request for embeddings."""
        if self.loaded.embedding is None:
            said = f"model {shown(body.model)} gives no embeddings: it is no encoder with a tokenizer.json"
            raise ServeError(Status.INVALID, said)
        at_once = min(self.loaded.sizes[0] * self.workers, self.loaded.config.limits.max_queue)
        return await self.loaded.embedding.answer(body, self._batcher.submit, at_once)

    async def close(self) -> None:
        """Answers the requests that were accepted, then ends."""
        self.ready = False
        await self._batcher.close()
        if self.generation is not None:
            await asyncio.to_thread(self.generation.close)

    def forget_metrics(self) -> None:
        """Removes the version's gauges unless another load of it has taken its place."""
        self._metrics.remove()
        if self.generation is not None:
            self.generation.forget_metrics()

    def _run(self, inputs: list[np.ndarray], options: RunOptions) -> list[np.ndarray]:
        return self.loaded.engine.run(inputs, options)


def _timeout(request: InferRequest, default: float) -> float:
    """Seconds until the request's deadline: its parameter `timeout` (in microseconds, as Triton's clients send it)."""
    given = request.parameters["timeout"] if request.parameters and "timeout" in request.parameters else None
    if given is None:
        return default
    choice = given.WhichOneof("parameter_choice") if hasattr(given, "WhichOneof") else None
    value = getattr(given, choice) if choice else given
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ServeError(
            Status.INVALID, f"the parameter 'timeout' is {shown(value)}, expected microseconds as an integer"
        )
    return min(value / 1e6, default) if value > 0 else default


async def load_in_thread(root: Path, place: Place, cores: int) -> ServedModel:
    """Loads a version in a thread beside the event loop, and starts its workers in the loop: `cores`, by default."""
    return ServedModel(place, await asyncio.to_thread(load, root, place), cores)
