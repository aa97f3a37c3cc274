# SPDX-License-Identifier: MIT
"""Calls of linear algebra by name, with drawn matrices."""
import torch

from ..calls import draw

L = torch.linalg


def batch(w):
    return [w.rng.randint(1, 3) for _ in range(w.rng.randint(0, 2))]


def matrices(w, rows, columns):
    dtype = w.pick(torch.float32, torch.float64)
    x = w.tensor(*batch(w), rows, columns).to(dtype)
    return x + 3 * torch.eye(rows, columns, dtype=dtype)


def close(w, op, function, inputs, params=None, names=()):
    """Adds a case with the tolerance of its element type."""
    w.call(op, function, inputs, params, names, 1e-9 if inputs[0].dtype == torch.float64 else 1e-3)


def systems(w):
    n = w.rng.randint(1, 6)
    a = matrices(w, n, n)
    b = w.tensor(*a.shape[:-1], w.rng.randint(1, 3)).to(a.dtype)
    vector = w.tensor(n).to(a.dtype)
    close(w, "torch.linalg.solve", lambda: L.solve(a, b), [a, b], {"left": True}, ["A", "B"])
    close(w, "torch.linalg.solve", lambda: L.solve(a, vector), [a, vector], {}, ["A", "B"])
    close(w, "torch.linalg.solve", lambda: L.solve(a, b.mT, left=False), [a, b.mT], {"left": False}, ["A", "B"])
    close(w, "torch.linalg.solve_triangular", lambda: L.solve_triangular(a, b, upper=True), [a, b], {"upper": True, "left": True, "unitriangular": False}, ["input", "B"])
    close(w, "torch.linalg.inv", lambda: L.inv(a), [a])
    close(w, "torch.inverse", lambda: torch.inverse(a), [a])
    close(w, "torch.linalg.det", lambda: L.det(a), [a])
    close(w, "torch.det", lambda: torch.det(a), [a])
    close(w, "torch.linalg.slogdet", lambda: L.slogdet(a), [a])
    close(w, "torch.logdet", lambda: torch.logdet(a), [a])
    s = a @ a.mT + torch.eye(n, dtype=a.dtype)
    upper = w.pick(True, False)
    close(w, "torch.linalg.cholesky", lambda: L.cholesky(s, upper=upper), [s], {"upper": upper})
    factor = L.cholesky(s, upper=upper)
    close(w, "torch.cholesky_solve", lambda: torch.cholesky_solve(b, factor, upper), [b, factor], {"upper": upper}, ["B", "L"])
    close(w, "torch.cholesky_inverse", lambda: torch.cholesky_inverse(factor, upper), [factor], {"upper": upper})
    close(w, "torch.linalg.matrix_exp", lambda: L.matrix_exp(a / 4), [a / 4])
    close(w, "torch.linalg.eigvalsh", lambda: L.eigvalsh(s, "U"), [s], {"UPLO": "U"})
    close(w, "torch.linalg.cond", lambda: L.cond(a, 1), [a], {"p": 1})
    close(w, "torch.linalg.cond", lambda: L.cond(a), [a], {"p": None})


def rectangles(w):
    rows, columns = w.rng.randint(1, 6), w.rng.randint(1, 6)
    a = matrices(w, rows, columns)
    mode = w.pick("reduced", "complete", "r")
    close(w, "torch.linalg.qr", lambda: L.qr(a, mode), [a], {"mode": mode})
    close(w, "torch.linalg.lu", lambda: L.lu(a), [a], {"pivot": True})
    close(w, "torch.linalg.lu_factor", lambda: L.lu_factor(a), [a]) if rows == columns else None
    close(w, "torch.linalg.svdvals", lambda: L.svdvals(a), [a], {}, ["A"])
    close(w, "torch.linalg.pinv", lambda: L.pinv(a, rtol=1e-3), [a], {"atol": None, "rtol": 1e-3, "hermitian": False})
    close(w, "torch.linalg.pinv", lambda: L.pinv(a, 1e-3), [a], {"rcond": 1e-3})
    w.call("torch.linalg.matrix_rank", lambda: L.matrix_rank(a, tol=0.5), [a], {"tol": 0.5, "hermitian": False})
    close(w, "torch.geqrf", lambda: torch.geqrf(a), [a])
    if rows >= columns:
        reflectors, tau = torch.geqrf(a)
        close(w, "torch.linalg.householder_product", lambda: L.householder_product(reflectors, tau), [reflectors, tau], {}, ["input", "tau"])
        b = w.tensor(*a.shape[:-1], 2).to(a.dtype)
        driver = w.pick("gels", "gelsy", "gelsd", "gelss")
        close(w, "torch.linalg.lstsq", lambda: L.lstsq(a, b, driver=driver), [a, b], {"rcond": None, "driver": driver}, ["A", "B"])


draw("linear_algebra", 7, (systems, 12), (rectangles, 12))
