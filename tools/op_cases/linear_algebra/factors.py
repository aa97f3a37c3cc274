# SPDX-License-Identifier: MIT
"""Cases: Cholesky factors, LU and QR. The converter has no LAPACK and can't run most of these modules,
so these are graphs of raw operators."""
import torch

from ..case import raw
from ..matrices import EXACT, L, SHAPES, SINGULAR, TALL, double, factor, lu, positive, regular

# Cholesky factors
for short, shape in SHAPES.items():
    raw(f"cholesky_{short}", "aten::linalg_cholesky", L.cholesky, ("$0", False), positive(*shape))
    raw(f"cholesky_ex_{short}", "aten::linalg_cholesky_ex", lambda x: tuple(L.cholesky_ex(x, upper=True)), ("$0", True, False), positive(*shape), outputs=2)
    raw(f"cholesky_inverse_{short}", "aten::cholesky_inverse", torch.cholesky_inverse, ("$0", False), factor(positive(*shape)), tolerance=1e-4)
raw("cholesky_upper", "aten::linalg_cholesky", lambda x: L.cholesky(x, upper=True), ("$0", True), positive(3, 3))
raw("cholesky_double", "aten::linalg_cholesky", L.cholesky, ("$0", False), double(positive(2, 5, 5)), tolerance=EXACT)
raw("cholesky_one_triangle", "aten::linalg_cholesky", L.cholesky, ("$0", False), lambda: positive(4, 4)() + torch.randn(4, 4).triu(1))
raw("cholesky_large", "aten::linalg_cholesky", L.cholesky, ("$0", False), positive(70, 70), tolerance=1e-4)
raw("cholesky_classic", "aten::cholesky", lambda x: torch.cholesky(x, True), ("$0", True), positive(3, 3))
raw("cholesky_inverse_upper", "aten::cholesky_inverse", lambda x: torch.cholesky_inverse(x, True), ("$0", True), double(factor(positive(4, 4), True)), tolerance=EXACT)
for short, (sides, shape) in {"one": ((4, 2), (4, 4)), "batch": ((2, 3, 4, 2), (2, 3, 4, 4)), "spread": ((3, 4, 1), (2, 1, 4, 4)), "empty": ((0, 3, 2), (3, 3)), "no_sides": ((3, 0), (3, 3))}.items():
    raw(f"cholesky_solve_{short}", "aten::cholesky_solve", torch.cholesky_solve, ("$0", "$1", False), sides, factor(positive(*shape)), tolerance=1e-4)
raw("cholesky_solve_upper", "aten::cholesky_solve", lambda b, x: torch.cholesky_solve(b, x, True), ("$0", "$1", True), double((3, 2)), double(factor(positive(3, 3), True)), tolerance=EXACT)

# LU
for short, shape in TALL.items():
    raw(f"lu_{short}", "aten::linalg_lu", lambda x: tuple(L.lu(x)), ("$0", True), shape, outputs=3, tolerance=1e-4)
    raw(f"lu_factor_ex_{short}", "aten::linalg_lu_factor_ex", lambda x: tuple(L.lu_factor_ex(x)), ("$0", True, False), shape, outputs=3, tolerance=1e-4)
raw("lu_double", "aten::linalg_lu", lambda x: tuple(L.lu(x)), ("$0", True), double((2, 6, 6)), outputs=3, tolerance=EXACT)
raw("lu_factor", "aten::linalg_lu_factor", lambda x: tuple(L.lu_factor(x)), ("$0", True), double((2, 4, 4)), outputs=2, tolerance=EXACT)
raw("lu_factor_ex_singular", "aten::linalg_lu_factor_ex", lambda x: tuple(L.lu_factor_ex(x)), ("$0", True, False), SINGULAR, outputs=3)
raw("lu_with_info", "aten::_lu_with_info", lambda x: tuple(torch._lu_with_info(x)), ("$0", True, False), regular(3, 3), outputs=3)
for left in (False, True):
    for adjoint in (False, True):
        raw(f"lu_solve_{int(left)}{int(adjoint)}", "aten::linalg_lu_solve", lambda a, p, b, left=left, adjoint=adjoint: L.lu_solve(a, p, b, left=left, adjoint=adjoint),
            ("$0", "$1", "$2", left, adjoint), *lu(2, 4, 4), (4, 3) if left else (2, 3, 4), tolerance=1e-4)
raw("lu_solve_classic", "aten::lu_solve", torch.lu_solve, ("$0", "$1", "$2"), (4, 2), *lu(4, 4), tolerance=1e-4)
raw("lu_solve_empty", "aten::linalg_lu_solve", L.lu_solve, ("$0", "$1", "$2", True, False), *lu(0, 4, 4), (0, 4, 3))
for data, pivots in ((True, True), (True, False), (False, True)):
    raw(f"lu_unpack_{int(data)}{int(pivots)}", "aten::lu_unpack", lambda a, p, d=data, v=pivots: tuple(torch.lu_unpack(a, p, d, v)), ("$0", "$1", data, pivots), *lu(2, 5, 3), outputs=3)

# QR
for short, shape in TALL.items():
    for mode in ("reduced", "complete", "r"):
        raw(f"qr_{mode}_{short}", "aten::linalg_qr", lambda x, mode=mode: tuple(L.qr(x, mode)), ("$0", mode), shape, outputs=2, tolerance=1e-4)
    raw(f"geqrf_{short}", "aten::geqrf", lambda x: tuple(torch.geqrf(x)), ("$0",), shape, outputs=2, tolerance=1e-4)
for some in (False, True):
    raw(f"qr_classic_{int(some)}", "aten::qr", lambda x, some=some: tuple(torch.qr(x, some)), ("$0", some), double((2, 5, 3)), outputs=2, tolerance=EXACT)
for short, (shape, count) in {"one": ((5, 3), 3), "fewer": ((5, 3), 2), "batch": ((2, 2, 4, 4), 4), "none": ((3, 2), 0), "empty": ((0, 3, 2), 2)}.items():
    tau = (*shape[:-2], count)
    raw(f"householder_product_{short}", "aten::linalg_householder_product", L.householder_product, ("$0", "$1"), double(shape), double(tau), tolerance=EXACT)
raw("orgqr", "aten::orgqr", torch.orgqr, ("$0", "$1"), (4, 3), (3,), tolerance=1e-4)
for left in (False, True):
    for transpose in (False, True):
        raw(f"ormqr_{int(left)}{int(transpose)}", "aten::ormqr", lambda a, t, c, left=left, tr=transpose: torch.ormqr(a, t, c, left, tr), ("$0", "$1", "$2", left, transpose),
            double((2, 5, 3)), double((2, 3)), double((2, 5, 4) if left else (2, 4, 5)), tolerance=EXACT)
