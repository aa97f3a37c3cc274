# SPDX-License-Identifier: MIT
"""Claims, by which all jobs in a folder agree on it. They need no storage that can create a file exclusively.

A job writes its claim under a name of its own and then looks for claims of other jobs. If two jobs begin at the same
moment, at least one of them sees the other's claim and withdraws.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from .storage import Storage


def claims(output: Storage, stem: str, besides: str = "") -> list[bytes]:
    """The contents of the claims whose names begin with a stem."""
    found = []
    for name in output.own_files():
        if name.startswith(stem) and name != besides:
            try:
                found.append(output.read(name))
            except FileNotFoundError:
                continue  # it has been withdrawn
    return found


@contextmanager
def claim(output: Storage, stem: str, suffix: str, content: bytes) -> Iterator[list[bytes]]:
    """Makes a claim and yields the claims of other jobs with that stem. If the block raises, the claim is withdrawn."""
    name = f"{stem}-{uuid.uuid4().hex}{suffix}"
    with output.written_whole(name) as stream:
        stream.write(content)
    try:
        yield claims(output, stem, besides=name)
    except BaseException:
        output.delete(name)
        raise
