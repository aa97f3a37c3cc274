# SPDX-License-Identifier: MIT
"""The program `kuiper`: python -m kuiper_infer run|info|bench|profile|graph|ops|convert ..."""

import os
import signal
import sys

from . import _convert, _core


def main() -> int:
    if sys.argv[1:2] == ["convert"]:  # needs PyTorch, so it is no part of the program of C++
        return _convert.main(sys.argv[2:])
    # Python would only note the signal, and the program runs outside of it. A signal that is ignored, as in background
    # jobs of shells, stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.run_program([os.fsencode(argument) for argument in ("kuiper", *sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
