# SPDX-License-Identifier: MIT
"""Cases: factorisations, systems of equations, eigenvalues and what follows from them. The converter has no LAPACK and can't run
such modules, so these are graphs of one operator; factors whose signs LAPACK may choose are in products that have no choice."""
import torch

from ..case import make_input, raw, written

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


def chain(name, function, spec, *steps, results, **options):
    """A graph of several raw operators. A step is "TYPE operands -> results"; operands are x, which is the input, results of
    earlier steps, and constants."""
    tensor = make_input(spec)
    kind = {torch.float32: "f32", torch.float64: "f64"}[tensor.dtype]
    numbers = {"x": "0"}
    lines = [f"pnnx.Input pnnx_input_0 0 1 0 #0=({','.join(map(str, tensor.shape))}){kind}"]

    def number(word):
        if word not in numbers:
            numbers[word] = str(len(numbers))
            lines.append(f"pnnx.Expression constant{numbers[word]} 0 1 {numbers[word]} expr={word}")
        return numbers[word]

    for index, step in enumerate(steps):
        left, right = step.split(" -> ")
        type, *operands = left.split()
        operands = [number(word) for word in operands]
        outputs = right.split()
        for word in outputs:
            numbers[word] = str(len(numbers))
        type, _, formula = type.partition(",")
        formula = formula and " expr=" + formula
        lines.append(f"{type} op_{index} {len(operands)} {len(outputs)} {' '.join(operands)} {' '.join(numbers[word] for word in outputs)}{formula}")
    lines += [f"pnnx.Output pnnx_output_{k} 1 0 {numbers[word]}" for k, word in enumerate(results)]
    written(name, "\n".join(lines), function, spec, **options)


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

# Singular values; the signs of the vectors in U and V are LAPACK's choice
def svd_products(full):
    def products(x):
        u, s, vh = L.svd(x, full)
        return u.mT @ u, s, vh @ vh.mT, (u[..., :s.shape[-1]] * s[..., None, :]) @ vh[..., :s.shape[-1], :]
    return products


SVD_STEPS = ("aten::mT u -> ut", "aten::matmul ut u -> uu", "aten::mT vh -> v", "aten::matmul vh v -> vv")
for short, shape in TALL.items():
    raw(f"svdvals_{short}", "aten::linalg_svdvals", L.svdvals, ("$0", None), shape, tolerance=1e-4)
    least = min(shape[-2:])
    for full in (False, True):
        chain(f"svd_{int(full)}_{short}", svd_products(full), shape, f"aten::linalg_svd x {full} None -> u s vh", *SVD_STEPS,
              f"aten::slice u -1 0 {least} 1 -> cut", f"aten::slice vh -2 0 {least} 1 -> rows", "aten::unsqueeze s -2 -> row",
              "pnnx.Expression,mul(@0,@1) cut row -> us", "aten::matmul us rows -> usv", results=("uu", "s", "vv", "usv"), tolerance=1e-4)
chain("svd_double", svd_products(False), double((2, 6, 4)), "aten::_linalg_svd x False True None -> u s vh", *SVD_STEPS, "aten::unsqueeze s -2 -> row",
      "pnnx.Expression,mul(@0,@1) u row -> us", "aten::matmul us vh -> usv", results=("uu", "s", "vv", "usv"), tolerance=EXACT)
for some in (False, True):
    chain(f"svd_classic_{int(some)}", svd_products(not some), (4, 4), f"aten::svd x {some} True -> u s v", "aten::mT v -> vh", "aten::mT u -> ut", "aten::matmul ut u -> uu",
          "aten::matmul vh v -> vv", "pnnx.Expression,mul(@0,@1) u s -> us", "aten::matmul us vh -> usv", results=("uu", "s", "vv", "usv"), tolerance=1e-4)
raw("svd_classic_values", "aten::svd", lambda x: tuple(torch.svd(x, compute_uv=False)), ("$0", True, False), (2, 4, 3), outputs=3, tolerance=1e-4)
raw("svd_without_vectors", "aten::_linalg_svd", lambda x: tuple(torch._linalg_svd(x, False, False)), ("$0", False, False, None), (2, 4, 3), outputs=3, tolerance=1e-4)
raw("svdvals_large", "aten::linalg_svdvals", L.svdvals, ("$0", None), double((70, 50)), tolerance=EXACT)
for short, order in {"nuc": "nuc", "2": 2, "least": -2}.items():
    raw(f"matrix_norm_{short}", "aten::linalg_matrix_norm", lambda x, order=order: L.matrix_norm(x, order), ("$0", order, [-2, -1], False, None), (2, 4, 3), tolerance=1e-4)


