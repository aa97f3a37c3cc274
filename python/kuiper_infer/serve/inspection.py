# SPDX-License-Identifier: MIT
"""Looking inside a model: what it is made of, and the report about a run of it, if the service makes reports."""

from __future__ import annotations

import asyncio
import math
import time
from typing import Any

import numpy as np
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from kuiper_infer import ArrayInfo, CancelToken, RunOptions

from .data_plane import ServiceDataPlane, report
from .disconnect import while_connected
from .errors import ServeError, Status, shown
from .served_model import ServedModel
from .trial import ones

_RUNS = 10

# A report is a page with scripts of its own. It may load and ask nothing, and is apart from the service's other pages.
_REPORT_HEADERS = {
    "Content-Security-Policy": "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def add_inspection(routes: APIRouter, dataplane: ServiceDataPlane) -> None:
    """Adds the paths. They have to be added before the paths of models, which would match first."""
    one_at_a_time = asyncio.Lock()

    async def info(model_name: str, model_version: str | None = None) -> Response:
        """Tells what a model is made of and how it is run."""
        return JSONResponse(_described(dataplane.repository.find(model_name, model_version)))

    async def page(request: Request, model_name: str, model_version: str | None = None) -> Response:
        """Runs a model and returns the page about it. The query gives the shapes of inputs: `?x=1,3,224,224`."""
        if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise ServeError(Status.INVALID, "reports are not made for pages of other sites")
        model = dataplane.repository.find(model_name, model_version)
        inputs = _inputs(model, dict(request.query_params))
        if one_at_a_time.locked():
            raise ServeError(Status.QUEUE_FULL, "another report is being made; there is one at a time")
        async with one_at_a_time:
            with dataplane.place():
                text = await while_connected(request, _report(model, inputs))
        return Response(text, media_type="text/html", headers=_REPORT_HEADERS)

    for path in ("/models/{model_name}", "/models/{model_name}/versions/{model_version}"):
        routes.add_api_route(path + "/info", info, methods=["GET"], response_model=None)
        if dataplane.reports:
            routes.add_api_route(path + "/report", page, methods=["GET"], response_model=None)


def _described(model: ServedModel) -> dict[str, Any]:
    loaded = model.loaded
    info, config = loaded.info, loaded.config
    return {
        "name": model.place.name,
        "version": str(model.place.version),
        "precision": config.precision,
        "threads": config.threads,
        "workers": model.workers,
        "batch_sizes": list(loaded.sizes),
        "generates_text": loaded.generation is not None,
        "parameters": info.parameters,
        "weight_bytes": info.weight_bytes,
        "run_bytes": info.planned_bytes,
        "multiply_adds": None if info.planned_bytes is None else info.multiply_adds,
        "operators": info.operators,
        "warnings": info.warnings,
    }


async def _report(model: ServedModel, inputs: list[np.ndarray]) -> str:
    """Returns the report. It ends with an error at the model's deadline, or if nobody waits for it any more."""
    cancel = CancelToken()
    options = RunOptions(deadline=time.monotonic() + model.loaded.config.limits.timeout_seconds, cancel=cancel)
    try:
        return await asyncio.to_thread(model.loaded.engine.report_html, *inputs, runs=_RUNS, options=options)
    except Exception as error:  # each gets a status
        raise report(error, "http", f"a report on model {shown(model.place.name)}") from None
    finally:
        cancel.cancel()


def _inputs(model: ServedModel, shapes: dict[str, str]) -> list[np.ndarray]:
    """Makes the inputs of a report. Inputs of fixed shapes need not be given."""
    infos, limits = model.loaded.engine.inputs, model.loaded.config.limits
    unknown = sorted(shapes.keys() - {info.name for info in infos})
    if unknown:
        raise ServeError(Status.INVALID, f"the model has no input {shown(unknown[0])}")
    found = [_shape(info, shapes.get(info.name)) for info in infos]
    total = sum(math.prod(shape) * np.dtype(info.dtype).itemsize for info, shape in zip(infos, found, strict=True))
    if total > limits.max_request_bytes:
        said = f"the inputs of these shapes have {total} bytes, the model takes {limits.max_request_bytes}"
        raise ServeError(Status.TOO_LARGE, said)
    return [_ones(info, shape) for info, shape in zip(infos, found, strict=True)]


def _ones(info: ArrayInfo, shape: tuple[int, ...]) -> np.ndarray:
    try:
        return ones(info, shape)
    except ValueError as error:  # extents beyond NumPy's integers beside a zero
        raise ServeError(Status.INVALID, f"input {shown(info.name)}: {error}") from None


def _shape(info: ArrayInfo, text: str | None) -> tuple[int, ...]:
    if text is None and info.shape is not None and all(extent >= 0 for extent in info.shape):
        return info.shape
    words = (text or "").split(",") if text or text is None else []
    if len(words) > 64 or not all(word.isascii() and word.isdigit() and len(word) < 19 for word in words):
        expected = "extents with commas between them, such as 1,3,224,224"
        raise ServeError(Status.INVALID, f"the shape of input {shown(info.name)} is {shown(text)}, expected {expected}")
    return tuple(int(word) for word in words)
