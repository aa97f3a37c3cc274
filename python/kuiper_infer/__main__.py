# SPDX-License-Identifier: MIT
"""The program `kuiper`: python -m kuiper_infer run|info|bench|profile|graph|ops|convert|export-decoder ..."""

import os
import signal
import sys

from . import _convert, _core, _decoder

# These need PyTorch, so they are no part of the program of C++.
_COMMANDS = {"convert": _convert.main, "export-decoder": _decoder.main}


def main() -> int:
    if len(sys.argv) > 1 and sys.argv[1] in _COMMANDS:
        return _COMMANDS[sys.argv[1]](sys.argv[2:])
    # Python would only note the signal, and the program runs outside of it. A signal that is ignored, as in background
    # jobs of shells, stays so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _core.run_program([os.fsencode(argument) for argument in ("kuiper", *sys.argv[1:])])


if __name__ == "__main__":
    sys.exit(main())
