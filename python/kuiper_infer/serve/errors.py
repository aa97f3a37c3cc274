# SPDX-License-Identifier: MIT
"""The one exception type of the service, and the status that each kind of failure has over HTTP and gRPC."""

from __future__ import annotations

import reprlib
from enum import Enum

import grpc

from kuiper_infer import ErrorCode, KuiperError


class Status(Enum):
    """The kind of an error, as an HTTP status and a gRPC status code."""

    INVALID = (400, grpc.StatusCode.INVALID_ARGUMENT)
    CONTEXT = (400, grpc.StatusCode.OUT_OF_RANGE)  # a prompt that is longer than the model allows
    NOT_FOUND = (404, grpc.StatusCode.NOT_FOUND)
    BODY_TIMEOUT = (408, grpc.StatusCode.DEADLINE_EXCEEDED)
    TOO_LARGE = (413, grpc.StatusCode.RESOURCE_EXHAUSTED)
    ENCODING = (415, grpc.StatusCode.INVALID_ARGUMENT)
    QUEUE_FULL = (429, grpc.StatusCode.RESOURCE_EXHAUSTED)
    CLIENT_GONE = (499, grpc.StatusCode.CANCELLED)  # no client gets it; it counts in the metrics
    INTERNAL = (500, grpc.StatusCode.INTERNAL)
    UNIMPLEMENTED = (501, grpc.StatusCode.UNIMPLEMENTED)
    UNAVAILABLE = (503, grpc.StatusCode.UNAVAILABLE)
    DEADLINE = (504, grpc.StatusCode.DEADLINE_EXCEEDED)

    @property
    def http(self) -> int:
        """The HTTP status code."""
        return self.value[0]

    @property
    def grpc(self) -> grpc.StatusCode:
        """The gRPC status code."""
        return self.value[1]


class ServeError(Exception):
    """A request that gets no result; the text goes to the client."""

    def __init__(self, status: Status, text: str) -> None:
        super().__init__(text)
        self.status = status


_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxstring, _SHORT.maxother = 1, 100, 100
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 16


def shown(value: object) -> str:
    """Returns a client's text, list or number as messages quote it: at most 400 characters."""
    text = _SHORT.repr(value)
    return text if len(text) <= 400 else text[:397] + "..."


def one_line(text: str) -> str:
    """Returns another program's message as one printable line: at most 300 characters."""
    line = " ".join(text.split())[:300]
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in line)


_OF_ENGINE = {
    ErrorCode.SHAPE: Status.INVALID,
    ErrorCode.INPUT: Status.INVALID,
    ErrorCode.ARGUMENT: Status.INVALID,
    ErrorCode.RESOURCE: Status.TOO_LARGE,
    ErrorCode.DEADLINE: Status.DEADLINE,
    ErrorCode.CANCELLED: Status.UNAVAILABLE,
}


def from_engine(error: KuiperError) -> ServeError:
    """Translates an error of a run. The model is built already: shapes, inputs and arguments are the request's."""
    return ServeError(_OF_ENGINE.get(error.code, Status.INTERNAL), str(error))


def as_serve_error(error: Exception) -> ServeError:
    """Returns the error for the client after any exception. The text of an unforeseen exception stays in the log."""
    if isinstance(error, ServeError):
        return error
    if isinstance(error, KuiperError):
        return from_engine(error)
    return ServeError(Status.INTERNAL, "internal error; the service's log has the details")
