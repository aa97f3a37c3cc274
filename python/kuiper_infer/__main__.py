# SPDX-License-Identifier: MIT
"""The program `kuiper`: python -m kuiper_infer run|info|bench|profile|graph|ops ..."""

import os
import signal
import sys

from . import _core


def main() -> int:
    # Python would only note the signal, and the program runs outside of it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.run_program([os.fsencode(argument) for argument in ("kuiper", *sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
