#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes vision_errors.json: wrong calls of sampling, region, unpooling and quantised operators, like make_goldens.py.

    python3 make_vision_goldens.py [--out FOLDER] [--seed S]
"""
import argparse
import json
import pathlib

import torch

from make_goldens import Writer


def errors(w):
    image = w.tensor(1, 4, 3, 3)
    grid = w.tensor(1, 2, 2, 2)
    bad = lambda op, inputs, params, text, **kw: w.add(op, inputs, params, error=text, **kw)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    writer = Writer(options.seed)
    errors(writer)
    text = ",\n".join(json.dumps(case, separators=(",", ":")) for case in writer.cases)
    (options.out / "vision_errors.json").write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    main()
