# SPDX-License-Identifier: MIT
"""Cases: higher transcendental functions, orthogonal polynomials, parts of floating-point numbers, decimals."""
import torch

from ..case import aten

NAN, INF = float("nan"), float("inf")
ODD = lambda: torch.tensor([NAN, INF, -INF, 0.0, -0.0, -1.0, 1.0])
AXIS = lambda: torch.linspace(-12, 12, 49, dtype=torch.float64)
RISING = lambda: torch.logspace(-4, 2.5, 40, dtype=torch.float64)
for name in ("bessel_y0", "bessel_y1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "spherical_bessel_j0", "airy_ai",
             "modified_bessel_i0", "modified_bessel_i1"):
    operator = "special_" + name
    aten(name, operator, ["$0"], RISING, tolerance=1e-6)
    aten(f"{name}_axis", operator, ["$0"], AXIS, tolerance=1e-6)
    aten(f"{name}_odd", operator, ["$0"], ODD)
    aten(f"{name}_int", operator, ["$0"], ("int", (3, 4), 20), tolerance=1e-4)
    aten(f"{name}_empty", operator, ["$0"], (0, 3))

A = lambda: torch.logspace(-2, 3.5, 23, dtype=torch.float64)[:, None]
RATIOS = lambda: torch.logspace(-2, 3.5, 19, dtype=torch.float64)
PAIRS = (lambda: torch.tensor([0.0, 0.0, 0.0, -1.0, 1.0, 2.0, INF, INF, 2.0, NAN, 1.0, NAN, 0.0, 150.0]),
         lambda: torch.tensor([0.0, 1.0, INF, 1.0, -1.0, 0.0, 2.0, INF, INF, 1.0, NAN, 0.0, NAN, 151.0]))
for name, alias in (("igamma", "special_gammainc"), ("igammac", "special_gammaincc")):
    aten(name, name, ["$0", "$1"], A, RATIOS, tolerance=1e-6)
    aten(f"{name}_alias", alias, ["$0", "$1"], ("pos", (3, 4)), ("pos", (4,)))
    aten(f"{name}_odd", name, ["$0", "$1"], *PAIRS)
    aten(f"{name}_large", name, ["$0", "$1"], lambda: torch.tensor([1e3, 1e4, 1e5, 1e6], dtype=torch.float64)[:, None],
         lambda: torch.tensor([0.98e3, 1e3, 1.02e3, 1.004e4, 0.999e5, 1e6, 1.001e6], dtype=torch.float64), tolerance=1e-7)

DEGREES = lambda: torch.tensor([0.0, 1.0, 2.0, 3.7, 5.0, 8.0, 9.0, 10.0, 13.0])[:, None]
INSIDE = lambda: torch.tensor([-1.0, -0.9, -0.5, 0.0, 0.25, 0.7, 1.0])
OUTSIDE = lambda: torch.tensor([-1.5, -1.1, 1.2, 2.0])
for name in ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w", "shifted_chebyshev_polynomial_t",
             "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he",
             "laguerre_polynomial_l", "legendre_polynomial_p"):
    operator = "special_" + name
    aten(name, operator, ["$0", "$1"], INSIDE, DEGREES, tolerance=1e-4)
    aten(f"{name}_outside", operator, ["$0", "$1"], OUTSIDE, DEGREES, tolerance=1e-4)
    aten(f"{name}_double", operator, ["$0", "$1"], (torch.float64, ("unit", (5, 6))), ("int", (6,), 20), tolerance=1e-8)
    aten(f"{name}_n_scalar", operator + ".n_scalar", ["$0", 4], (2, 3), tolerance=1e-4)
    aten(f"{name}_x_scalar", operator + ".x_scalar", [0.5, "$0"], ("int", (2, 3), 7), tolerance=1e-4)
    aten(f"{name}_negative", operator, ["$0", "$1"], (3,), lambda: torch.tensor([-1, -5, 0]))

aten("frexp", "frexp.Tensor", ["$0"], (3, 7), outputs=2)
aten("frexp_odd", "frexp.Tensor", ["$0"], lambda: torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -3.0, 3.4e38]), outputs=2)
aten("frexp_double", "frexp.Tensor", ["$0"], lambda: torch.tensor([1e-300, 1e300, -0.75], dtype=torch.float64), outputs=2)
for decimals in (-2, 0, 1, 3):
    aten(f"round_decimals_{decimals}".replace("-", "minus_"), "round.decimals", ["$0", decimals], lambda: torch.randn(3, 7) * 100)
for name in ("trunc", "floor"):
    aten(f"div_{name}", "div.Tensor_mode", ["$0", "$1", name], lambda: torch.tensor([3.6116052, -8.0, 7.5, 0.9, 1.0]), lambda: torch.tensor([1.010106, 3.0, -2.5, 0.3, 0.1]))
aten("rrelu", "rrelu", ["$0"], (3, 7))
aten("rrelu_bounds", "rrelu", ["$0", 0.2, 0.6], (3, 7))
aten("rrelu_noise", "rrelu_with_noise", ["$0", "$1", 0.1, 0.2], (3, 7), (3, 7))
aten("prelu_kernel", "_prelu_kernel", ["$0", "$1"], (2, 3, 4), (1, 3, 1))
aten("log_sigmoid_forward", "log_sigmoid_forward", ["$0"], (3, 7))
aten("conj_physical_native", "_conj_physical", ["$0"], (torch.complex64, (3,)))
