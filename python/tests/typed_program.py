# SPDX-License-Identifier: MIT
"""A user's program as mypy has to see it; test_typing.py checks it, nothing runs it."""

import array
import ctypes
from typing import assert_type

import numpy as np

import kuiper_infer
from kuiper_infer import Model, RunOptions

model = Model("model.pnnx.param", threads=2, cache="folder")
x = np.zeros((1, 3), np.float32)

assert_type(model(x), np.ndarray | tuple[np.ndarray, ...])
assert_type(model(x, memoryview(b""), options=RunOptions(threads=1)), np.ndarray | tuple[np.ndarray, ...])
assert_type(model({"x": x, "y": array.array("f", [1])}), np.ndarray | tuple[np.ndarray, ...])
assert_type(model.run([x, (ctypes.c_float * 3)()]), list[np.ndarray])
assert_type(model.run({"x": x}), list[np.ndarray])
assert_type(model.operands(x), dict[str, np.ndarray])
assert_type(model.output_info([(1, 3)]), tuple[kuiper_infer.ArrayInfo, ...])

model([1.0, 2.0])  # type: ignore[call-overload]
model({"x": 5})  # type: ignore[dict-item]
model({1: x})  # type: ignore[dict-item]
model(x, options={"threads": 1})  # type: ignore[call-overload]
model.run(x)  # type: ignore[arg-type]
RunOptions(threads="2")  # type: ignore[arg-type]
Model(5)  # type: ignore[arg-type]
