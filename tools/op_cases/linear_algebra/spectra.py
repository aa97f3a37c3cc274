# SPDX-License-Identifier: MIT
"""Cases: singular values, eigenvalues, and what follows from them. LAPACK chooses the signs of vectors, so cases compare
products that have no choice."""
import torch

from ..case import chain, fn, raw
from ..matrices import EXACT, L, SHAPES, SINGULAR, TALL, double, of_rank, regular, symmetric

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
for short, order in {"1": 1, "2": 2, "inf": float("inf"), "nuc": "nuc"}.items():
    for shape in ((0, 3), (3, 0), (2, 0, 3)):
        raw(f"matrix_norm_empty_{short}_" + "x".join(map(str, shape)), "aten::linalg_matrix_norm", lambda x, order=order: L.matrix_norm(x, order), ("$0", order, [-2, -1], False, None), shape)
raw("nuclear_norm", "aten::nuclear_norm", torch.nuclear_norm, ("$0", False), (2, 4, 3), tolerance=1e-4)
raw("nuclear_norm_kept", "aten::nuclear_norm", lambda x: torch.nuclear_norm(x, keepdim=True), ("$0", True), double((4, 3)), tolerance=EXACT)
raw("nuclear_norm_axes", "aten::nuclear_norm", lambda x: torch.nuclear_norm(x, (0, 2), True), ("$0", [0, 2], True), (4, 2, 3), tolerance=1e-4)
raw("diagonal", "aten::linalg_diagonal", lambda x: L.diagonal(x).contiguous(), ("$0", 0, -2, -1), (2, 3, 4))


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
for p in (1, -1, "fro", float("-inf")):
    raw(f"cond_undefined_{p}".replace("-", "minus_"), "aten::linalg_cond", lambda x, p=p: L.cond(x, p), ("$0", p), lambda: torch.tensor([[[0.0, 0], [0, 0]], [[0, 1], [0, 2]], [[torch.nan, 1], [1, 0]]]))
raw("cond_wide", "aten::linalg_cond", L.cond, ("$0", None), (2, 3, 5), tolerance=1e-4)

# Functions of matrices; the converter can run these
fn("matrix_exp_converted", torch.matrix_exp, (2, 3, 3), tolerance=1e-4)
fn("matrix_power_converted", lambda x: L.matrix_power(x, 3), (2, 3, 3), tolerance=1e-4)
fn("diagonal_converted", lambda x: L.diagonal(x, offset=1) * 2, (2, 3, 4))
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
