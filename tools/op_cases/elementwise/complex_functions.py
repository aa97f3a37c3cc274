# SPDX-License-Identifier: MIT
"""Cases: functions of complex numbers."""
import torch
import torch.nn.functional as F

from ..case import fn
from ..matrices import complex_of


def special():
    """Zeros, points on the cuts of inverse functions, and numbers near 0, where differences lose digits."""
    parts = torch.tensor([0.0, -0.0, 1e-6, -2e-6, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0])
    return torch.complex(parts.repeat(10), parts.repeat_interleave(10))


def not_finite():
    infinity, nan = float("inf"), float("nan")
    return torch.tensor([complex(1, 2), complex(infinity, 0), complex(0, -infinity), complex(nan, 0), complex(1, nan), complex(infinity, nan)])


FUNCTIONS = ("exp2", "expm1", "log1p", "log2", "log10", "asin", "acos", "atan", "asinh", "acosh", "atanh", "sinc")
for name in FUNCTIONS:
    fn(name, lambda x, name=name: getattr(torch, name)(x), complex_of(3, 5))
    fn(f"{name}_complex128", lambda x, name=name: getattr(torch, name)(x), lambda: complex_of(3, 5)().to(torch.complex128))
for name in ("exp2", "expm1", "log1p", "sinc"):
    fn(f"{name}_special", lambda x, name=name: getattr(torch, name)(x), special)
fn("silu", lambda x: F.silu(x), complex_of(3, 5))
for name in ("isfinite", "isinf", "isnan"):
    fn(name, lambda x, name=name: getattr(torch, name)(x), not_finite)
