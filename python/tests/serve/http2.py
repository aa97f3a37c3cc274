# SPDX-License-Identifier: MIT
"""The little of HTTP/2 that a gRPC client needs which does what gRPC's own would not do."""

from __future__ import annotations

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS = 0, 1, 4
WINDOW = 4  # the setting of how much of an answer may be sent before it is read
END_STREAM, END_HEADERS = 1, 4


def frame(kind: int, flags: int, stream: int, contents: bytes) -> bytes:
    """A frame."""
    return struct.pack(">I", len(contents))[1:] + struct.pack(">BBI", kind, flags, stream) + contents


def call(path: str, stream: int) -> bytes:
    """The headers of a gRPC call, as literals."""
    fields = {":method": "POST", ":scheme": "http", ":path": path, ":authority": "x",
              "content-type": "application/grpc", "te": "trailers"}  # fmt: skip
    literals = (b"\0" + bytes([len(n)]) + n.encode() + bytes([len(v)]) + v.encode() for n, v in fields.items())
    return frame(HEADERS, END_HEADERS, stream, b"".join(literals))


def message(contents: bytes, stream: int) -> bytes:
    """The only message of a call."""
    return frame(DATA, END_STREAM, stream, struct.pack(">BI", 0, len(contents)) + contents)


def settings(window: int) -> bytes:
    """What a client says first. Answers beyond `window` bytes wait until it reads."""
    return PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", WINDOW, window))
