# SPDX-License-Identifier: MIT
"""Numbers at the ends of their types, and weights, bounds and powers at which formulas change."""
import torch

from ..calls import draw

INFINITY, NAN = float("inf"), float("nan")


def interpolation(w):
    start, end = torch.tensor([1e10, -1e20, 3e38, 1.0]), torch.tensor([0.1, 2.0, -3.0, 5.0])
    for weight in (0.25, 0.5, 1.0, 2.0):
        w.call("aten::lerp", lambda: torch.lerp(start, end, weight), [start, end, weight], tolerance=2e-5)
    weights = torch.tensor([1.0, 1.0, 0.75, 0.25])
    w.call("aten::lerp", lambda: torch.lerp(start, end, weights), [start, end, weights], tolerance=2e-5)
    x, large, small = torch.ones(2), torch.tensor([3e38, 1e30]), torch.tensor([0.5, 1e-30])
    for value in (1e-30, 0.5, 0):
        w.call("aten::addcmul", lambda: torch.addcmul(x, large, large, value=value), [x, large, large, value], tolerance=2e-5)
        w.call("aten::addcdiv", lambda: torch.addcdiv(x, large, small, value=value), [x, large, small, value], tolerance=2e-5)


def powers(w):
    x = torch.tensor([-INFINITY, -0.0, 4.0, -4.0, INFINITY, NAN])
    half = torch.full_like(x, 0.5)
    w.call("aten::pow", lambda: torch.pow(x, half), [x, half])
    w.call("aten::pow", lambda: torch.pow(x, 0.5), [x, 0.5])
    y, exponents = torch.tensor([[0.0], [1e-30], [1e30], [-3.0], [INFINITY]]), torch.tensor([150, -150, 1000, -1000, 3])
    w.call("aten::ldexp", lambda: torch.ldexp(y, exponents), [y, exponents], tolerance=1e-6)
    zero, values = torch.tensor([NAN, 0.0, -1.0]), torch.tensor([2.0, NAN, 3.0])
    w.call("aten::heaviside", lambda: torch.heaviside(zero, values), [zero, values])
    tails = torch.tensor([1e-300, 1e-20, 1e-9, 0.001, 0.0199, 0.0201, 0.5, 0.97, 0.985, 1 - 1e-9, 0.0, 1.0, NAN, -1.0], dtype=torch.float64)
    w.call("aten::special_ndtri", lambda: torch.special.ndtri(tails), [tails], tolerance=1e-12)
    w.call("aten::special_ndtri", lambda: torch.special.ndtri(tails[1:].float()), [tails[1:].float()], tolerance=1e-5)
    limited = torch.tensor([0.0, 0.3, 0.5, 0.7, 1.0])
    w.call("aten::logit", lambda: torch.logit(limited, 0.6), [limited, 0.6], tolerance=2e-5)


def comparisons(w):
    for dtype in (torch.uint8, torch.int8, torch.int32, torch.int64):
        ends = torch.iinfo(dtype)
        x = torch.tensor([0, 1, 3, ends.max, ends.min, ends.max - 1], dtype=dtype)
        for rtol, atol in ((0.0, 2.5), (0.5, 0.0), (1e-5, 1e-8), (0.0, 0.0)):
            w.call("aten::isclose", lambda: torch.isclose(x[:, None], x[None], rtol, atol),
                   [x[:, None].contiguous(), x[None].contiguous(), rtol, atol, False])
    w.refuse("aten::isclose", [torch.ones(2), torch.ones(2), -1.0, 0.0, False], {}, "rtol or atol is negative")
    x = torch.tensor([0, 1, 2, 200], dtype=torch.uint8)
    for high in (0.5, 2.5, INFINITY):
        w.call("aten::clamp", lambda: torch.clamp(x, -1, high), [x, -1, high])


draw("edge", 1, (interpolation, 1), (powers, 1), (comparisons, 1))
