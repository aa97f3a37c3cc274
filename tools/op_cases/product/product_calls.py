# SPDX-License-Identifier: MIT
"""Linear layers and products of matrices and vectors, and wrong ones."""
import torch
import torch.nn.functional as F

from ..calls import bound, draw, wide


def linear(w):
    features, outputs = w.pick(1, 3, 8), w.pick(1, 2, 9)
    x = w.tensor(*w.pick([], [1], [4], [2, 3], [0, 3], [2, 1, 3]), features)
    weight, bias = w.tensor(outputs, features), w.pick(None, w.tensor(outputs))
    results = wide(F.linear, x, weight, bias)
    if w.pick(True, False):
        attributes = {"weight": weight, **({"bias": bias} if bias is not None else {})}
        w.add("nn.Linear", [x], {"in_features": features, "out_features": outputs, "bias": bias is not None}, results,
              attributes, tolerance=bound(features))
    else:
        w.add("aten::linear", [x, weight, bias], {}, results, tolerance=bound(features))


def linear_errors(w):
    for x, weight, params, text in [
        (w.tensor(2, 3), w.tensor(4, 5), {}, "input has 3 features, the weight expects 5"),
        (w.tensor(2, 5), w.tensor(4, 5), {"in_features": 6}, "in_features"),
        (w.tensor(2, 5), w.tensor(4, 5, 1), {}, "expected rank 2"),
    ]:
        w.add("nn.Linear", [x], params, attributes={"weight": weight}, error=text)
    for rows in ((2, 5), (5,)):
        w.refuse("aten::linear", [w.tensor(*rows), w.tensor(5), w.tensor(1)], {}, "expected rank 2 because there is a bias")


SHAPES = [((4,), (4,)), ((4,), (4, 3)), ((3, 4), (4,)), ((2, 3, 4), (4,)), ((4,), (2, 4, 3)), ((2, 3, 4), (4, 5)),
          ((2, 3, 4), (2, 4, 5)), ((3, 1, 3, 4), (2, 4, 5)), ((3, 4), (3, 2, 4, 2)), ((1, 3, 4), (3, 4, 5)),
          ((0, 3, 4), (4, 5)), ((2, 3, 0), (0, 5)), ((0,), (0,)), ((2, 1, 4), (2, 4, 1))]


def matmul(w):
    for a, b in SHAPES:
        x, y = w.tensor(*a), w.tensor(*b)
        w.add("torch.matmul", [x, y], {}, wide(torch.matmul, x, y), names=["input", "other"], tolerance=bound(4))
        x, y = x.mul(4).long(), y.mul(4).long()
        w.add("aten::matmul", [x, y], {}, [torch.matmul(x, y)], tolerance=0)
    x, y, v = w.tensor(2, 3, 4), w.tensor(2, 4, 5), w.tensor(4)
    w.add("torch.bmm", [x, y], {}, wide(torch.bmm, x, y), names=["input", "mat2"], tolerance=bound(4))
    w.add("torch.mm", [x[0], y[0]], {}, wide(torch.mm, x[0], y[0]), names=["input", "mat2"], tolerance=bound(4))
    w.add("torch.mv", [x[0], v], {}, wide(torch.mv, x[0], v), names=["input", "vec"], tolerance=bound(4))
    w.add("aten::dot", [v, y[0, :, 0]], {}, wide(torch.dot, v, y[0, :, 0]), tolerance=bound(4))
    w.add("aten::outer", [v, x[0, 0]], {}, wide(torch.outer, v, x[0, 0]), tolerance=bound(1))
    w.add("aten::inner", [x, y[0].T], {}, wide(torch.inner, x, y[0].T), tolerance=bound(4))
    chain = [w.tensor(2, 3), w.tensor(3, 4), w.tensor(4, 2)]
    w.add("aten::chain_matmul", [chain], {}, wide(torch.chain_matmul, *chain), tolerance=bound(48))
    a, b, weight, bias = w.tensor(2, 3, 2), w.tensor(2, 3, 4), w.tensor(3, 2, 4), w.tensor(3)
    for given in (None, bias):
        w.add("aten::bilinear", [a, b, weight, given], {}, wide(F.bilinear, a, b, weight, given), tolerance=bound(16))
    for op, a, b, text in [("torch.matmul", (2, 3), (4, 5), "found 3 columns and 4 rows"),
                           ("torch.matmul", (2, 3, 4), (3, 4, 5), "(2)"),
                           ("torch.matmul", (), (3,), "expected rank 1 or more"),
                           ("torch.mm", (2, 3), (3,), "mat2 is (3), expected rank 2"),
                           ("torch.bmm", (2, 3, 4), (1, 4, 5), "expected equal lengths"),
                           ("aten::dot", (2,), (3,), "don't fit")]:
        w.add(op, [w.tensor(*a), w.tensor(*b)], {}, error=text)
    w.add("torch.mm", [x[0], y[0].long()], {}, error="element types float32 and int64")


def addmm(w):
    scale = {"beta": w.pick(1, 0.5, 0), "alpha": w.pick(1, 2.0, 0.25)}
    x, y = w.tensor(2, 3, 4), w.tensor(2, 4, 5)
    names = ["torch.addmm", "torch.baddbmm", "aten::addbmm", "torch.addmv", "torch.addr"]
    op = w.pick(*names)
    function = getattr(torch, op.split(".")[-1].split(":")[-1])
    given = {"torch.addmm": (x[0], y[0]), "torch.baddbmm": (x, y), "aten::addbmm": (x, y),
             "torch.addmv": (x[0], y[0, :, 0]), "torch.addr": (x[0, :, 0], y[0, 0])}[op]
    shape = {"torch.addmv": w.pick([3], [1]), "torch.baddbmm": w.pick([5], [3, 1], [2, 3, 5], [2, 1, 5])}.get(
        op, w.pick([5], [3, 5], [3, 1], [1]))
    addend = w.tensor(*shape)
    results = wide(lambda *t: function(*t, **scale), addend, *given)
    if scale["beta"] == 0:
        addend = addend * float("nan")
    inputs = [addend, *given] + (list(scale.values()) if op.startswith("aten") else [])
    w.add(op, inputs, {} if op.startswith("aten") else scale, results, tolerance=bound(16))


def addmm_errors(w):
    w.add("torch.addmm", [w.tensor(4, 5), w.tensor(3, 4), w.tensor(4, 5)], {}, error="(4,5)")


draw("linear", 7, (linear_errors, 1), (linear, 30))
draw("matmul", 7, (matmul, 1))
draw("addmm", 7, (addmm_errors, 1), (addmm, 30))
