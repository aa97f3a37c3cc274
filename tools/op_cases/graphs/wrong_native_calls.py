# SPDX-License-Identifier: MIT
"""Wrong calls of PyTorch's native operators, which exporters write, each with a part of its error."""
import torch

from ..calls import draw


def native_errors(w):
    bad = w.refuse
    recurrent_cells(w, bad)
    normalisations(w, bad)
    movement(w, bad)
    creation(w, bad)
    functions(w, bad)
    quantisation(w, bad)


def recurrent_cells(w, bad):
    x, h, c = w.tensor(2, 3), w.tensor(2, 4), w.tensor(2, 4)
    weights = [w.tensor(16, 3), w.tensor(16, 4)]
    names = ["input", "hx", "hx", "w_ih", "w_hh"]
    cell = "aten::lstm_cell"
    bad(cell, [x[0], h, c, *weights], {}, "input is (3), expected rank 2: batch, size", names=names)
    bad(cell, [x, h, c, weights[0], weights[1][:15]], {}, "w_hh is (15,4), expected rank 2 and a multiple of 4 rows", names=names)
    bad(cell, [x, h, c, weights[0][:, :2], weights[1]], {}, "weight_ih_l0 is", names=names)
    bad(cell, [x, h, c[:1], *weights], {}, "hx holds float32 (1,4), expected float32 (2,4)", names=names)
    bad(cell, [x, h.double(), c, *weights], {}, "hx holds float64 (2,4), expected float32 (2,4)", names=names)
    bad(cell, [x, h, *weights], {}, "hx holds 1 arrays, expected 2", names=["input", "hx", "w_ih", "w_hh"])
    bad(cell, [x, h, c, *weights, w.tensor(15)], {}, "bias_ih_l0 is", names=[*names, "b_ih"])
    bad("aten::gru_cell", [x, h, w.tensor(12, 3), weights[1]], {}, "w_hh is (16,4), expected rank 2 and a multiple of 3 rows", names=["input", "hx", "w_ih", "w_hh"])


def normalisations(w, bad):
    image = w.tensor(2, 6, 4)
    bad("aten::native_layer_norm", [image], {"normalized_shape": [5]}, "expected normalized_shape (5) as its last extents")
    group = {"N": 2, "C": 6, "HxW": 4, "group": 3}
    bad("aten::native_group_norm", [image], {**group, "N": 3}, "expected N, C and HxW of (3,6,4)")
    bad("aten::native_group_norm", [image], {**group, "group": 4}, "expected a multiple of the 4 groups")
    bad("aten::_weight_norm", [w.tensor(3, 2), w.tensor(3, 1)], {"dim": 2}, "dim is 2, expected -1 to 1 for (3,2)", names=["v", "g"])
    bad("aten::_weight_norm", [w.tensor(3, 2), w.tensor(4, 3, 1)], {"dim": 0}, "g is (4,3,1), expected (3,1) for v of (3,2)", names=["v", "g"])


def movement(w, bad):
    pad, names = "aten::pad_sequence", ["sequences", "sequences"]
    bad(pad, [w.tensor(3), w.tensor(2)], {"padding_side": "up"}, "padding_side is 'up', expected left or right", names=names)
    bad(pad, [w.tensor(3), w.tensor()], {}, "a sequence is (), expected rank 1 or more", names=names)
    bad("aten::as_strided_scatter", [w.tensor(2, 2), w.tensor(2)], {"size": [2], "stride": [4]}, "reach beyond the 4 elements")
    bad("aten::stride", [w.tensor()], {"dim": 0}, "input is (), expected rank 1 or more")
    bad("aten::nonzero_static", [w.tensor(3)], {"size": -1}, "size is -1, expected 0 or more")
    bad("aten::_unsafe_masked_index", [w.tensor(3), torch.ones(3), w.tensor(3)], {"fill": 0.5}, "indices hold float32 (3), expected integers",
        names=["input", "mask", "indices"])
    pad = "aten::pad_sequence"
    bad(pad, [w.tensor(3), w.tensor(2)], {"padding_side": "up"}, "padding_side is 'up', expected left or right", names=["sequences", "sequences"])
    bad(pad, [w.tensor(3), w.tensor()], {}, "a sequence is (), expected rank 1 or more", names=["sequences", "sequences"])


