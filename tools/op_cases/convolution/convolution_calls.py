# SPDX-License-Identifier: MIT
"""Convolutions of drawn geometries, and wrong ones."""
import torch
import torch.nn.functional as F

from ..calls import bound, draw, wide


CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


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


draw("convolution", 7, (convolution_errors, 1), (convolution, 30))
draw("conv_transpose", 7, (conv_transpose_errors, 1), (conv_transpose, 30))
