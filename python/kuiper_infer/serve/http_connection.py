# SPDX-License-Identifier: MIT
"""One HTTP connection, whose client has to send and to take data within limits of time.

uvicorn's connections wait for ever for a request's head, for the rest of a body that nobody reads, and for a client
that does not read its answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


@dataclass(frozen=True)
class ClientLimits:
    """The limits of clients."""

    connections: int  # that are open at a time
    head_seconds: float  # for a request's line and headers, from the connection or their first byte on
    body_seconds: float  # for a body that nobody reads any more, and for an answer to be taken


class Connection(H11Protocol):
    """A connection that knows since when it has been waiting for its client.

    `limits` belongs to a subclass, which `connection_class` makes: uvicorn calls the class with arguments of its own.
    """

    limits: ClientLimits

    def connection_made(self, transport) -> None:  # type: ignore[no-untyped-def, override]
        """Takes a place. If there is none, the connection that has waited for its client for longest is closed."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._head_begun = False
        self._taking_since: float | None = None  # an answer waits in the transport's buffer
        if len(self.connections) > self.limits.connections:
            others = cast("set[Connection]", self.connections) - {self}
            waiting = [other for other in others if other.waits_for_client]
            (min(waiting, key=lambda other: other._since) if waiting else self).transport.abort()

    @property
    def waits_for_client(self) -> bool:
        """Whether no request of the connection is at work."""
        return self.cycle is None or self.cycle.response_complete or self.conn.their_state is h11.SEND_BODY

    def overdue(self) -> bool:
        """Whether the client has had its time."""
        waited = self.loop.time() - self._since
        if self._taking_since is not None:
            return self.loop.time() - self._taking_since > self.limits.body_seconds
        if self.transport.is_closing():  # and something is left to be taken
            return waited > self.limits.body_seconds
        if self.conn.their_state is h11.IDLE:
            if self.cycle is None or self._head_begun:
                return waited > self.limits.head_seconds
            return False  # kept alive for another request, for which uvicorn has a timer
        if self.cycle is None or not self.cycle.response_complete:
            return False  # the handler of the request has a timer
        return waited > self.limits.body_seconds

    def data_received(self, data: bytes) -> None:
        """Notes when a head begins and when it has ended."""
        before, begun = self.conn.their_state, self._head_begun
        super().data_received(data)
        self._head_begun = self.conn.their_state is h11.IDLE
        if self.conn.their_state is not before or self._head_begun is not begun:
            self._since = self.loop.time()

    def on_response_complete(self) -> None:
        """Notes when it begins to wait for the next request, or for the rest of this one's body."""
        self._since = self.loop.time()
        self._head_begun = False
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client reads more slowly than the service writes."""
        super().pause_writing()
        self._taking_since = self.loop.time()

    def resume_writing(self) -> None:
        """Notes that the client has read most of the written data."""
        super().resume_writing()
        self._taking_since = None


def connection_class(limits: ClientLimits) -> type[Connection]:
    """Returns the class of a server's connections."""
    return type("LimitedConnection", (Connection,), {"limits": limits})
