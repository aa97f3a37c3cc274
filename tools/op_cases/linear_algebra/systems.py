# SPDX-License-Identifier: MIT
"""Cases: inverses, determinants, systems of equations and least squares. The converter has no LAPACK and can't run most of these modules,
so these are graphs of raw operators."""
import torch

from ..case import chain, fn, raw
from ..matrices import EXACT, L, SHAPES, SINGULAR, complex_of, complex_regular, double, of_rank, positive, regular

# Inverses and determinants
for short, shape in SHAPES.items():
    raw(f"inverse_{short}", "aten::linalg_inv", L.inv, ("$0",), regular(*shape), tolerance=1e-4)
    raw(f"inverse_ex_{short}", "aten::linalg_inv_ex", lambda x: tuple(L.inv_ex(x)), ("$0", False), regular(*shape), outputs=2, tolerance=1e-4)
    raw(f"det_{short}", "aten::linalg_det", L.det, ("$0",), shape, tolerance=1e-4)
    raw(f"det_factors_{short}", "aten::_linalg_det", lambda x: tuple(torch._linalg_det(x)), ("$0",), shape, outputs=3, tolerance=1e-4)
    raw(f"slogdet_{short}", "aten::linalg_slogdet", lambda x: tuple(L.slogdet(x)), ("$0",), shape, outputs=2, tolerance=1e-4)
    raw(f"slogdet_factors_{short}", "aten::_linalg_slogdet", lambda x: tuple(torch._linalg_slogdet(x)), ("$0",), shape, outputs=4, tolerance=1e-4)
    raw(f"logdet_{short}", "aten::logdet", torch.logdet, ("$0",), shape, tolerance=1e-4)
raw("inverse_classic", "aten::inverse", torch.inverse, ("$0",), double(regular(5, 5)), tolerance=EXACT)
raw("inverse_large", "aten::linalg_inv", L.inv, ("$0",), lambda: torch.randn(60, 60) + 20 * torch.eye(60), tolerance=1e-4)
raw("det_classic", "aten::det", torch.det, ("$0",), double((2, 5, 5)), tolerance=EXACT)
raw("slogdet_classic", "aten::slogdet", lambda x: tuple(torch.slogdet(x)), ("$0",), double((5, 5)), outputs=2, tolerance=EXACT)
raw("det_singular", "aten::linalg_det", L.det, ("$0",), SINGULAR)
raw("slogdet_singular", "aten::linalg_slogdet", lambda x: tuple(L.slogdet(x)), ("$0",), SINGULAR, outputs=2)
raw("slogdet_nan", "aten::linalg_slogdet", lambda x: tuple(L.slogdet(x)), ("$0",), lambda: torch.tensor([[[torch.nan, 1], [1, 0]], [[-2.0, 1], [1, 1]]]), outputs=2)
raw("logdet_singular", "aten::logdet", torch.logdet, ("$0",), SINGULAR)

chain("inverse_ex_singular", lambda x: L.inv_ex(x).info, SINGULAR, "aten::linalg_inv_ex x False -> y info", results=("info",))
chain("solve_ex_singular", lambda x: L.solve_ex(x, x).info, SINGULAR, "aten::linalg_solve_ex x x True False -> y info", results=("info",))
chain("cholesky_ex_nan", lambda x: L.cholesky_ex(x).info, lambda: torch.tensor([[[torch.nan, 1], [1, 0]], [[1, torch.nan], [torch.nan, 1]], [[2, 1], [1, 2]]]),
      "aten::linalg_cholesky_ex x False False -> l info", results=("info",))
chain("cholesky_ex_not_positive", lambda x: L.cholesky_ex(x).info, lambda: torch.diag_embed(torch.tensor([[1.0, 2, 3], [1, -1, 1], [-1, 1, 1]])),
      "aten::linalg_cholesky_ex x False False -> l info", results=("info",))

# Systems of equations
SIDES = {"one": ((4, 4), (4, 3)), "vector": ((4, 4), (4,)), "vectors": ((2, 4, 4), (2, 4)), "batch": ((2, 3, 4, 4), (2, 3, 4, 2)), "spread": ((2, 1, 3, 3), (4, 3, 2)),
         "spread_vector": ((2, 3, 3), (3,)), "single": ((1, 1), (1, 1)), "empty_batch": ((0, 3, 3), (0, 3, 2)), "no_sides": ((3, 3), (3, 0)), "no_rows": ((0, 0), (0, 2))}
for short, (a, b) in SIDES.items():
    raw(f"solve_{short}", "aten::linalg_solve", L.solve, ("$0", "$1", True), regular(*a), b, tolerance=1e-4)
    raw(f"solve_ex_{short}", "aten::linalg_solve_ex", lambda a, b: tuple(L.solve_ex(a, b)), ("$0", "$1", True, False), regular(*a), b, outputs=2, tolerance=1e-4)
    raw(f"solve_factors_{short}", "aten::_linalg_solve_ex", lambda a, b: tuple(torch._linalg_solve_ex(a, b)), ("$0", "$1", True, False), regular(*a), b, outputs=4, tolerance=1e-4)
    if len(b) >= 2 and short != "vectors":
        for upper in (False, True):
            raw(f"solve_triangular_{short}_{int(upper)}", "aten::linalg_solve_triangular", lambda a, b, upper=upper: L.solve_triangular(a, b, upper=upper), ("$0", "$1", upper, True, False), regular(*a), b, tolerance=1e-3)
