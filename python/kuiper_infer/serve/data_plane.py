# SPDX-License-Identifier: MIT
"""The questions of both protocols: are the service and its models live and ready, what are they, and inference."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from kserve import InferRequest, InferResponse
from kserve.protocol.dataplane import DataPlane

import kuiper_infer

from .config import Limits
from .errors import ServeError, Status, as_serve_error
from .metrics import ANSWERS
from .repository import Repository, Watch

_log = logging.getLogger("kserve.kuiper_infer")

# Which models have to answer for the service to be ready.
READY_RULES = ("any", "all")

Result = TypeVar("Result")


class ServiceDataPlane(DataPlane):
    """KServe's data plane with versions of models and with true answers about the service's state."""

    def __init__(self, repository: Repository, watch: Watch, max_requests: int, ready_rule: str = "any",
                 reports: bool = False) -> None:  # fmt: skip
        super().__init__(repository)
        self.repository = repository
        self.watch = watch
        self.watch_failed = False
        self.stopping = False
        self._max_requests = max_requests
        self._ready_rule = ready_rule
        self.reports = reports
        self._requests = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="long")

    def start_watch(self) -> asyncio.Task[None]:
        """Begins to load the folder's models and to watch it. If that ends by itself, the service is no longer live."""
        watching = asyncio.create_task(self.watch.run(), name="watch")
        watching.add_done_callback(self._watch_ended)
        return watching

    def _watch_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.watch_failed = True
            _log.critical("the watch over the folder of models ended", exc_info=task.exception())

    async def live(self) -> dict[str, str]:  # type: ignore[override]  # KServe's is static, since it knows no state
        """Live: the folder is watched, and each model's workers take requests."""
        alive = not self.watch_failed and all(model.alive for model in self.repository.served.values())
        return {"status": "alive" if alive else "dead"}

    async def ready(self) -> bool:
        """Ready: everything that the folder held at the start has been tried, models answer, and the service is not
        about to end.

        By the rule "all" each model in the folder has to have a version that answers. By the rule "any" one of them has
        to, if there are any.
        """
        if self.stopping or not self.repository.settled or (await self.live())["status"] != "alive":
            return False
        wanted, answering = self.watch.names, self.repository.get_models().keys()
        return wanted <= answering if self._ready_rule == "all" else bool(answering) or not wanted

    def metadata(self) -> dict[str, Any]:
        """Name, version and extensions of the service."""
        extensions = ["binary_tensor_data", "statistics", "model_info", *(["report"] if self.reports else [])]
        return {"name": "kuiper_infer", "version": kuiper_infer.__version__, "extensions": extensions}

    def version_metadata(self, name: str, version: str | None) -> dict[str, Any]:
        """The protocol's description of a model."""
        model = self.repository.find(name, version)
        versions = [version] if version else [str(v) for v in self.repository.versions(name)]
        return {
            "name": name,
            "platform": "kuiper_infer_pnnx",
            "inputs": model.get_input_types(),
            "outputs": model.get_output_types(),
            "versions": versions,
        }

    def version_ready(self, name: str, version: str | None) -> bool:
        """Whether a model answers. Raises a ServeError if the folder holds no such model."""
        try:
            return self.repository.find(name, version).ready
        except ServeError as error:
            if error.status is Status.UNAVAILABLE:
                return False
            raise

    def repository_index(self) -> list[dict[str, str]]:
        """All versions that the folder holds, whether they answer, and why one that does not."""
        served, failures = self.repository.served, self.repository.failures
        found = []
        for place in sorted(served.keys() | failures.keys() | self.watch.loading):
            state = "READY" if place in served else "UNAVAILABLE" if place in failures else "LOADING"
            version, reason = str(place.version), failures.get(place, "")
            found.append({"name": place.name, "version": version, "state": state, "reason": reason})
        return found

    def statistics(self, name: str | None, version: str | None) -> list[dict[str, Any]]:
        """The statistics of all versions that answer, of a model's, or of one."""
        models = [self.repository.served[place] for place in sorted(self.repository.served)]
        if name is not None:
            of_name = self.repository.find(name, version)
            models = [of_name] if version else [model for model in models if model.place.name == name]
        return [model.statistics.described(model.place.name, model.place.version) for model in models]

    @contextlib.contextmanager
    def place(self) -> Iterator[None]:
        """Takes one of the places for inference requests that have arrived. Raises a ServeError if there is none."""
        if self._requests >= self._max_requests:
            raise ServeError(Status.UNAVAILABLE, f"{self._requests} requests are being served already")
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1

    async def compute(self, long: bool, function: Callable[..., Result], *arguments: Any) -> Result:
        """Returns the result of `function`. A long one runs on a thread, so that the event loop goes on meanwhile.

        There is only one thread for that: reading and writing JSON holds the interpreter's lock and takes much memory,
        so that several at a time would gain nothing.
        """
        if not long:
            return function(*arguments)
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    def limits(self, name: str, version: str | None) -> Limits:
        """The limits of a model's requests."""
        return self.repository.find(name, version).loaded.config.limits

    def most_json_bytes(self) -> int:
        """The largest of all models' limits for data that is not raw: a message's model is known only after parsing."""
        served = self.repository.served.values()
        return max((model.loaded.config.limits.max_json_bytes for model in served), default=Limits.max_json_bytes)

    async def answer(self, request: InferRequest, version: str | None) -> InferResponse:
        """Returns the result of a request."""
        return await self.repository.find(request.model_name, version).answer(request)


def report(error: Exception, protocol: str, what: str) -> ServeError:
    """Turns an exception into an error for the client. Faults of the service are logged with their trace."""
    told = as_serve_error(error)
    if told.status is Status.INTERNAL:
        _log.error("%s: %s failed", protocol, what, exc_info=error)
    return told


def count_answer(protocol: str, status: str) -> None:
    """Counts the answer to an inference request."""
    ANSWERS.labels(protocol, status).inc()
