# SPDX-License-Identifier: MIT
"""The service as an application of Ray Serve: replicas on one or more machines, among which Ray shares the requests.

    serve run kuiper_infer.serve.ray:application models=/srv/models

Each replica is a process that loads all models of the folder and answers the HTTP paths of `kuiper-serve`. Ray starts,
counts and replaces the replicas, and routes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import ray
from fastapi import FastAPI
from ray import serve

from .data_plane import ServiceDataPlane
from .logs import configure
from .options import read_values
from .server import dataplane_of, http_server_of


class Replica:
    """One replica. `options` are those of `application`."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        given = read_values(options)
        configure(given.log_level, given.log_format)
        self._settings = given.settings
        self._dataplane = dataplane_of(given.settings, _cores())
        self._watching: asyncio.Task[None] | None = None

    async def __serve_build_asgi_app__(self) -> FastAPI:
        """Called by Ray Serve, whose proxy listens, for the application that it hands requests to. Loads the models."""
        self._watching = self._dataplane.start_watch()
        await until_ready(self._dataplane, self._watching)
        return http_server_of(self._settings, self._dataplane).application()

    async def check_health(self) -> None:
        """Called by Ray Serve, which replaces a replica that raises."""
        if (await self._dataplane.live())["status"] != "alive":
            raise RuntimeError("the watch over the folder of models or the workers of a model have ended")

    async def __del__(self) -> None:
        """Called by Ray Serve when the requests that the replica had accepted are answered."""
        watching = getattr(self, "_watching", None)  # if __init__ has come that far
        if watching is not None:
            self._dataplane.stopping = True
            watching.cancel()
            await self._dataplane.repository.close()


# Its options may be set by `deployment.options`, or under the name `kuiper` in a configuration of Ray Serve.
deployment = serve.deployment(name="kuiper", max_ongoing_requests=64, graceful_shutdown_timeout_s=30)(
    serve.ingress()(Replica)
)


def application(options: Mapping[str, Any]) -> serve.Application:
    """Makes the application of the options of `kuiper-serve`, but for those that say how it listens and ends.

    `options["models"]` is a folder that each machine can read. Others have underscores in their names:
    `{"models": "/srv/models", "max_requests": 64, "page": False}`. Raises a ValueError that names a wrong one.
    """
    read_values({**options, "models": "."} if "models" in options else options)  # the folder is read by replicas only
    return deployment.bind(dict(options))


async def until_ready(dataplane: ServiceDataPlane, watching: asyncio.Task[None]) -> None:
    """Returns when the models answer. Raises a RuntimeError that tells why they don't, with which Ray gives up."""
    repository = dataplane.repository
    while not await dataplane.ready():
        if repository.settled or watching.done():
            reasons = [f"{place.name}/{place.version}: {why}" for place, why in sorted(repository.failures.items())]
            raise RuntimeError(f"the models of {repository.root} don't answer: {'; '.join(reasons)}")
        await asyncio.sleep(0.05)


def _cores() -> int:
    return max(1, int(ray.get_runtime_context().get_assigned_resources().get("CPU", 1)))
