# SPDX-License-Identifier: MIT
"""What operations on images, rows and sequences refuse, with a part of each error."""
import torch

from ..calls import draw


def errors(w):
    image = w.tensor(1, 2, 5, 5)
    row = w.tensor(2, 3)
    bad = w.refuse
    bad("nn.MaxPool2d", [row], {"kernel_size": [2, 2]}, "input is (2,3), expected rank 4 or, without a batch, 3")
    bad("nn.MaxPool2d", [image], {"kernel_size": [7, 2]}, "the window covers 7 elements")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2], "stride": [0, 1]}, "stride is 0")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2], "dilation": [0, 1]}, "dilation is 0")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2, 2]}, "a list of 2 ints")
    bad("nn.MaxPool2d", [image], {"kernel_size": [2, 2], "padding": [2, 0]}, "padding is 2, expected at most half")
    bad("nn.MaxPool2d", [image], {}, "argument 'kernel_size' is missing")
    bad("nn.AvgPool2d", [image], {"kernel_size": 2, "divisor_override": 0}, "divisor_override is 0")
    bad("F.avg_pool2d", [image], {"kernel_size": 2, "dilation": 2}, "dilation is 2, expected 1")
    bad("nn.AvgPool2d", [torch.ones(1, 1, 4, 4, dtype=torch.int64)], {"kernel_size": 2}, "input is int64")
    bad("F.lp_pool2d", [image], {"kernel_size": 2, "norm_type": 0}, "norm_type is 0")
    bad("nn.AdaptiveAvgPool2d", [image], {"output_size": [-1, 2]}, "output_size is -1")
    bad("nn.AdaptiveAvgPool2d", [torch.ones(1, 2, 0, 3)], {"output_size": 2}, "expected no empty image")
    bad("F.interpolate", [image], {"mode": "cubic", "size": 2}, "mode is 'cubic', expected one of 'nearest'")
    bad("F.interpolate", [image], {"mode": "bilinear"}, "neither size nor scale_factor")
    bad("F.interpolate", [image], {"mode": "bilinear", "size": [0, 3]}, "expected extents above 0")
    bad("F.interpolate", [image], {"mode": "bilinear", "scale_factor": 0.1}, "makes no image")
    bad("F.interpolate", [image], {"scale_factor": [1.5, 2.0, 2.0]}, "scale_factor has 3 numbers, expected 2")
    bad("F.interpolate", [image], {"mode": "trilinear", "size": 3}, "expected rank 5")
    bad("F.pad", [row], {"pad": [1]}, "pad has 1 numbers")
    bad("F.pad", [row], {"pad": [1, 1, 1, 1, 1, 1]}, "pad has 6 numbers")
    bad("F.pad", [row], {"pad": [1, -5]}, "leaves no valid extent")
    bad("F.pad", [row], {"pad": [3, 0], "mode": "reflect"}, "pad is 3, expected at most 2")
    bad("F.pad", [row], {"pad": [4, 0], "mode": "circular"}, "pad is 4, expected at most 3")
    bad("F.pad", [row], {"pad": [1, 0], "mode": "mirror"}, "mode is 'mirror'")
    channels = {"running_mean": w.tensor(2), "running_var": w.tensor(2)}
    bad("nn.BatchNorm2d", [image], {"eps": 1e-5}, "argument 'running_mean' is missing")
    bad("nn.BatchNorm2d", [image], {"eps": 1e-5}, "running_var is float32 (3), expected float32 (2)",
        attributes={"running_mean": w.tensor(2), "running_var": w.tensor(3)})
    bad("nn.BatchNorm2d", [image], {"affine": True}, "attribute 'weight' is missing", attributes=channels)
    bad("nn.LayerNorm", [row], {"normalized_shape": [4]}, "expected normalized_shape (4) as its last extents")
    bad("nn.LayerNorm", [row], {"normalized_shape": [3], "elementwise_affine": True}, "attribute 'weight' is missing")
    bad("nn.GroupNorm", [w.tensor(1, 5, 2)], {"num_groups": 2}, "a multiple of the 2 groups")
    bad("nn.GroupNorm", [w.tensor(3)], {"num_groups": 1}, "expected at least rank 2")
    bad("nn.InstanceNorm2d", [row], {}, "expected at least rank 3")
    bad("nn.LocalResponseNorm", [row], {"size": 3}, "expected at least rank 3")
    bad("nn.LocalResponseNorm", [image], {"size": 0}, "size is 0")
    bad("F.normalize", [row], {"dim": 2}, "argument 'dim' is axis 2")
    bad("nn.Softmax", [row], {"dim": -3}, "argument 'dim' is axis -3")
    bad("nn.Softmax", [torch.ones(2, dtype=torch.int64)], {"dim": 0}, "input is int64")
    gru = {"weight_ih_l0": w.tensor(6, 3), "weight_hh_l0": w.tensor(6, 2)}
    bad("nn.GRU", [row], {"hidden_size": 2, "bias": True}, "argument 'bias_ih_l0' is missing", attributes=gru)
    bad("nn.GRU", [row], {"hidden_size": 3, "bias": False}, "expected float32 (9,3)", attributes=gru)
    bad("nn.GRU", [row], {"hidden_size": 2, "bias": False, "input_size": 4}, "expected a last extent of input_size 4", attributes=gru)
    bad("nn.GRU", [row, w.tensor(1, 3)], {"hidden_size": 2, "bias": False}, "h0 is float32 (1,3)", attributes=gru)
    bad("nn.GRU", [w.tensor(3)], {"hidden_size": 2}, "expected rank 3")
    bad("nn.GRU", [torch.ones(0, 1, 3)], {"hidden_size": 2}, "at least one time step")
    bad("nn.GRU", [row], {"hidden_size": 0}, "expected both above 0")
    bad("nn.RNN", [row], {"hidden_size": 2, "nonlinearity": "sin"}, "nonlinearity is 'sin'")


