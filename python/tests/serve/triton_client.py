# SPDX-License-Identifier: MIT
"""What tritonclient gets from a service; prints it as JSON. It runs in its own environment: beside kserve, which holds
the same protocol's messages, tritonclient can't be imported."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import tritonclient.grpc as grpc_client
import tritonclient.http as http_client
from tritonclient.utils import InferenceServerException


def status(call: Callable[[], Any]) -> str:
    """The status that a call fails with."""
    try:
        call()
    except InferenceServerException as error:
        return str(error.status())
    return "no error"


def ask(module: Any, url: str) -> dict[str, Any]:
    """Calls what the client has for a service's state, models, results and what lies beyond the protocol."""
    client = module.InferenceServerClient(url)
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    tensor = module.InferInput("x", x.shape, "FP32")
    tensor.set_data_from_numpy(x)
    wanted = [module.InferRequestedOutput("y")]
    chosen = client.infer("affine", [tensor], outputs=wanted, model_version="1", request_id="seven")
    head = chosen.get_response()
    waiting = threading.Event()
    if module is grpc_client:
        answers: list[Any] = []
        client.async_infer("affine", [tensor], lambda result, error: (answers.append(result or error), waiting.set()))
        assert waiting.wait(20)
        asynchronous = answers[0]
    else:
        asynchronous = client.async_infer("affine", [tensor]).get_result()
    classes = [module.InferRequestedOutput("y", class_count=1)]
    return {
        "states": [client.is_server_live(), client.is_server_ready(), client.is_model_ready("affine")],
        "versions": [client.is_model_ready("affine", version) for version in ("1", "2", "3")],
        "all": client.infer("affine", [tensor]).as_numpy("y").tolist(),
        "chosen": chosen.as_numpy("y").tolist(),
        "id": head["id"] if module is http_client else head.id,
        "asynchronous": asynchronous.as_numpy("y").tolist(),
        "no model": status(lambda: client.infer("nowhere", [tensor])),
        "deadline": status(lambda: client.infer("slow", [slow(module)], timeout=1000)),
        "index": status(client.get_model_repository_index),
        "statistics": status(lambda: client.get_inference_statistics("affine")),
        "beyond": {
            "load": status(lambda: client.load_model("affine")),
            "unload": status(lambda: client.unload_model("affine")),
            "configuration": status(lambda: client.get_model_config("affine")),
            "shared memory": status(client.get_system_shared_memory_status),
            "trace": status(client.get_trace_settings),
            "logging": status(client.get_log_settings),
            "sequence": status(lambda: client.infer("affine", [tensor], sequence_id=1)),
            "classification": status(lambda: client.infer("affine", [tensor], outputs=classes)),
        },
    }


def slow(module: Any) -> Any:
    """The input of a model that takes long."""
    tensor = module.InferInput("x", (384, 384), "FP32")
    tensor.set_data_from_numpy(np.ones((384, 384), np.float32))
    return tensor


if __name__ == "__main__":
    http_url, grpc_url = sys.argv[1:]
    print(json.dumps({"http": ask(http_client, http_url), "grpc": ask(grpc_client, grpc_url)}))
