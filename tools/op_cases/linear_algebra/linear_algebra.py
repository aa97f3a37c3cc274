# SPDX-License-Identifier: MIT
"""Cases: factorisations, systems of equations, eigenvalues and what follows from them. The converter has no LAPACK and can't run
such modules, so these are graphs of one operator; factors whose signs LAPACK may choose are in products that have no choice."""
import torch

from ..case import raw

L = torch.linalg
EXACT = 1e-10  # of float64 cases
SHAPES = {"one": (4, 4), "batch": (2, 3, 4, 4), "single": (1, 1), "empty_batch": (0, 3, 3), "no_rows": (2, 0, 0)}
TALL = {"tall": (5, 3), "wide": (3, 5), "square": (4, 4), "batch": (2, 2, 4, 3), "column": (4, 1), "row": (1, 4),
        "empty_batch": (0, 3, 2), "no_columns": (3, 0), "no_rows": (2, 0, 3)}


def double(spec):
    return (torch.float64, spec)


def regular(*shape):
    """Invertible and well conditioned."""
    return lambda: torch.randn(*shape) + 3 * torch.eye(shape[-1])


def positive(*shape):
    """Symmetric and positive-definite."""
    def make():
        x = torch.randn(*shape)
        return x @ x.mT + torch.eye(shape[-1])
    return make


def symmetric(*shape):
    def make():
        x = torch.randn(*shape)
        return x + x.mT
    return make


def of_rank(rank, *shape):
    """Matrices of a lower rank than they have rows and columns."""
    return lambda: torch.randn(*shape[:-1], rank) @ torch.randn(*shape[:-2], rank, shape[-1])


def factor(spec, upper=False):
    return lambda: L.cholesky(spec(), upper=upper)


def triangle(*shape):
    return regular(*shape)


def lu(*shape):
    """LU, and the pivots, of the same matrices in two inputs."""
    def factors():
        generator = torch.Generator().manual_seed(5)
        return L.lu_factor(torch.randn(*shape, generator=generator) + 2 * torch.eye(*shape[-2:]))
    return lambda: factors()[0], lambda: factors()[1]


# Cholesky factors
for short, shape in SHAPES.items():
    raw(f"cholesky_{short}", "aten::linalg_cholesky", L.cholesky, ("$0", False), positive(*shape))
    raw(f"cholesky_ex_{short}", "aten::linalg_cholesky_ex", lambda x: tuple(L.cholesky_ex(x, upper=True)), ("$0", True, False), positive(*shape), outputs=2)
    raw(f"cholesky_inverse_{short}", "aten::cholesky_inverse", torch.cholesky_inverse, ("$0", False), factor(positive(*shape)), tolerance=1e-4)
raw("cholesky_upper", "aten::linalg_cholesky", lambda x: L.cholesky(x, upper=True), ("$0", True), positive(3, 3))
raw("cholesky_double", "aten::linalg_cholesky", L.cholesky, ("$0", False), double(positive(2, 5, 5)), tolerance=EXACT)
raw("cholesky_one_triangle", "aten::linalg_cholesky", L.cholesky, ("$0", False), lambda: positive(4, 4)() + torch.randn(4, 4).triu(1))
raw("cholesky_large", "aten::linalg_cholesky", L.cholesky, ("$0", False), positive(70, 70), tolerance=1e-4)
raw("cholesky_classic", "aten::cholesky", torch.cholesky, ("$0", True), positive(3, 3))
raw("cholesky_inverse_upper", "aten::cholesky_inverse", lambda x: torch.cholesky_inverse(x, True), ("$0", True), double(factor(positive(4, 4), True)), tolerance=EXACT)
for short, (sides, shape) in {"one": ((4, 2), (4, 4)), "batch": ((2, 3, 4, 2), (2, 3, 4, 4)), "spread": ((3, 4, 1), (2, 1, 4, 4)), "empty": ((0, 3, 2), (3, 3)), "no_sides": ((3, 0), (3, 3))}.items():
    raw(f"cholesky_solve_{short}", "aten::cholesky_solve", torch.cholesky_solve, ("$0", "$1", False), sides, factor(positive(*shape)), tolerance=1e-4)