def vision_errors(w):
    image = w.tensor(1, 4, 3, 3)
    grid = w.tensor(1, 2, 2, 2)
    bad = w.refuse
    bad("F.grid_sample", [w.tensor(2, 3), grid], {}, "expected rank 4 or 5")
    bad("F.grid_sample", [image, w.tensor(2, 2, 2, 2)], {}, "grid is float32 (2,2,2,2)")
    bad("F.grid_sample", [image, w.tensor(1, 2, 2, 3)], {}, "a last extent of 2")
    bad("F.grid_sample", [image, grid.double()], {}, "grid is float64")
    bad("F.grid_sample", [image, grid], {"mode": "area"}, "mode is 'area'")
    bad("F.grid_sample", [image, grid], {"padding_mode": "reflect"}, "padding_mode is 'reflect'")
    bad("F.grid_sample", [image, grid], {"mode": 3}, "mode is (3), expected 0, 1 or 2")
    bad("F.grid_sample", [w.tensor(1, 1, 2, 2, 2), w.tensor(1, 1, 1, 1, 3)], {"mode": "bicubic"}, "mode is 'bicubic'")
    bad("F.grid_sample", [torch.ones(1, 1, 0, 2), grid], {}, "expected no empty image")
    bad("F.affine_grid", [w.tensor(2, 2, 3)], {"size": [1, 1, 2, 2]}, "expected (1,2,3)")
    bad("F.affine_grid", [w.tensor(1, 2, 3)], {"size": [1, 1, 2]}, "expected rank 4 or 5")
    bad("F.affine_grid", [w.tensor(1, 2, 3)], {"size": [1, 1, 0, 2]}, "expected extents above 0")
    where = torch.tensor([[[[0, 3]]]])
    small = w.tensor(1, 1, 1, 2)
    bad("F.max_unpool2d", [small, where], {"kernel_size": [1, 1]}, "an index is out of range, expected 0 to 1")
    bad("F.max_unpool2d", [small, -where], {"kernel_size": [2, 2]}, "an index is out of range")
    bad("F.max_unpool2d", [small, where[..., :1]], {"kernel_size": [2, 2]}, "indices are int64 (1,1,1,1)")
    bad("F.max_unpool2d", [small, where], {"kernel_size": [2, 2], "output_size": [9, 9]}, "less than the stride")
    bad("F.max_unpool2d", [small, where], {"kernel_size": [2, 2], "output_size": [4]}, "expected 2 extents")
    bad("F.fractional_max_pool2d", [image], {"kernel_size": 2, "output_size": 2}, "expected given samples")
    bad("F.fractional_max_pool2d", [image, w.tensor(1, 4, 2)], {"kernel_size": 3, "output_size": 2}, "windows that fit")
    bad("F.fractional_max_pool2d", [image, w.tensor(1, 4, 2)], {"kernel_size": 2, "output_ratio": [0.5, 1.5]}, "between 0 and 1")
    bad("F.fractional_max_pool2d", [image, w.tensor(1, 3, 2)], {"kernel_size": 2, "output_size": 2}, "samples is float32 (1,3,2)")
    box = torch.tensor([[0.0, 0, 0, 2, 2]])
    roi = "torchvision.ops.RoIAlign"
    size = {"output_size": [2, 2], "spatial_scale": 1.0}
    bad(roi, [w.tensor(4, 3, 3), box], size, "expected rank 4")
    bad(roi, [image, box[:, 1:]], size, "boxes are float32 (1,4)")
    bad(roi, [image, box.double()], size, "boxes are float64")
    bad(roi, [image, box], {**size, "output_size": [0, 2]}, "output_size is (0,2)")
    bad(roi, [image, box], {**size, "sampling_ratio": 1 << 30}, "sampling_ratio is 1073741824")
    bad(roi, [image, box + 1], size, "box 0 names an image outside of the batch, expected 0 to 0")
    bad(roi, [image, -box - 1], size, "box 0 names an image")
    bad("torchvision.ops.ps_roi_align", [w.tensor(1, 3, 3, 3), box], size, "expected a multiple of the output's 4 bins")
    bad("torchvision.ops.roi_pool", [image, box + 1], size, "box 0 names an image")
    bad("torchvision.ops.nms", [w.tensor(3, 5), w.tensor(3)], {"iou_threshold": 0.5}, "expected shape (boxes,4)")
    bad("torchvision.ops.nms", [w.tensor(3, 4), w.tensor(2)], {"iou_threshold": 0.5}, "scores are float32 (2)")
    deform = "torchvision.ops.deform_conv2d"
    weight = w.tensor(2, 4, 2, 2)
    bad(deform, [image, w.tensor(1, 8, 3, 3), weight], {}, "offset is float32 (1,8,3,3), expected float32 (1,8,2,2)")
    bad(deform, [image, w.tensor(1, 9, 2, 2), weight], {}, "a multiple of 8 channels")
    bad(deform, [image, w.tensor(1, 24, 2, 2), weight], {}, "a multiple of 8 channels")
    bad(deform, [image[0], w.tensor(1, 8, 2, 2), weight], {}, "expected rank 4")
    bad(deform, [image, w.tensor(1, 8, 2, 2), weight, w.tensor(1, 3, 2, 2)], {}, "mask is float32 (1,3,2,2)",
        names=["input", "offset", "weight", "mask"])
    row = w.tensor(2, 3)
    quantize = "nn.quantized.Quantize"
    bad(quantize, [row], {"scale": 0.0, "zero_point": 0}, "scale is 0, expected a positive float32 number")
    bad(quantize, [row], {"scale": 0.1, "zero_point": 300}, "zero_point is 300, expected an integer from 0 to 255")
    bad(quantize, [row.double()], {"scale": 0.1, "zero_point": 0}, "input is float64")
    bad("torch.quantize_per_tensor", [row], {"scale": 0.1, "zero_point": 0, "dtype": 5}, "expected qint8, quint8 or qint32")
    bad("nn.quantized.Linear", [row], {"scale": 0.1, "zero_point": 0}, "expected a constant of int8",
        attributes={"weight": torch.ones(2, 3, dtype=torch.int64)})


draw("errors", 1, (errors, 1))
draw("vision_errors", 1, (vision_errors, 1))
