# SPDX-License-Identifier: MIT
"""The message for clients about a version that could not be loaded: a reason without contents of files and paths."""

from __future__ import annotations

from kuiper_infer import ErrorCode, KuiperError

from .config import ConfigError


class NotServable(ValueError):
    """A model that runs, but can't be served. The text is fit for clients."""


_OF_ENGINE = {
    ErrorCode.FILE: "its model files are not in the expected format",
    ErrorCode.UNSUPPORTED: "it has operators or options that are not supported",
    ErrorCode.RESOURCE: "it takes more memory than allowed",
}


def why_not_loaded(error: Exception) -> str:
    """Returns the reason; the log has the whole error."""
    if isinstance(error, NotServable):
        return str(error)
    if isinstance(error, ConfigError):
        reason = "its config.toml is wrong"
    elif isinstance(error, KuiperError):
        reason = _OF_ENGINE.get(error.code, "its graph is wrong")
    elif isinstance(error, OSError):
        reason = "its files can't be read"
    else:
        reason = "it can't be served"
    return f"{reason}; the service's log says more"