def creation(w, bad):
    for side in ("tril", "triu"):
        bad(f"aten::{side}_indices", [], {"row": -1, "col": 2}, "row is -1 and col 2, expected no negative extents")
    bad("aten::logspace", [], {"start": 0, "end": 1, "steps": -1}, "expected 0 to less than 2^40")


def functions(w, bad):
    row = w.tensor(2, 3)
    bad("aten::frexp", [torch.tensor([1, 2])], {}, "input is int64, expected float32 or float64")
    bad("aten::round", [torch.tensor([1, 2])], {"decimals": 1}, "expected floating numbers where decimals is not 0")
    bad("aten::rrelu", [row], {"training": True}, "training is True, expected False")
    bad("aten::_fft_c2c", [row], {"dim": [0], "normalization": 3, "forward": True}, "normalization is 3, expected 0, 1 or 2")
    bad("aten::_fft_c2r", [row], {"dim": [0], "normalization": 0, "last_dim_size": 0}, "expected at least 1")


def quantisation(w, bad):
    row = w.tensor(2, 3)
    fake = "aten::fake_quantize_per_tensor_affine"
    grid = {"scale": 0.1, "zero_point": 0, "quant_min": -128, "quant_max": 127}
    bad(fake, [row.double()], grid, "input is float64, expected float32")
    bad(fake, [row], {**grid, "scale": 0.0}, "scale is 0, expected a positive float32 number")
    bad(fake, [row], {**grid, "zero_point": 300}, "zero_point is 300, expected an integer from quant_min -128 to quant_max 127")
    channels = {"axis": 0, "quant_min": -128, "quant_max": 127}
    names = ["input", "scale", "zero_point"]
    fake = "aten::fake_quantize_per_channel_affine"
    bad(fake, [row, w.tensor(3), torch.zeros(2)], channels, "scale is (3), expected 2 for the axis", names=names)
    bad(fake, [row, w.tensor(2), torch.zeros(3)], channels, "zero_point is (3), expected 2 for the axis", names=names)
    bad(fake, [row, w.tensor(2), torch.zeros(2)], {**channels, "quant_min": 128}, "quant_min is 128 and quant_max 127, expected ascending numbers", names=names)
    observed = "aten::fused_moving_avg_obs_fake_quant"
    on, off, one = torch.tensor([1]), torch.tensor([0]), torch.ones(1)
    names = ["input", "observer_on", "fake_quant_on", "running_min", "running_max", "scale", "zero_point"]
    rest = {"averaging_const": 0.1, "quant_min": 0, "quant_max": 255, "ch_axis": 0}
    bad(observed, [row, on, on, one, one, one, one], rest, "observer_on is not 0", names=names)
    bad(observed, [row, off, on, w.tensor(2), one, one, one], rest, "running_min is (2), expected 1 numbers", names=names)
    bad(observed, [row, off, on, one, one, one, one], {**rest, "quant_max": 0}, "quant_min is 0 and quant_max 0", names=names)
    bad(observed, [row.double(), off, on, one, one, one, one], rest, "input is float64, expected float32", names=names)
    space = "quantized_decomposed::"
    grid = {**grid, "dtype": "torch.int8"}
    bad(space + "quantize_per_tensor", [torch.tensor([1])], grid, "input is int64, expected floating numbers")
    bad(space + "quantize_per_tensor", [row], {**grid, "dtype": "torch.uint8"}, "quant_min is -128 and quant_max 127, expected numbers of uint8")
    bad(space + "quantize_per_tensor", [row], {**grid, "dtype": "torch.long"}, "dtype is int64, expected int8, uint8, int16 or int32")
    bad(space + "dequantize_per_tensor", [row], grid, "input is float32, expected int8, uint8, int16 or int32")


draw("native_errors", 1, (native_errors, 1))