# Eigenvalues
def eigh_products(x):
    values, vectors = L.eigh(x)
    return values, vectors.mT @ vectors, (vectors * values[..., None, :]) @ vectors.mT


EIGH_STEPS = ("aten::mT q -> qt", "aten::matmul qt q -> qq", "aten::unsqueeze e -2 -> row", "pnnx.Expression,mul(@0,@1) q row -> qe", "aten::matmul qe qt -> qeq")
for short, shape in SHAPES.items():
    chain(f"eigh_{short}", eigh_products, symmetric(*shape), "aten::linalg_eigh x L -> e q", *EIGH_STEPS, results=("e", "qq", "qeq"), tolerance=1e-4)
    raw(f"eigvalsh_{short}", "aten::linalg_eigvalsh", lambda x: L.eigvalsh(x, "U"), ("$0", "U"), symmetric(*shape), tolerance=1e-4)
    raw(f"eigvals_{short}", "aten::linalg_eigvals", L.eigvals, ("$0",), shape, tolerance=1e-4)
    raw(f"eig_{short}", "aten::linalg_eig", lambda x: tuple(L.eig(x)), ("$0",), shape, outputs=2, tolerance=1e-4)
for triangle_name in "LU":
    raw(f"eigvalsh_triangle_{triangle_name}", "aten::linalg_eigvalsh", lambda x, t=triangle_name: L.eigvalsh(x, t), ("$0", triangle_name), double((3, 5, 5)), tolerance=EXACT)
chain("eigh_double", eigh_products, double(symmetric(2, 6, 6)), "aten::_linalg_eigh x U True -> e q", *EIGH_STEPS, results=("e", "qq", "qeq"), tolerance=EXACT)
raw("eigh_without_vectors", "aten::_linalg_eigh", lambda x: tuple(torch._linalg_eigh(x, "L", False)), ("$0", "L", False), symmetric(2, 4, 4), outputs=2, tolerance=1e-4)
raw("eigvals_inner", "aten::_linalg_eigvals", L.eigvals, ("$0",), double((2, 5, 5)), tolerance=EXACT)
raw("eig_double", "aten::linalg_eig", lambda x: tuple(L.eig(x)), ("$0",), double(lambda: torch.tensor([[0.0, -1, 0], [1, 0, 0], [0, 0, 3]])), outputs=2, tolerance=EXACT)

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

# What follows from singular values
RANKS = {"full": regular(4, 4), "tall": of_rank(2, 5, 3), "wide": of_rank(2, 2, 3, 5), "single": regular(1, 1), "empty_batch": regular(0, 3, 3), "no_rows": lambda: torch.zeros(2, 0, 3), "no_columns": lambda: torch.zeros(3, 0)}
for short, spec in RANKS.items():
    raw(f"pinv_{short}", "aten::linalg_pinv", L.pinv, ("$0", None, None, False), spec, tolerance=1e-3)
    raw(f"pinverse_{short}", "aten::pinverse", lambda x: torch.pinverse(x, 1e-3), ("$0", 1e-3), spec, tolerance=1e-3)
    raw(f"matrix_rank_{short}", "aten::linalg_matrix_rank", L.matrix_rank, ("$0", None, None, False), spec)
