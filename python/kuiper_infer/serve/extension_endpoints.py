# SPDX-License-Identifier: MIT
"""The paths of two extensions of the protocol, as Triton has them: the index of the repository, and statistics."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from .body import read_body
from .config import Limits
from .data_plane import ServiceDataPlane
from .errors import ServeError, Status

_LONGEST_BODY = 4096


def add_extensions(routes: APIRouter, dataplane: ServiceDataPlane, body_seconds: float) -> None:
    """Adds the paths. They have to come before the paths of models, or `/models/stats` would be a model's."""

    async def index(request: Request) -> Any:
        """Lists all versions in the folder or, if the body is `{"ready": true}`, only the versions that answer."""
        body, _ = await read_body(request, Limits(max_json_bytes=_LONGEST_BODY), _LONGEST_BODY, body_seconds)
        only_ready = _only_ready(body)
        entries = dataplane.repository_index()
        return JSONResponse([entry for entry in entries if entry["state"] == "READY" or not only_ready])

    async def statistics(model_name: str | None = None, model_version: str | None = None) -> Any:
        """Tells the statistics of all models, of one, or of one version."""
        return JSONResponse({"model_stats": dataplane.statistics(model_name, model_version)})

    routes.add_api_route("/repository/index", index, methods=["POST"], response_model=None)
    for path in ("/models", "/models/{model_name}", "/models/{model_name}/versions/{model_version}"):
        routes.add_api_route(path + "/stats", statistics, methods=["GET"], response_model=None)


def _only_ready(body: bytes) -> bool:
    try:
        asked = orjson.loads(body) if body else {}
    except orjson.JSONDecodeError as error:
        raise ServeError(Status.INVALID, f"the request is not valid JSON: {error}") from None
    ready = asked.get("ready", False) if isinstance(asked, dict) else None
    if not isinstance(ready, bool):
        raise ServeError(Status.INVALID, "the request has to be a JSON object, and its 'ready' true or false")
    return ready
