# SPDX-License-Identifier: MIT
"""Arrays of drawn sizes and types that are filled with numbers or sequences."""
import torch

from ..calls import draw


def creation(w):
    size = w.any_shape()
    dtype = w.pick(None, torch.float64, torch.int64, torch.int32, torch.bool)
    name = None if dtype is None else str(dtype)
    code = {None: None, torch.float64: 7, torch.int64: 4, torch.int32: 3, torch.bool: 11}[dtype]
    for op in ("zeros", "ones"):
        w.call("torch." + op, lambda: getattr(torch, op)(size, dtype=dtype), [], {"size": size, "dtype": name})
        w.call("aten::" + op, lambda: getattr(torch, op)(size, dtype=dtype), [size, code, None, None, None])
        x = w.typed(size)
        w.call(f"torch.{op}_like", lambda: getattr(torch, op + "_like")(x, dtype=dtype), [x], {"dtype": name})
        w.call(f"Tensor.new_{op}", lambda: getattr(x, "new_" + op)([2, 3], dtype=dtype), [x], {"size": [2, 3], "dtype": name})
    number = w.pick(2, -3, 0.5, True)
    w.call("torch.full", lambda: torch.full(size, number, dtype=dtype), [], {"size": size, "fill_value": number, "dtype": name})
    w.call("aten::full", lambda: torch.full(size, number), [size, number, None, None, None, None])
    w.call("torch.full_like", lambda: torch.full_like(x, number), [x], {"fill_value": number, "dtype": None})
    start, step = w.pick(0, 3, -2, 0.5), w.pick(1, 2, 3, 0.25, -1, -0.5)
    end = start + step * w.rng.randint(0, 7) + w.pick(0, step)
    params = {"start": start, "end": end, "step": step, "dtype": name}
    # PyTorch counts the elements by truncated numbers for int64 only.
    if dtype in (None, torch.float64) or all(isinstance(v, int) for v in (start, end, step)):
        w.call("torch.arange", lambda: torch.arange(start, end, step, dtype=dtype), [], params, tolerance=1e-6)
    w.call("aten::arange", lambda: torch.arange(5), [5, None, None, None, None])
    w.call("aten::arange", lambda: torch.arange(2, 6), [2, 6, None, None, None, None])
    w.call("aten::arange", lambda: torch.arange(start, end, step), [start, end, step, None, None, None, None], tolerance=1e-6)
    steps = w.rng.randint(0, 6)
    w.call("aten::linspace", lambda: torch.linspace(start, end, steps), [start, end, steps, None, None, None, None], tolerance=1e-6)


def integers(w):
    """Bounds with fractions, of which integers keep none."""
    for code, dtype in ((4, torch.int64), (3, torch.int32), (0, torch.uint8)):
        for start, end, steps in ((0, 2.5, 7), (-2.5, 2.5, 10), (0.5, 9.9, 4)):
            if start >= 0 or dtype != torch.uint8:
                w.call("aten::linspace", lambda: torch.linspace(start, end, steps, dtype=dtype), [start, end, steps, code, None, None, None])
        w.call("aten::logspace", lambda: torch.logspace(0, 2.5, 3, 2.0, dtype=dtype), [0, 2.5, 3, 2.0, code, None, None, None])
    w.refuse("aten::arange", [0, 5, 0.5, 4, None, None, None], {}, "step is 0.5, which is 0 as an integer")


draw("creation", 1, (creation, 6))
draw("creation_integers", 1, (integers, 1))
