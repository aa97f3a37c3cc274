# SPDX-License-Identifier: MIT
"""Matrices for the cases of linear algebra."""
import torch

L = torch.linalg
EXACT = 1e-10  # of float64 cases
SHAPES = {"one": (4, 4), "batch": (2, 3, 4, 4), "single": (1, 1), "empty_batch": (0, 3, 3), "no_rows": (2, 0, 0)}
TALL = {"tall": (5, 3), "wide": (3, 5), "square": (4, 4), "batch": (2, 2, 4, 3), "column": (4, 1), "row": (1, 4),
        "empty_batch": (0, 3, 2), "no_columns": (3, 0), "no_rows": (2, 0, 3)}
SINGULAR = lambda: torch.tensor([[[1.0, 2, 3], [2, 4, 6], [1, 1, 1]], [[2, 0, 0], [0, 1, 0], [0, 0, 4]]])


def double(spec):
    return (torch.float64, spec)


def regular(*shape):
    """Invertible and well conditioned."""
    return lambda: torch.randn(*shape) + 3 * torch.eye(shape[-1])


def complex_of(*shape):
    return lambda: torch.complex(torch.randn(*shape), torch.randn(*shape))


def complex_regular(*shape):
    """Invertible and well conditioned."""
    return lambda: complex_of(*shape)() + 4 * torch.eye(shape[-1])


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


def lu(*shape):
    """LU, and the pivots, of the same matrices in two inputs."""
    def factors():
        generator = torch.Generator().manual_seed(5)
        return L.lu_factor(torch.randn(*shape, generator=generator) + 2 * torch.eye(*shape[-2:]))
    return lambda: factors()[0], lambda: factors()[1]