raw("cholesky_solve_upper", "aten::cholesky_solve", lambda b, x: torch.cholesky_solve(b, x, True), ("$0", "$1", True), double((3, 2)), double(factor(positive(3, 3), True)), tolerance=EXACT)

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
SINGULAR = lambda: torch.tensor([[[1.0, 2, 3], [2, 4, 6], [1, 1, 1]], [[2, 0, 0], [0, 1, 0], [0, 0, 4]]])
raw("det_singular", "aten::linalg_det", L.det, ("$0",), SINGULAR)
raw("slogdet_singular", "aten::linalg_slogdet", lambda x: tuple(L.slogdet(x)), ("$0",), SINGULAR, outputs=2)
raw("logdet_singular", "aten::logdet", torch.logdet, ("$0",), SINGULAR)

# Systems of equations
SIDES = {"one": ((4, 4), (4, 3)), "vector": ((4, 4), (4,)), "vectors": ((2, 4, 4), (2, 4)), "batch": ((2, 3, 4, 4), (2, 3, 4, 2)), "spread": ((2, 1, 3, 3), (4, 3, 2)),
         "spread_vector": ((2, 3, 3), (3,)), "single": ((1, 1), (1, 1)), "empty_batch": ((0, 3, 3), (0, 3, 2)), "no_sides": ((3, 3), (3, 0)), "no_rows": ((0, 0), (0, 2))}
for short, (a, b) in SIDES.items():
    raw(f"solve_{short}", "aten::linalg_solve", L.solve, ("$0", "$1", True), regular(*a), b, tolerance=1e-4)
    raw(f"solve_ex_{short}", "aten::linalg_solve_ex", lambda a, b: tuple(L.solve_ex(a, b)), ("$0", "$1", True, False), regular(*a), b, outputs=2, tolerance=1e-4)
    raw(f"solve_factors_{short}", "aten::_linalg_solve_ex", lambda a, b: tuple(torch._linalg_solve_ex(a, b)), ("$0", "$1", True, False), regular(*a), b, outputs=4, tolerance=1e-4)
    if len(b) >= 2 and short != "vectors":
        for upper in (False, True):
            raw(f"solve_triangular_{short}_{int(upper)}", "aten::linalg_solve_triangular", lambda a, b, upper=upper: L.solve_triangular(a, b, upper=upper), ("$0", "$1", upper, True, False), triangle(*a), b, tolerance=1e-3)
raw("solve_right", "aten::linalg_solve", lambda a, b: L.solve(a, b, left=False), ("$0", "$1", False), double(regular(2, 4, 4)), double((3, 4)), tolerance=EXACT)
raw("solve_double", "aten::linalg_solve", L.solve, ("$0", "$1", True), double(regular(5, 5)), double((2, 5, 2)), tolerance=EXACT)
for unit in (False, True):
    raw(f"solve_triangular_right_{int(unit)}", "aten::linalg_solve_triangular", lambda a, b, unit=unit: L.solve_triangular(a, b, upper=True, left=False, unitriangular=unit),
        ("$0", "$1", True, False, unit), double(triangle(2, 4, 4)), double((3, 4)), tolerance=1e-8)
for upper, transpose, unit in ((True, False, False), (True, True, False), (False, True, True), (False, False, False)):
    raw(f"triangular_solve_{int(upper)}{int(transpose)}{int(unit)}", "aten::triangular_solve", lambda b, a, u=upper, t=transpose, n=unit: tuple(torch.triangular_solve(b, a, u, t, n)),
        ("$0", "$1", upper, transpose, unit), double((2, 3, 2)), double(triangle(3, 3)), outputs=2, tolerance=1e-8)

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

# Singular values
for short, shape in TALL.items():
    raw(f"svdvals_{short}", "aten::linalg_svdvals", L.svdvals, ("$0", None), shape, tolerance=1e-4)
    for full in (False, True):
        raw(f"svd_{int(full)}_{short}", "aten::linalg_svd", lambda x, full=full: tuple(L.svd(x, full)), ("$0", full, None), shape, outputs=3, tolerance=1e-4)

# Eigenvalues
for short, shape in SHAPES.items():
    raw(f"eigh_{short}", "aten::linalg_eigh", lambda x: tuple(L.eigh(x)), ("$0", "L"), symmetric(*shape), outputs=2, tolerance=1e-4)
    raw(f"eigvalsh_{short}", "aten::linalg_eigvalsh", lambda x: L.eigvalsh(x, "U"), ("$0", "U"), symmetric(*shape), tolerance=1e-4)
    raw(f"eigvals_{short}", "aten::linalg_eigvals", lambda x: L.eigvals(x), ("$0",), shape, tolerance=1e-4)
    raw(f"eig_{short}", "aten::linalg_eig", lambda x: tuple(L.eig(x)), ("$0",), shape, outputs=2, tolerance=1e-4)