fn("solve_triangular_converted", lambda a, b: L.solve_triangular(a, b, upper=True), regular(2, 4, 4), (2, 4, 3), tolerance=1e-4)
raw("solve_right", "aten::linalg_solve", lambda a, b: L.solve(a, b, left=False), ("$0", "$1", False), double(regular(2, 4, 4)), double((3, 4)), tolerance=EXACT)
raw("solve_complex", "aten::linalg_solve", L.solve, ("$0", "$1", True), complex_regular(3, 4, 4), complex_of(4, 2), tolerance=1e-4)
raw("solve_complex_vectors", "aten::linalg_solve", L.solve, ("$0", "$1", True), complex_regular(3, 4, 4), complex_of(3, 4), tolerance=1e-4)
raw("solve_complex_right", "aten::linalg_solve", lambda a, b: L.solve(a, b, left=False), ("$0", "$1", False), complex_regular(4, 4), complex_of(2, 3, 4), tolerance=1e-4)
raw("solve_complex_double", "aten::linalg_solve", L.solve, ("$0", "$1", True), (torch.complex128, complex_regular(5, 5)), (torch.complex128, complex_of(5, 5)), tolerance=EXACT)
raw("inverse_complex", "aten::linalg_inv", L.inv, ("$0",), complex_regular(2, 5, 5), tolerance=1e-4)
raw("inverse_complex_of_one", "aten::linalg_inv", L.inv, ("$0",), complex_regular(1, 1), tolerance=1e-4)
raw("solve_double", "aten::linalg_solve", L.solve, ("$0", "$1", True), double(regular(5, 5)), double((2, 5, 2)), tolerance=EXACT)
for unit in (False, True):
    raw(f"solve_triangular_right_{int(unit)}", "aten::linalg_solve_triangular", lambda a, b, unit=unit: L.solve_triangular(a, b, upper=True, left=False, unitriangular=unit),
        ("$0", "$1", True, False, unit), double(regular(2, 4, 4)), double((3, 4)), tolerance=1e-8)
for upper, transpose, unit in ((True, False, False), (True, True, False), (False, True, True), (False, False, False)):
    raw(f"triangular_solve_{int(upper)}{int(transpose)}{int(unit)}", "aten::triangular_solve", lambda b, a, u=upper, t=transpose, n=unit: tuple(torch.triangular_solve(b, a, u, t, n)),
        ("$0", "$1", upper, transpose, unit), double((2, 3, 2)), double(regular(3, 3)), outputs=2, tolerance=1e-8)

# Least squares
SQUARES = {"tall": ((5, 3), (5, 2)), "wide": ((3, 5), (3, 2)), "square": ((4, 4), (4, 1)), "vector": ((5, 3), (5,)), "vectors": ((2, 4, 3), (2, 4)), "spread": ((2, 4, 3), (1, 4, 2)),
           "empty_batch": ((0, 3, 3), (0, 3, 2)), "no_columns": ((3, 0), (3, 2)), "no_sides": ((4, 2), (4, 0))}
for driver in (None, "gels", "gelsd", "gelss"):
    for short, (a, b) in SQUARES.items():
        if driver in ("gelsd", "gelss") and short in ("no_columns", "empty_batch", "no_sides"):
            continue
        raw(f"lstsq_{driver}_{short}", "aten::linalg_lstsq", lambda a, b, driver=driver: tuple(L.lstsq(a, b, driver=driver)), ("$0", "$1", None, driver), a, b, outputs=4, tolerance=1e-3)
raw("lstsq_double", "aten::linalg_lstsq", lambda a, b: tuple(L.lstsq(a, b)), ("$0", "$1", None, None), double((2, 6, 4)), double((2, 6, 3)), outputs=4, tolerance=EXACT)
raw("lstsq_of_low_rank", "aten::linalg_lstsq", lambda a, b: tuple(L.lstsq(a, b)), ("$0", "$1", None, "gelsy"), lambda: torch.arange(20.0).double().reshape(5, 4), double((5, 3)), outputs=4, tolerance=EXACT)
raw("lstsq_rcond", "aten::linalg_lstsq", lambda a, b: tuple(L.lstsq(a, b, rcond=1e-3)), ("$0", "$1", 1e-3, None), double(of_rank(2, 5, 4)), double((5, 3)), outputs=4, tolerance=1e-5)

# Inputs that are views
VIEWS = {"linalg_inv": L.inv, "linalg_det": L.det, "linalg_matrix_exp": L.matrix_exp, "linalg_cholesky_ex": lambda x: L.cholesky_ex(x)[0], "linalg_eigvals": L.eigvals}
for type, function in VIEWS.items():
    rest = {"linalg_cholesky_ex": " False False -> y info"}.get(type, " -> y")
    chain(f"transposed_{type}", lambda x, function=function: function(x.mT), double(positive(2, 4, 4)), "aten::mT x -> xt", f"aten::{type} xt{rest}", results=("y",), tolerance=EXACT)
    start = 0 if type == "linalg_cholesky_ex" else 1
    chain(f"sliced_{type}", lambda x, function=function, start=start: function(x[..., ::2, start::2]), double(positive(2, 6, 6)),
          "aten::slice x -2 0 6 2 -> rows", f"aten::slice rows -1 {start} 6 2 -> cut", f"aten::{type} cut{rest}", results=("y",), tolerance=1e-8)
for name, after, function in (("solve", "True", lambda x: L.solve(x.mT, x)), ("solve_triangular", "False True False", lambda x: L.solve_triangular(x.mT, x, upper=False))):
    chain(f"transposed_{name}", function, double(positive(2, 4, 4)), "aten::mT x -> xt", f"aten::linalg_{name} xt x {after} -> y", results=("y",), tolerance=EXACT)
chain("transposed_lstsq", lambda x: L.lstsq(x.mT, x[..., :3, :], driver="gelsd"), double((2, 5, 3)), "aten::mT x -> xt", "aten::slice x -2 0 3 1 -> b", "aten::linalg_lstsq xt b None gelsd -> y r k s", results=("y", "r", "k", "s"), tolerance=EXACT)
