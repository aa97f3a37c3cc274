# SPDX-License-Identifier: MIT
"""The program `kuiper-serve`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .._extras import install_commands


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the service; returns the program's exit status."""
    try:
        from .logs import configure
        from .options import read_options
        from .server import Service
    except ImportError as error:
        print(f"kuiper-serve needs more packages ({error}): {install_commands('serve')}", file=sys.stderr)
        return 2

    options = read_options(arguments, os.environ)
    settings = options.settings
    try:
        configure(options.log_level, options.log_format, options.log_config_file)
    except (OSError, ValueError) as error:
        print(f"kuiper-serve: the logging can't be configured: {error}", file=sys.stderr)
        return 2

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
