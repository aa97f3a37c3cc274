# SPDX-License-Identifier: MIT
"""The page at `/`: static files of the package by a fixed list of names, with headers that confine what they may do."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import APIRouter, Request, Response

_FOLDER = Path(__file__).parent / "page"
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

# The page loads and asks nothing but this service. No text becomes HTML or a script: Trusted Types refuse it.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # browsers keep the files, but ask each time whether they are the same
}


def page_router() -> APIRouter:
    """The paths of the page. The files are read once, now."""
    routes = APIRouter()
    for file in sorted(_FOLDER.iterdir()):
        if file.suffix in _TYPES:
            path = "/" if file.name == "index.html" else f"/page/{file.name}"
            routes.add_api_route(path, _answer(file), methods=["GET", "HEAD"], response_model=None)
    return routes


def _answer(file: Path) -> Callable[[Request], Awaitable[Response]]:
    content = file.read_bytes()
    headers = _HEADERS | {"ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"'}
    kind = f"{_TYPES[file.suffix]}; charset=utf-8"

    async def answer(request: Request) -> Response:
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return answer
