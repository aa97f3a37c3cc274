#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes goldens of convolutions, matrix products, embeddings, sliding blocks and Einstein sums, like make_goldens.py.

    python3 make_product_goldens.py [--out FOLDER] [--count N] [--seed S]
"""
import argparse
import json
import pathlib

import torch
import torch.nn.functional as F

from make_goldens import Writer, array, wide

CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


def bound(terms):
    """Returns the tolerance of a float32 sum of `terms` products of numbers up to 2."""
    return 1e-6 + 5e-7 * terms


def convolution(w):
    dims, groups = w.pick(1, 2, 2, 3), w.pick(1, 1, 2, 3)
    channels, outputs = groups * w.pick(1, 2, 3), groups * w.pick(1, 2)
    kernel, dilation = w.shape(dims, 1, 3), w.shape(dims, 1, 2)
    padding = w.pick([w.rng.randint(0, 2) for _ in kernel], "same", "valid")
    stride = [1] * dims if padding == "same" else w.shape(dims, 1, 3)
    lead = w.pick([], [1], [2])
    x = w.tensor(*lead, channels, *w.shape(dims, 5, 8 - dims))
    weight = w.tensor(outputs, channels // groups, *kernel)
    bias = w.pick(None, w.tensor(outputs))
    options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    tolerance = bound(weight[0].numel())
    spelling = w.pick("nn", "nn", "F", "aten")
    if spelling == "nn":
        mode = w.pick("zeros", "reflect", "replicate", "circular")
        module = getattr(torch.nn, f"Conv{dims}d")(channels, outputs, kernel, stride, padding, dilation, groups,
                                                   bias is not None, mode).double()
        module.weight.data = weight.double()
        attributes = {"weight": weight}
        if bias is not None:
            module.bias.data = bias.double()
            attributes["bias"] = bias
        params = {**options, "in_channels": channels, "out_channels": outputs, "kernel_size": kernel,
                  "bias": bias is not None, "padding_mode": mode}
        with torch.no_grad():
            w.add(f"nn.Conv{dims}d", [x], params, wide(module, x), attributes, tolerance=tolerance)
        return
    results = wide(lambda *t: CONV[dims](*t, **options), x, weight, bias)
    if spelling == "F":
        given = [t for t in (x, weight, bias) if t is not None]
        params = options if bias is not None else {**options, "bias": None}
        w.add(f"F.conv{dims}d", given, params, results, names=["input", "weight", "bias"][:len(given)],
              tolerance=tolerance)
    else:
        w.add(f"aten::conv{dims}d", [x, weight, bias, *options.values()], {}, results, tolerance=tolerance)


def convolution_errors(w):
    x, weight = w.tensor(1, 3, 5, 5), w.tensor(4, 3, 3, 3)
    good = {"stride": [1, 1], "padding": [0, 0], "dilation": [1, 1], "groups": 1}
    for change, given, kernel, text in [
        ({}, w.tensor(1, 2, 5, 5), weight, "input has 2 channels, the weight expects 3 (groups 1)"),
        ({}, w.tensor(5, 5), weight, "expected rank 4 or, without a batch, 3"),
        ({}, x, w.tensor(4, 3, 3), "expected rank 4"),
        ({}, x.long(), weight, "input is int64"),
        ({}, x.double(), weight, "weight is float32"),
        ({"groups": 3}, x, weight, "a multiple of groups 3"),
        ({"groups": 0}, x, weight, "groups is 0"),
        ({"stride": [0, 1]}, x, weight, "stride is 0"),
        ({"dilation": [1, 0]}, x, weight, "dilation is 0"),
        ({"dilation": [3, 1]}, x, weight, "covers 7 elements"),
        ({"padding": [-1, 0]}, x, weight, "padding is -1"),
        ({"padding": [1, 1, 1]}, x, weight, "padding has 3 numbers"),
        ({"padding": "some"}, x, weight, "padding is 'some'"),
        ({"padding": "same", "stride": [2, 2]}, x, weight, "needs stride 1"),
        ({"padding": [5, 0], "padding_mode": "reflect"}, x, weight, "padding is 5, expected at most 4"),
        ({"padding": [6, 0], "padding_mode": "circular"}, x, weight, "padding is 6, expected at most 5"),
        ({"padding_mode": "mirror"}, x, weight, "padding_mode is 'mirror'"),
        ({"in_channels": 4}, x, weight, "in_channels is 4"),
        ({"out_channels": 5}, x, weight, "out_channels is 5"),
        ({"kernel_size": [3, 2]}, x, weight, "kernel_size is (3,2)"),
    ]:
        w.add("nn.Conv2d", [given], {**good, **change}, attributes={"weight": kernel}, error=text)
    w.add("nn.Conv2d", [x], good, attributes={"weight": weight, "bias": w.tensor(3)}, error="bias is (3), expected (4)")


def conv_transpose(w):
    dims, groups = w.pick(1, 2, 2, 3), w.pick(1, 1, 2, 3)
    channels, outputs = groups * w.pick(1, 2, 3), groups * w.pick(1, 2)
    kernel, dilation, stride = w.shape(dims, 1, 3), w.shape(dims, 1, 2), w.shape(dims, 1, 3)
    padding = [w.rng.randint(0, min(k, 2)) for k in kernel]
    extra = [w.rng.randint(0, max(s, d) - 1) for s, d in zip(stride, dilation)]
    x = w.tensor(*w.pick([], [1], [2]), channels, *w.shape(dims, 4, 6))
    weight = w.tensor(channels, outputs // groups, *kernel)
    bias = w.pick(None, w.tensor(outputs))
    options = {"stride": stride, "padding": padding, "output_padding": extra, "groups": groups, "dilation": dilation}
    results = wide(lambda *t: TRANSPOSED[dims](*t, **options), x, weight, bias)
    tolerance = bound(channels * weight[0, 0].numel())
    spelling = w.pick("nn", "F", "aten", "general")
    if spelling == "nn":
        attributes = {"weight": weight, **({"bias": bias} if bias is not None else {})}
        params = {**options, "in_channels": channels, "out_channels": outputs, "kernel_size": kernel,
                  "bias": bias is not None}
        w.add(f"nn.ConvTranspose{dims}d", [x], params, results, attributes, tolerance=tolerance)
    elif spelling == "F":
        given = [t for t in (x, weight, bias) if t is not None]
        w.add(f"F.conv_transpose{dims}d", given, options, results, names=["input", "weight", "bias"][:len(given)],
              tolerance=tolerance)
    elif spelling == "aten":
        w.add(f"aten::conv_transpose{dims}d", [x, weight, bias, *options.values()], {}, results, tolerance=tolerance)
    else:
        w.add("aten::convolution", [x, weight, bias, stride, padding, dilation, True, extra, groups], {}, results,
              tolerance=tolerance)


def conv_transpose_errors(w):
    x, weight = w.tensor(1, 4, 5), w.tensor(4, 3, 3)
    good = {"stride": 2, "padding": 0, "output_padding": 0, "dilation": 1, "groups": 1}
    for change, text in [({"output_padding": 2}, "output_padding is 2"), ({"padding": 9}, "output extent would be"),
                         ({"groups": 3}, "a multiple of groups 3"), ({"padding": [1, 2]}, "a list of 1 ints")]:
        w.add("nn.ConvTranspose1d", [x], {**good, **change}, attributes={"weight": weight}, error=text)
    w.add("nn.ConvTranspose1d", [w.tensor(1, 3, 5)], good, attributes={"weight": weight}, error="input has 3 channels")


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
    w.add("aten::chain_matmul", [[array(m) for m in chain]], {}, wide(torch.chain_matmul, *chain), tolerance=bound(48))
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


def embedding(w):
    table = w.tensor(6, 3)
    for shape in [(3,), (2, 4), (), (2, 0), (2, 1, 3)]:
        index = torch.randint(0, 6, shape, generator=torch.Generator().manual_seed(1))
        results = [F.embedding(index, table)]
        w.add("nn.Embedding", [index], {"num_embeddings": 6, "embedding_dim": 3, "sparse": False}, results,
              {"weight": table}, tolerance=0)
        w.add("F.embedding", [index, table], {"scale_grad_by_freq": False, "sparse": False}, results,
              names=["input", "weight"], tolerance=0)
        w.add("aten::embedding", [table, index, -1, False, False], {}, results, tolerance=0)
    for index, text in [(torch.tensor([0, 6]), "index 6 at position 1"), (torch.tensor([-1]), "index -1 at position 0"),
                        (torch.tensor([0.5]), "expected int32 or int64")]:
        w.add("nn.Embedding", [index], {}, attributes={"weight": table}, error=text)
    w.add("nn.Embedding", [torch.tensor([1])], {"num_embeddings": 7}, attributes={"weight": table},
          error="num_embeddings")
    index = torch.tensor([0, 1, 2, 3, 4, 5, 5, 3])
    for mode in range(3):
        for last in (False, True):
            for padding in (None, 3):
                for factors in (None, w.tensor(8)) if mode == 0 else (None,):
                    offsets = torch.tensor([0, 3, 3, 6] + ([8] if last else []))
                    result = F.embedding_bag(index, table, offsets, mode=["sum", "mean", "max"][mode],
                                             per_sample_weights=factors, include_last_offset=last, padding_idx=padding)
                    w.add("aten::embedding_bag", [table, index, offsets, False, mode, False, factors, last, padding], {},
                          [result], tolerance=bound(3))
    for index, offsets, text in [([0, 6], [0], "index 6"), ([0, 1], [1], "offsets must start at 0"),
                                 ([0, 1], [0, 3], "offsets must"), ([0, 1, 2], [0, 2, 1], "offsets must")]:
        w.add("aten::embedding_bag", [table, torch.tensor(index), torch.tensor(offsets)], {}, error=text)


def shuffles(w):
    for shape in [(2, 8, 3, 4), (8, 2, 3), (2, 2, 4, 2, 3), (0, 4, 2, 2)]:
        x = w.tensor(*shape)
        w.add("nn.PixelShuffle", [x], {"upscale_factor": 2}, [F.pixel_shuffle(x, 2)], tolerance=0)
    for shape in [(2, 3, 4, 6), (3, 2, 4), (2, 2, 1, 4, 2)]:
        x = w.tensor(*shape).mul(9).long()
        w.add("F.pixel_unshuffle", [x], {"downscale_factor": 2}, [F.pixel_unshuffle(x, 2)], tolerance=0)
    for shape in [(2, 6, 2, 3), (1, 6, 3), (2, 6, 2, 1, 2)]:
        for groups in (1, 2, 3):
            x = w.tensor(*shape)
            w.add("nn.ChannelShuffle", [x], {"groups": groups}, [torch.channel_shuffle(x, groups)], tolerance=0)
    for op, shape, params, text in [("nn.PixelShuffle", (1, 6, 2, 2), {"upscale_factor": 2}, "a multiple of 4"),
                                    ("nn.PixelShuffle", (4, 2), {"upscale_factor": 2}, "rank 3 or more"),
                                    ("nn.PixelShuffle", (1, 4, 2, 2), {"upscale_factor": 0}, "upscale_factor is 0"),
                                    ("nn.PixelUnshuffle", (1, 4, 3, 2), {"downscale_factor": 2}, "multiples of 2"),
                                    ("nn.ChannelShuffle", (1, 6, 2), {"groups": 4}, "multiple of groups 4")]:
        w.add(op, [w.tensor(*shape)], params, error=text)


def fold(w):
    options = {"kernel_size": w.shape(2, 1, 3), "dilation": w.shape(2, 1, 2), "padding": [w.pick(0, 1), w.pick(0, 1)],
               "stride": w.shape(2, 1, 3)}
    lead, size = w.pick([], [2]), w.shape(2, 5, 7)
    x = w.tensor(*lead, 2, *size)
    blocks = F.unfold(x, **options)
    w.add("nn.Unfold", [x], options, [blocks], tolerance=0)
    w.add("F.fold", [blocks], {"output_size": size, **options}, wide(lambda t: F.fold(t, size, **options), blocks),
          names=["input"], tolerance=bound(9))
    w.add("aten::col2im", [blocks, size, *options.values()], {}, wide(lambda t: F.fold(t, size, **options), blocks),
          tolerance=bound(9))


def fold_errors(w):
    w.add("F.unfold", [w.tensor(5, 5)], {"kernel_size": 2}, error="expected rank 4")
    w.add("F.unfold", [w.tensor(1, 2, 3, 3)], {"kernel_size": 4}, error="covers 4 elements")
    w.add("F.fold", [w.tensor(1, 9, 4)], {"output_size": [3, 3], "kernel_size": 2}, error="a multiple of the kernel's 4")
    w.add("F.fold", [w.tensor(1, 8, 5)], {"output_size": [3, 3], "kernel_size": 2}, error="expected 4 for output_size")


EQUATIONS = """ij,k->ijk ijk,ijl,ijk->ijkl ijk,ik->ij ijk,kl->ijkl ijkln,ijlmn->ijklm ijkln,kmn->ijklm ijkm,ijlm->ijkl
    ikjm,iljm->ijkl ikl,ijl->ijk ilj,ilk->ijk inkmlo,injok->ijklm ii ii->i ij->ji ij-> ij->j ijk->ki kij i,j,k->ijk ij,jk
    ij,ij->ij ij,ij-> iij,jk->ik ii,ij->j ij,kl-> ijj,k->ik i,i->i ik,jkl,il""".split()


def einsum(w):
    extents = dict(i=2, j=3, k=2, l=4, m=3, n=2, o=3)
    cases = [(e, [[extents[c] for c in t] for t in e.split("->")[0].split(",")]) for e in EQUATIONS]
    cases += [("...ij,...jk->...ik", [(2, 1, 3, 4), (3, 4, 2)]), ("...ij,jk", [(2, 3, 4), (4, 2)]),
              ("i...,...j->...ij", [(3, 2, 4), (1, 4, 2)]), ("ij,jk->ik", [(1, 4), (4, 3)]),
              ("ij,ij->i", [(2, 1), (2, 5)]), ("ij,jk->ik", [(2, 0), (0, 3)]), ("ij,jk->ik", [(0, 2), (2, 3)])]
    for equation, shapes in cases:
        operands = [w.tensor(*shape) for shape in shapes]
        results = wide(lambda *t: torch.einsum(equation, *t), *operands)
        w.add("torch.einsum", operands, {"equation": equation}, results, tolerance=bound(48))
        integers = [x.mul(4).long() for x in operands]
        w.add("aten::einsum", [equation, [array(x) for x in integers], None], {}, [torch.einsum(equation, *integers)],
              tolerance=0)
    w.add("torch.einsum", [w.tensor(2, 3), w.tensor(4, 5)], {"equation": "ij,jk->ik"}, error="'j' has extents 3 and 4")


WRITERS = {"convolution": [convolution_errors, convolution], "conv_transpose": [conv_transpose_errors, conv_transpose],
           "linear": [linear_errors, linear], "matmul": [matmul], "addmm": [addmm_errors, addmm],
           "embedding": [embedding], "shuffles": [shuffles], "fold": [fold_errors, fold], "einsum": [einsum]}
REPEATED = {convolution, conv_transpose, linear, addmm, fold}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default=str(pathlib.Path(__file__).parent))
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    for name, functions in WRITERS.items():
        writer = Writer(options.seed)
        for function in functions:
            for _ in range(options.count if function in REPEATED else 1):
                function(writer)
        lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in writer.cases)
        (pathlib.Path(options.out) / f"{name}.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
