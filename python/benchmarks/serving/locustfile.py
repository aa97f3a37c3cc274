# SPDX-License-Identifier: MIT
"""Load on a service that speaks the Open Inference Protocol over gRPC: locust's users, tritonclient's calls.

Environment: LOAD_MODEL, LOAD_INPUT (its name), LOAD_SHAPE (such as 1x3x224x224), LOAD_RATE (requests a second of each
user; 0: the next request follows the answer to the last).
"""

from __future__ import annotations

import itertools
import os
import sys
import time

import grpc.experimental.gevent as grpc_gevent
import numpy as np
import tritonclient.grpc as triton
from locust import User, constant, constant_throughput, events, task

grpc_gevent.init_gevent()  # lets locust's green threads wait for gRPC side by side

MODEL = os.environ.get("LOAD_MODEL", "resnet18")
RATE = float(os.environ.get("LOAD_RATE", "0"))
SHAPE = [int(extent) for extent in os.environ.get("LOAD_SHAPE", "1x3x224x224").split("x")]

TENSOR = triton.InferInput(os.environ.get("LOAD_INPUT", "pnnx_input_0"), SHAPE, "FP32")
TENSOR.set_data_from_numpy(np.random.default_rng(0).random(SHAPE, np.float32))


NUMBERS = itertools.count()


@events.quit.add_listener
def leave(exit_code: int, **_: object) -> None:
    """Ends the process. gRPC's threads, under gevent, keep it from ending by itself."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_code)


class Client(User):
    """A client with a connection of its own."""

    wait_time = constant_throughput(RATE) if RATE else constant(0)

    def on_start(self) -> None:
        """Connects."""
        # Channels with equal options share one connection; the number keeps them apart.
        options = [("load.user", next(NUMBERS)), ("grpc.max_receive_message_length", -1)]
        self._client = triton.InferenceServerClient(self.host, channel_args=options)

    @task
    def infer(self) -> None:
        """Asks once."""
        begun = time.perf_counter()
        error: Exception | None = None
        try:
            self._client.infer(MODEL, [TENSOR])
        except Exception as raised:  # locust counts it
            error = raised
        milliseconds = (time.perf_counter() - begun) * 1000
        self.environment.events.request.fire(
            request_type="grpc", name=MODEL, response_time=milliseconds, response_length=0, exception=error
        )
