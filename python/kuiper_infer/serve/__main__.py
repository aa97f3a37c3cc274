# SPDX-License-Identifier: MIT
"""The program `kuiper-serve`."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path

from .._extras import install_commands
from .._operators import import_modules

_OPTIONS = (  # beside --models; defaults are those of Settings
    ("--http-port", int, "port of HTTP; 0: any free one"),
    ("--grpc-port", int, "port of gRPC; 0: any free one"),
    ("--host", str, "address to listen on; 0.0.0.0 for all interfaces"),
    ("--keep-alive-seconds", int, "time that an idle HTTP connection stays open"),
    ("--poll-seconds", float, "time between two looks at the folder of models"),
    ("--max-request-bytes", int, "largest HTTP body or gRPC message"),
    ("--max-requests", int, "inference requests that are at work at a time"),
    ("--head-seconds", float, "time in which an HTTP request's headers have to arrive"),
    ("--body-seconds", float, "time in which an HTTP body has to arrive, and an answer has to be taken"),
    ("--grace-seconds", int, "time that accepted requests have when the service ends"),
    ("--drain-seconds", float, "time between 'not ready' and the end, for load balancers to notice"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the service; returns the program's exit status."""
    try:
        from .server import Service, Settings
    except ImportError as error:
        print(f"kuiper-serve needs more packages ({error}): {install_commands('serve')}", file=sys.stderr)
        return 2

    parser = argparse.ArgumentParser(
        "kuiper-serve", description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--models", type=Path, required=True, help="folder of models, NAME/VERSION/model.pnnx.param")
    defaults = {entry.name: entry.default for entry in dataclasses.fields(Settings)}
    for name, kind, text in _OPTIONS:
        parser.add_argument(name, type=kind, default=defaults[name.strip("-").replace("-", "_")], help=text)
    parser.add_argument("--import", dest="modules", action="append", default=[], metavar="MODULE",
                        help="Python module that registers operators; may be given several times")  # fmt: skip
    parser.add_argument("--log_config_file", help="configuration of Python's logging, read by KServe")
    given = vars(parser.parse_args(arguments))
    del given["log_config_file"]
    if not given["models"].is_dir():
        parser.error(f"--models: {given['models']} is no folder")
    for name in ("poll_seconds", "max_request_bytes", "max_requests", "head_seconds", "body_seconds"):
        if not given[name] > 0:
            parser.error(f"--{name.replace('_', '-')} is {given[name]}, it has to be positive")
    try:
        import_modules(given.pop("modules"))
    except ValueError as error:
        parser.error(f"--import: {error}")
    settings = Settings(**given)

    def tell(http: int, grpc: int) -> None:
        print(f"kuiper-serve: http {settings.host}:{http} grpc {settings.host}:{grpc}", flush=True)

    try:
        Service(settings).start(on_ports=tell)
    except OSError as error:
        print(f"kuiper-serve: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
