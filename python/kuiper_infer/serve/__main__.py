# SPDX-License-Identifier: MIT
"""The program `kuiper-serve`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

_OURS = (
    ("--host", str, "127.0.0.1", "address to listen on; 0.0.0.0 for all interfaces"),
    ("--poll-seconds", float, 2.0, "time between two looks at the folder of models"),
    ("--max-request-bytes", int, 64 << 20, "largest HTTP body or gRPC message"),
    ("--max-requests", int, 512, "gRPC calls, and HTTP connections, that are open at a time"),
    ("--body-seconds", float, 30.0, "time in which an HTTP body has to arrive"),
    ("--grace-seconds", int, 30, "time that accepted requests have when the service ends"),
    ("--drain-seconds", float, 0.0, "time between 'not ready' and the end, for load balancers to notice"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the service; returns the program's exit status."""
    try:
        from kserve import model_server
    except ImportError as error:
        print(f"kuiper-serve needs the extra 'serve': pip install 'kuiper_infer[serve]' ({error})", file=sys.stderr)
        return 2
    from .server import Service, Settings

    parser = argparse.ArgumentParser("kuiper-serve", description=__doc__, parents=[model_server.parser],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)  # fmt: skip
    parser.add_argument("--models", type=Path, required=True, help="folder of models, NAME/VERSION/model.pnnx.param")
    for name, kind, default, text in _OURS:
        parser.add_argument(name, type=kind, default=default, help=text)
    given = parser.parse_args(arguments)
    if not given.models.is_dir():
        parser.error(f"--models: {given.models} is no folder")
    if given.workers != 1:
        parser.error(
            "--workers: the service is one process; 'workers' of a model's config.toml sets its runs at a time"
        )
    if given.poll_seconds <= 0 or given.max_request_bytes <= 0 or given.max_requests <= 0:
        parser.error("--poll-seconds, --max-request-bytes and --max-requests have to be positive")
    ours = {name[2:].replace("-", "_") for name, *_ in _OURS}
    settings = Settings(
        models=given.models,
        http_port=given.http_port,
        grpc_port=given.grpc_port,
        keep_alive_seconds=given.timeout_keep_alive,
        event_loop=given.event_loop,
        **{name: getattr(given, name) for name in ours},
    )

    def tell(http: int, grpc: int) -> None:
        print(f"kuiper-serve: http {settings.host}:{http} grpc {settings.host}:{grpc}", flush=True)

    Service(settings).start(on_ports=tell)
    return 0


if __name__ == "__main__":
    sys.exit(main())
