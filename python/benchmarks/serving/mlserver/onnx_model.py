# SPDX-License-Identifier: MIT
"""ONNX Runtime behind MLServer, the comparison: MLServer has no runtime of its own for it."""

from __future__ import annotations

import asyncio

import numpy as np
import onnxruntime
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceRequest, InferenceResponse


class OnnxModel(MLModel):
    """Runs the model on a thread, so that the event loop goes on; ONNX Runtime uses all cores."""

    async def load(self) -> bool:
        """Reads the model."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int((self.settings.parameters.extra or {}).get("threads", 0))
        self._session = onnxruntime.InferenceSession(
            self.settings.parameters.uri, options, providers=["CPUExecutionProvider"]
        )
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        """Answers a request."""
        inputs = {
            tensor.name: NumpyCodec.decode_input(tensor).astype(np.float32, copy=False) for tensor in payload.inputs
        }
        outputs = await asyncio.to_thread(self._session.run, None, inputs)
        encoded = [
            NumpyCodec.encode_output(info.name, array)
            for info, array in zip(self._session.get_outputs(), outputs, strict=True)
        ]
        return InferenceResponse(model_name=self.name, model_version=self.version, outputs=encoded)
