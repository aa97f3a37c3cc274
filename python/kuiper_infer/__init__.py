# SPDX-License-Identifier: MIT
"""Runs neural networks exported from PyTorch by pnnx on CPUs.

>>> import numpy as np
>>> import kuiper_infer
>>> model = kuiper_infer.Model(example)
>>> model(np.zeros((1, 1, 32, 100), np.float32)).shape
(1, 25, 96)
"""

from . import text, vision
from ._compare import compare
from ._comparison import ComparedOutput, Comparison, Departure
from ._convert import convert
from ._core import CancelToken, StateSnapshot
from ._core import version as __version__
from ._decoder import export_decoder
from ._encoder_decoder import export_encoder_decoder
from ._errors import ErrorCode, KuiperError
from ._export import ExportError, ExportWarning, export
from ._generation.answer import Answer, Answers
from ._generation.options import GenerateOptions
from ._generation.pieces import Piece
from ._generator import Generator
from ._model import ArrayInfo, Model, StateInfo
from ._operators import register
from ._options import RunOptions
from ._reports import ModelInfo, Operation, Profile, Step, Svg, ops
from ._session import Session
from ._states import State

__all__ = [
    "Answer",
    "Answers",
    "ArrayInfo",
    "CancelToken",
    "ComparedOutput",
    "Comparison",
    "Departure",
    "ErrorCode",
    "ExportError",
    "ExportWarning",
    "GenerateOptions",
    "Generator",
    "KuiperError",
    "Model",
    "ModelInfo",
    "Operation",
    "Piece",
    "Profile",
    "RunOptions",
    "Session",
    "State",
    "StateInfo",
    "StateSnapshot",
    "Step",
    "Svg",
    "__version__",
    "compare",
    "convert",
    "export",
    "export_decoder",
    "export_encoder_decoder",
    "ops",
    "register",
    "text",
    "vision",
]
