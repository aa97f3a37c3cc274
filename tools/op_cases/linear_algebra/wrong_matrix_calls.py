# SPDX-License-Identifier: MIT
"""Wrong calls of linear algebra, each with a part of its error."""
import torch

from ..calls import draw


def matrix_errors(w):
    square, wide, vector = w.tensor(3, 3), w.tensor(2, 3), w.tensor(3)
    singular = torch.tensor([[[1.0, 0], [0, 1]], [[1, 2], [2, 4]]])
    infinite = torch.tensor([[1.0, float("inf")], [0, 1]])
    for op in ("torch.linalg.cholesky", "torch.linalg.inv", "torch.linalg.det", "torch.linalg.slogdet", "torch.linalg.eigh", "torch.linalg.eig", "torch.linalg.matrix_exp", "torch.cholesky_inverse"):
        w.refuse(op, [wide], {}, "expected square matrices")
        w.refuse(op, [vector], {}, "expected matrices: rank 2 or more")
        w.refuse(op, [square.long()], {}, "expected float32 or float64")
    for op in ("torch.linalg.qr", "torch.linalg.svd", "torch.linalg.lu", "torch.geqrf", "torch.linalg.pinv", "torch.linalg.matrix_rank"):
        w.refuse(op, [vector], {}, "expected matrices: rank 2 or more")
    w.refuse("torch.linalg.cholesky", [singular], {}, "matrix 1 is not positive-definite: its leading minor of order 2")
    w.refuse("torch.linalg.cholesky", [torch.full((2, 2), float("nan"))], {}, "is not positive-definite: its leading minor of order 1")
    w.refuse("torch.linalg.cholesky", [-torch.eye(2)], {}, "the matrix is not positive-definite: its leading minor of order 1")
    w.refuse("torch.linalg.cholesky_ex", [singular], {"check_errors": True}, "is not positive-definite")
    for op in ("torch.linalg.inv", "torch.inverse", "torch.linalg.lu_factor"):
        w.refuse(op, [singular], {}, "matrix 1 is singular: element 2 on the diagonal of its factor U is 0")
    w.refuse("torch.linalg.inv_ex", [singular], {"check_errors": True}, "matrix 1 is singular")
    w.refuse("torch.linalg.lu_factor_ex", [singular], {"check_errors": True}, "matrix 1 is singular")
    w.refuse("torch.matrix_power", [singular], {"n": -1}, "matrix 1 is singular")
    w.refuse("torch.linalg.solve", [singular, w.tensor(2, 1)], {}, "matrix 1 is singular")
    w.refuse("torch.linalg.solve", [square, w.tensor(2, 1)], {}, "expected 3 rows")
    w.refuse("torch.linalg.solve", [square, w.tensor(2, 1)], {"left": False}, "expected 3 columns")
    w.refuse("torch.linalg.solve", [square, vector], {"left": False}, "left is False, expected matrices")
    w.refuse("torch.linalg.solve", [square, w.tensor(3, 1).double()], {}, "expected the same")
    w.refuse("torch.linalg.solve", [w.tensor(2, 3, 3), w.tensor(3, 3, 1)], {}, "(2)")
    w.refuse("torch.linalg.lu", [square], {"pivot": False}, "expected True")
    square_complex = square.to(torch.complex64)
    w.refuse("torch.linalg.solve", [square_complex, w.tensor(2, 1).to(torch.complex64)], {}, "expected as many rows")
    w.refuse("torch.linalg.solve", [square_complex, w.tensor(2, 1).to(torch.complex64)], {"left": False}, "expected as many columns")
    w.refuse("torch.linalg.solve", [square_complex, w.tensor(3, 1)], {}, "expected the same")
    w.refuse("torch.linalg.solve", [singular.to(torch.complex64), w.tensor(2, 1).to(torch.complex64)], {}, "is singular")
    w.refuse("torch.linalg.inv", [w.tensor(2, 3).to(torch.complex64)], {}, "expected square matrices")
    w.refuse("torch.linalg.solve_triangular", [square, w.tensor(2, 1)], {"upper": True}, "expected 3 rows because input is (3,3)")
    w.refuse("torch.linalg.solve_triangular", [square, w.tensor(3, 1).double()], {"upper": True}, "expected the same")
    w.refuse("torch.cholesky_solve", [w.tensor(2, 1), square], {}, "expected as many rows")
    w.refuse("torch.cholesky_solve", [w.tensor(3, 1).double(), square], {}, "expected the same")
    w.refuse("torch.linalg.qr", [square], {"mode": "full"}, "mode is 'full', expected reduced, complete or r")
    w.refuse("torch.linalg.eigh", [square], {"UPLO": "X"}, "UPLO is 'X', expected L or U")
    w.refuse("torch.linalg.svd", [square], {"driver": "gesvd"}, "expected None")
    w.refuse("torch.linalg.svdvals", [square], {"driver": "gesvd"}, "expected None")
    for op in ("torch.linalg.svd", "torch.linalg.svdvals", "torch.linalg.eigh", "torch.linalg.eig", "torch.linalg.pinv"):
        w.refuse(op, [infinite], {"UPLO": "U"}, "the matrix has NaN or infinite elements")
    w.refuse("torch.linalg.lstsq", [square, w.tensor(2, 1)], {}, "expected as many rows")
    w.refuse("torch.linalg.lstsq", [square, w.tensor(3, 1).double()], {}, "expected the same")
    w.refuse("torch.linalg.lstsq", [square, w.tensor(3, 1)], {"driver": "gelsx"}, "driver is 'gelsx', expected gels, gelsy, gelsd or gelss")
    w.refuse("torch.linalg.lstsq", [infinite, w.tensor(2, 1)], {}, "expected finite elements")
    w.refuse("torch.linalg.lstsq", [torch.eye(3, 2) * torch.tensor([1.0, 0]), w.tensor(3, 1)], {"driver": "gels"}, "full rank")
    w.refuse("torch.linalg.householder_product", [wide, w.tensor(2)], {}, "expected at least as many rows as columns")
    w.refuse("torch.linalg.householder_product", [square, w.tensor(4)], {}, "expected (3) or fewer")
    w.refuse("torch.linalg.householder_product", [w.tensor(2, 3, 3), w.tensor(3)], {}, "expected (2,3) or fewer")
    w.refuse("torch.ormqr", [square, vector, w.tensor(2, 3)], {}, "expected input with 2 rows")
    w.refuse("torch.ormqr", [square, vector, w.tensor(2, 4)], {"left": False}, "expected input with 4 rows")
    w.refuse("torch.ormqr", [square, w.tensor(2), w.tensor(3, 3)], {}, "a column for each number of tau")
    w.refuse("torch.linalg.cond", [wide], {"p": 1}, "expected square matrices")
    w.refuse("torch.linalg.cond", [square], {"p": "max"}, "argument 'p' is str 'max'")
    w.refuse("torch.linalg.cond", [square], {"p": 3}, "ord is 3")
    w.refuse("torch.linalg.tensorinv", [w.tensor(2, 3, 4)], {"ind": 1}, "expected as many elements in the first 1 axes")
    w.refuse("torch.linalg.tensorinv", [square], {"ind": 0}, "ind is 0, expected 1 to 2")
    w.refuse("torch.linalg.tensorsolve", [w.tensor(2, 3, 4), w.tensor(2, 3)], {}, "expected as many elements in the first 2 axes")
    pivots = torch.tensor([1, 2, 3])
    w.refuse("torch.linalg.lu_solve", [square, pivots, w.tensor(3, 1)], {}, "pivots is int64 (3), expected int32 (3)")
    w.refuse("torch.lu_unpack", [square, pivots], {}, "LU_pivots is int64 (3), expected int32 (3)")


draw("linear_algebra_errors", 7, (matrix_errors, 1))