raw("pinv_rcond", "aten::linalg_pinv", lambda x: L.pinv(x, 0.3), ("$0", 0.3, False), double((2, 4, 4)), tolerance=EXACT)
raw("pinv_rcond_tensor", "aten::linalg_pinv", lambda x, r: L.pinv(x, r), ("$0", "$1", False), double((2, 4, 4)), double(lambda: torch.tensor([0.1, 0.5])), tolerance=EXACT)
raw("pinv_tolerances", "aten::linalg_pinv", lambda x: L.pinv(x, atol=0.7, rtol=0.1), ("$0", 0.7, 0.1, False), double((2, 4, 4)), tolerance=EXACT)
raw("pinv_tolerance_tensors", "aten::linalg_pinv", lambda x, a, r: L.pinv(x, atol=a, rtol=r), ("$0", "$1", "$2", False), double((2, 4, 4)), double(lambda: torch.tensor([0.0, 1.5])), double(lambda: torch.tensor([0.5, 0.1])), tolerance=EXACT)
raw("pinv_atol_tensor", "aten::linalg_pinv", lambda x, a: L.pinv(x, atol=a), ("$0", "$1", None, False), double((2, 4, 4)), double(lambda: torch.tensor([0.0, 1.5])), tolerance=1e-8)
raw("pinv_rtol_tensor", "aten::linalg_pinv", lambda x, r: L.pinv(x, rtol=r), ("$0", None, "$1", False), double((2, 4, 4)), double(lambda: torch.tensor(0.4)), tolerance=1e-8)
raw("pinv_symmetric", "aten::linalg_pinv", lambda x: L.pinv(x, hermitian=True), ("$0", None, None, True), double(symmetric(2, 4, 4)), tolerance=1e-8)
raw("matrix_rank_tol", "aten::linalg_matrix_rank", lambda x: L.matrix_rank(x, 1.5), ("$0", 1.5, False), (3, 4, 4))
raw("matrix_rank_tol_tensor", "aten::linalg_matrix_rank", lambda x, t: L.matrix_rank(x, t), ("$0", "$1", False), (3, 4, 4), lambda: torch.tensor([0.1, 1.5, 3]))
raw("matrix_rank_tolerances", "aten::linalg_matrix_rank", lambda x: L.matrix_rank(x, atol=0.5, rtol=0.3), ("$0", 0.5, 0.3, False), (3, 4, 4))
raw("matrix_rank_symmetric", "aten::linalg_matrix_rank", lambda x: L.matrix_rank(x, hermitian=True), ("$0", None, None, True), lambda: torch.diag_embed(torch.tensor([[1.0, -2, 0], [0, 0, 3]])))
for short, p in {"default": None, "2": 2, "least": -2, "1": 1, "minus_1": -1, "inf": float("inf"), "fro": "fro", "nuc": "nuc"}.items():
    raw(f"cond_{short}", "aten::linalg_cond", lambda x, p=p: L.cond(x, p), ("$0", p), double(regular(2, 4, 4)), tolerance=1e-8)
    raw(f"cond_empty_{short}", "aten::linalg_cond", lambda x, p=p: L.cond(x, p), ("$0", p), (3, 0, 0))
for p in (1, "fro"):
    raw(f"cond_singular_{p}", "aten::linalg_cond", lambda x, p=p: L.cond(x, p), ("$0", p), SINGULAR, tolerance=1e-4)
raw("cond_wide", "aten::linalg_cond", L.cond, ("$0", None), (2, 3, 5), tolerance=1e-4)

# Functions of matrices
for short, shape in SHAPES.items():
    raw(f"matrix_exp_{short}", "aten::linalg_matrix_exp", L.matrix_exp, ("$0",), shape, tolerance=1e-4)
for scale in (0.01, 0.3, 1, 5, 20):
    raw(f"matrix_exp_{str(scale).replace('.', '_')}", "aten::matrix_exp", torch.matrix_exp, ("$0",), double(lambda scale=scale: scale * torch.randn(2, 5, 5) / 5), tolerance=1e-9)
raw("matrix_exp_not_finite", "aten::matrix_exp", torch.matrix_exp, ("$0",), lambda: torch.tensor([[1.0, float("inf")], [0, 1]]))
for n in (-3, -1, 0, 3):
    raw(f"matrix_power_{n}".replace("-", "minus_"), "aten::linalg_matrix_power", lambda x, n=n: L.matrix_power(x, n), ("$0", n), double(regular(2, 4, 4)), tolerance=1e-9)
raw("tensorinv", "aten::linalg_tensorinv", lambda x: L.tensorinv(x, 1), ("$0", 1), lambda: regular(6, 6)().reshape(6, 2, 3), tolerance=1e-4)
raw("tensorsolve", "aten::linalg_tensorsolve", L.tensorsolve, ("$0", "$1", None), lambda: regular(6, 6)().reshape(2, 3, 6), (2, 3), tolerance=1e-4)
raw("tensorsolve_dims", "aten::linalg_tensorsolve", lambda a, b: L.tensorsolve(a, b, (0,)), ("$0", "$1", [0]), lambda: regular(6, 6)().reshape(6, 2, 3), (2, 3), tolerance=1e-4)

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
