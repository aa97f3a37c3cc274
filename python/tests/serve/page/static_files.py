# SPDX-License-Identifier: MIT
"""A server of static files, for pages that a browser opens."""

from __future__ import annotations

import contextlib
import functools
import http.server
import pathlib
import threading
from collections.abc import Iterator, Mapping

# With these headers a page may share memory among threads.
ISOLATION = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}
NO_HEADERS: Mapping[str, str] = {}


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Sends further headers, and says nothing."""

    def __init__(self, *arguments: object, headers: Mapping[str, str], directory: str) -> None:
        self._more = headers
        super().__init__(*arguments, directory=directory)  # type: ignore[arg-type]

    def end_headers(self) -> None:
        for name, value in self._more.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextlib.contextmanager
def serving(folder: pathlib.Path, headers: Mapping[str, str] = NO_HEADERS) -> Iterator[str]:
    """The address at which the folder's files are served, each with these headers besides the usual ones."""
    handler = functools.partial(_Handler, headers=headers, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
