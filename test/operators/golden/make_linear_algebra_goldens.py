#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the golden files of linear algebra, like make_goldens.py: calls by name, and wrong calls.

    python3 make_linear_algebra_goldens.py [--out FOLDER] [--count N] [--seed S]
"""
import argparse
import json
import pathlib

import torch

from make_array_goldens import ArrayWriter

L = torch.linalg


class MatrixWriter(ArrayWriter):
    def batch(self):
        return [self.rng.randint(1, 3) for _ in range(self.rng.randint(0, 2))]

    def matrices(self, rows, columns, batch=None):
        dtype = self.pick(torch.float32, torch.float64)
        x = self.tensor(*(self.batch() if batch is None else batch), rows, columns).to(dtype)
        return x + 3 * torch.eye(rows, columns, dtype=dtype)

    def close(self, op, function, inputs, params=None, names=None):
        """A case with the tolerance of its element type."""
        tolerance = 1e-9 if inputs[0].dtype == torch.float64 else 1e-3
        self.call(op, function, inputs, params, names, tolerance)

    def bad(self, op, inputs, params, error, attributes=None):
        self.add(op, inputs, params, error=error, attributes=attributes)


def systems(w):
    n = w.rng.randint(1, 6)
    a = w.matrices(n, n)
    b = w.tensor(*a.shape[:-1], w.rng.randint(1, 3)).to(a.dtype)
    vector = w.tensor(n).to(a.dtype)
    w.close("torch.linalg.solve", lambda: L.solve(a, b), [a, b], {"left": True}, ["A", "B"])
    w.close("torch.linalg.solve", lambda: L.solve(a, vector), [a, vector], {}, ["A", "B"])
    w.close("torch.linalg.solve", lambda: L.solve(a, b.mT, left=False), [a, b.mT], {"left": False}, ["A", "B"])
    w.close("torch.linalg.solve_triangular", lambda: L.solve_triangular(a, b, upper=True), [a, b], {"upper": True, "left": True, "unitriangular": False}, ["input", "B"])
    w.close("torch.linalg.inv", lambda: L.inv(a), [a])
    w.close("torch.inverse", lambda: torch.inverse(a), [a])
    w.close("torch.linalg.det", lambda: L.det(a), [a])
    w.close("torch.det", lambda: torch.det(a), [a])
    w.close("torch.linalg.slogdet", lambda: L.slogdet(a), [a])
    w.close("torch.logdet", lambda: torch.logdet(a), [a])
    s = a @ a.mT + torch.eye(n, dtype=a.dtype)
    upper = w.pick(True, False)
    w.close("torch.linalg.cholesky", lambda: L.cholesky(s, upper=upper), [s], {"upper": upper})
    factor = L.cholesky(s, upper=upper)
    w.close("torch.cholesky_solve", lambda: torch.cholesky_solve(b, factor, upper), [b, factor], {"upper": upper}, ["B", "L"])
    w.close("torch.cholesky_inverse", lambda: torch.cholesky_inverse(factor, upper), [factor], {"upper": upper})
    w.close("torch.linalg.matrix_exp", lambda: L.matrix_exp(a / 4), [a / 4])
    w.close("torch.linalg.eigvalsh", lambda: L.eigvalsh(s, "U"), [s], {"UPLO": "U"})
    w.close("torch.linalg.cond", lambda: L.cond(a, 1), [a], {"p": 1})
    w.close("torch.linalg.cond", lambda: L.cond(a), [a], {"p": None})


def rectangles(w):
    rows, columns = w.rng.randint(1, 6), w.rng.randint(1, 6)
    a = w.matrices(rows, columns)
    mode = w.pick("reduced", "complete", "r")
    w.close("torch.linalg.qr", lambda: L.qr(a, mode), [a], {"mode": mode})
    w.close("torch.linalg.lu", lambda: L.lu(a), [a], {"pivot": True})
    w.close("torch.linalg.lu_factor", lambda: L.lu_factor(a), [a]) if rows == columns else None
    w.close("torch.linalg.svdvals", lambda: L.svdvals(a), [a], {}, ["A"])
    w.close("torch.linalg.pinv", lambda: L.pinv(a, rtol=1e-3), [a], {"atol": None, "rtol": 1e-3, "hermitian": False})
    w.close("torch.linalg.pinv", lambda: L.pinv(a, 1e-3), [a], {"rcond": 1e-3})
    w.call("torch.linalg.matrix_rank", lambda: L.matrix_rank(a, tol=0.5), [a], {"tol": 0.5, "hermitian": False})
    w.close("torch.geqrf", lambda: torch.geqrf(a), [a])
    if rows >= columns:
        reflectors, tau = torch.geqrf(a)
        w.close("torch.linalg.householder_product", lambda: L.householder_product(reflectors, tau), [reflectors, tau], {}, ["input", "tau"])
        b = w.tensor(*a.shape[:-1], 2).to(a.dtype)
        driver = w.pick("gels", "gelsy", "gelsd", "gelss")
        w.close("torch.linalg.lstsq", lambda: L.lstsq(a, b, driver=driver), [a, b], {"rcond": None, "driver": driver}, ["A", "B"])


def matrix_errors(w):
    square, wide, vector = w.tensor(3, 3), w.tensor(2, 3), w.tensor(3)
    singular = torch.tensor([[[1.0, 0], [0, 1]], [[1, 2], [2, 4]]])
    infinite = torch.tensor([[1.0, float("inf")], [0, 1]])
    for op in ("torch.linalg.cholesky", "torch.linalg.inv", "torch.linalg.det", "torch.linalg.slogdet", "torch.linalg.eigh", "torch.linalg.eig", "torch.linalg.matrix_exp", "torch.cholesky_inverse"):
        w.bad(op, [wide], {}, "expected square matrices")
        w.bad(op, [vector], {}, "expected matrices: rank 2 or more")
        w.bad(op, [square.long()], {}, "expected float32 or float64")
    for op in ("torch.linalg.qr", "torch.linalg.svd", "torch.linalg.lu", "torch.geqrf", "torch.linalg.pinv", "torch.linalg.matrix_rank"):
        w.bad(op, [vector], {}, "expected matrices: rank 2 or more")
    w.bad("torch.linalg.cholesky", [singular], {}, "matrix 1 is not positive-definite: its leading minor of order 2")
    w.bad("torch.linalg.cholesky", [-torch.eye(2)], {}, "the matrix is not positive-definite: its leading minor of order 1")
    w.bad("torch.linalg.cholesky_ex", [singular], {"check_errors": True}, "is not positive-definite")
    for op in ("torch.linalg.inv", "torch.inverse", "torch.linalg.lu_factor"):
        w.bad(op, [singular], {}, "matrix 1 is singular: element 2 on the diagonal of its factor U is 0")
    w.bad("torch.linalg.inv_ex", [singular], {"check_errors": True}, "matrix 1 is singular")
    w.bad("torch.linalg.lu_factor_ex", [singular], {"check_errors": True}, "matrix 1 is singular")
    w.bad("torch.matrix_power", [singular], {"n": -1}, "matrix 1 is singular")
    w.bad("torch.linalg.solve", [singular, w.tensor(2, 1)], {}, "matrix 1 is singular")
    w.bad("torch.linalg.solve", [square, w.tensor(2, 1)], {}, "expected 3 rows")
    w.bad("torch.linalg.solve", [square, w.tensor(2, 1)], {"left": False}, "expected 3 columns")
    w.bad("torch.linalg.solve", [square, vector], {"left": False}, "left is False, expected matrices")
    w.bad("torch.linalg.solve", [square, w.tensor(3, 1).double()], {}, "expected the same")
    w.bad("torch.linalg.solve", [w.tensor(2, 3, 3), w.tensor(3, 3, 1)], {}, "(2)")
    w.bad("torch.linalg.lu", [square], {"pivot": False}, "expected True")
    w.bad("torch.linalg.solve_triangular", [square, w.tensor(2, 1)], {"upper": True}, "expected 3 rows because input is (3,3)")
    w.bad("torch.linalg.solve_triangular", [square, w.tensor(3, 1).double()], {"upper": True}, "expected the same")
    w.bad("torch.cholesky_solve", [w.tensor(2, 1), square], {}, "expected as many rows")
    w.bad("torch.cholesky_solve", [w.tensor(3, 1).double(), square], {}, "expected the same")
    w.bad("torch.linalg.qr", [square], {"mode": "full"}, "mode is 'full', expected reduced, complete or r")
    w.bad("torch.linalg.eigh", [square], {"UPLO": "X"}, "UPLO is 'X', expected L or U")
    w.bad("torch.linalg.svd", [square], {"driver": "gesvd"}, "expected None")
    w.bad("torch.linalg.svdvals", [square], {"driver": "gesvd"}, "expected None")
    for op in ("torch.linalg.svd", "torch.linalg.svdvals", "torch.linalg.eigh", "torch.linalg.eig", "torch.linalg.pinv"):
        w.bad(op, [infinite], {"UPLO": "U"}, "the matrix has NaN or infinite elements")
    w.bad("torch.linalg.lstsq", [square, w.tensor(2, 1)], {}, "expected as many rows")
    w.bad("torch.linalg.lstsq", [square, w.tensor(3, 1).double()], {}, "expected the same")
    w.bad("torch.linalg.lstsq", [square, w.tensor(3, 1)], {"driver": "gelsx"}, "driver is 'gelsx', expected gels, gelsy, gelsd or gelss")
    w.bad("torch.linalg.lstsq", [infinite, w.tensor(2, 1)], {}, "expected finite elements")
    w.bad("torch.linalg.lstsq", [torch.eye(3, 2) * torch.tensor([1.0, 0]), w.tensor(3, 1)], {"driver": "gels"}, "full rank")
    w.bad("torch.linalg.householder_product", [wide, w.tensor(2)], {}, "expected at least as many rows as columns")
    w.bad("torch.linalg.householder_product", [square, w.tensor(4)], {}, "expected (3) or fewer")
    w.bad("torch.linalg.householder_product", [w.tensor(2, 3, 3), w.tensor(3)], {}, "expected (2,3) or fewer")
    w.bad("torch.ormqr", [square, vector, w.tensor(2, 3)], {}, "expected input with 2 rows")
    w.bad("torch.ormqr", [square, vector, w.tensor(2, 4)], {"left": False}, "expected input with 4 rows")
    w.bad("torch.ormqr", [square, w.tensor(2), w.tensor(3, 3)], {}, "a column for each number of tau")
    w.bad("torch.linalg.cond", [wide], {"p": 1}, "expected square matrices")
    w.bad("torch.linalg.cond", [square], {"p": "max"}, "argument 'p' is str 'max'")
    w.bad("torch.linalg.cond", [square], {"p": 3}, "ord is 3")
    w.bad("torch.linalg.tensorinv", [w.tensor(2, 3, 4)], {"ind": 1}, "expected as many elements in the first 1 axes")
    w.bad("torch.linalg.tensorinv", [square], {"ind": 0}, "ind is 0, expected 1 to 2")
    w.bad("torch.linalg.tensorsolve", [w.tensor(2, 3, 4), w.tensor(2, 3)], {}, "expected as many elements in the first 2 axes")
    pivots = torch.tensor([1, 2, 3])
    w.bad("torch.linalg.lu_solve", [square, pivots, w.tensor(3, 1)], {}, "pivots is int64 (3), expected int32 (3)")
    w.bad("torch.lu_unpack", [square, pivots], {}, "LU_pivots is int64 (3), expected int32 (3)")


WRITERS = {"linear_algebra": [systems, rectangles], "linear_algebra_errors": [matrix_errors]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=str(pathlib.Path(__file__).parent))
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    for name, functions in WRITERS.items():
        writer = MatrixWriter(options.seed)
        for function in functions:
            for _ in range(1 if function == matrix_errors else options.count):
                function(writer)
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in writer.cases)
        (pathlib.Path(options.out) / f"{name}.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
