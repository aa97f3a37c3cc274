# SPDX-License-Identifier: MIT
"""Calls of all families with empty batches, float64, integers and conversions."""
import torch
import torch.nn.functional as F

from ..calls import draw, wide


def corners(w):
    """Adds empty batches, float64, integers, conversions."""
    for op, shape, params, out in (
        ("nn.MaxPool2d", (0, 2, 4, 4), {"kernel_size": 2}, (0, 2, 2, 2)),
        ("nn.AvgPool2d", (0, 2, 4, 4), {"kernel_size": 2}, (0, 2, 2, 2)),
        ("F.lp_pool2d", (0, 2, 4, 4), {"kernel_size": 2, "norm_type": 2}, (0, 2, 2, 2)),
        ("nn.AdaptiveAvgPool2d", (0, 2, 4, 4), {"output_size": 3}, (0, 2, 3, 3)),
        ("nn.Upsample", (0, 2, 4, 4), {"scale_factor": 2.0, "mode": "bilinear"}, (0, 2, 8, 8)),
        ("F.pad", (0, 2), {"pad": [1, 1]}, (0, 4)),
        ("nn.LayerNorm", (0, 3), {"normalized_shape": 3}, (0, 3)),
        ("nn.GroupNorm", (0, 4, 2), {"num_groups": 2}, (0, 4, 2)),
        ("nn.Softmax", (3, 0), {"dim": 1}, (3, 0)),
        ("nn.Softmax", (0, 3), {"dim": 1}, (0, 3)),
        ("F.normalize", (0, 3), {}, (0, 3)),
    ):
        w.add(op, [torch.zeros(shape)], params, [torch.zeros(out)])
    x = w.tensor(2, 3, 5, 4).double()
    exact = dict(tolerance=1e-7)
    w.add("nn.MaxPool2d", [x], {"kernel_size": 2}, [F.max_pool2d(x, 2)], **exact)
    w.add("nn.AvgPool2d", [x], {"kernel_size": 2}, [F.avg_pool2d(x, 2)], **exact)
    w.add("F.lp_pool2d", [x.abs()], {"kernel_size": 2, "norm_type": 3.0}, [F.lp_pool2d(x.abs(), 3.0, 2)], **exact)
    w.add("F.adaptive_max_pool2d", [x], {"output_size": 2}, [F.adaptive_max_pool2d(x, 2)], **exact)
    w.add("F.interpolate", [x], {"size": [7, 3], "mode": "bicubic"}, [F.interpolate(x, size=(7, 3), mode="bicubic")],
          **exact)
    w.add("F.layer_norm", [x], {"normalized_shape": 4}, [F.layer_norm(x, [4])], **exact)
    w.add("F.instance_norm", [x], {}, [F.instance_norm(x)], **exact)
    w.add("F.normalize", [x], {"dim": [0, 2]}, [F.normalize(x, dim=(0, 2))], **exact)
    w.add("nn.Softmax2d", [x], {}, [F.softmax(x, -3)], **exact)
    w.add("F.local_response_norm", [x], {"size": 2}, [F.local_response_norm(x, 2)], **exact)
    i = torch.arange(12).reshape(1, 3, 4)
    w.add("aten::softmax", [i, 2, 6], {}, [F.softmax(i, 2, dtype=torch.float32)], **exact)
    w.add("aten::log_softmax", [x, -1, None], {}, [F.log_softmax(x, -1)], **exact)
    w.add("aten::_softmax", [x, 1, False], {}, [F.softmax(x, 1)], **exact)
    w.add("nn.MaxPool1d", [i], {"kernel_size": 2}, [torch.tensor([[[1, 3], [5, 7], [9, 11]]])], **exact)
    w.add("F.pad", [i], {"pad": [1, -1], "value": 7}, [F.pad(i, (1, -1), value=7)], **exact)
    f = w.tensor(1, 2, 6, 6)
    pooled = F.max_pool2d(f, 2, return_indices=True)
    w.add("aten::max_pool2d_with_indices", [f, [2, 2], [], [0, 0], [1, 1], False], {}, list(pooled), **exact)
    w.add("aten::max_pool2d", [f, [3, 3], [2, 2], [1, 1], [1, 1], True], {},
          [F.max_pool2d(f, 3, 2, 1, 1, True)], **exact)
    w.add("nn.AdaptiveMaxPool2d", [f], {"output_size": 2, "return_indices": True},
          list(F.adaptive_max_pool2d(f, 2, return_indices=True)), tuple=True, **exact)
    bilinear = torch.ops.aten.upsample_bilinear2d
    w.add("aten::upsample_bilinear2d", [f, [8, 9], False, 1.4, 1.5], {}, [bilinear(f, [8, 9], False, 1.4, 1.5)],
          tolerance=3e-6)
    w.add("aten::upsample_nearest2d", [f, [8, 9], 1.4, 1.5], {},
          [torch.ops.aten.upsample_nearest2d(f, [8, 9], 1.4, 1.5)], **exact)
    w.add("aten::_upsample_nearest_exact2d", [f, None, [1.4, 1.5]], {},
          [torch.ops.aten._upsample_nearest_exact2d(f, None, [1.4, 1.5])], **exact)
    w.add("aten::_upsample_bilinear2d_aa", [f, [3, 4], False, None, None], {},
          [torch.ops.aten._upsample_bilinear2d_aa(f, [3, 4], False)], tolerance=3e-6)
    w.add("nn.UpsamplingBilinear2d", [f], {"size": None, "scale_factor": [2.0, 1.5]},
          [F.interpolate(f, scale_factor=(2.0, 1.5), mode="bilinear", align_corners=True)], tolerance=3e-6)
    w.add("nn.UpsamplingNearest2d", [f], {"size": [5, 7]}, [F.interpolate(f, size=(5, 7))], **exact)
    w.add("F.upsample_nearest", [f], {"scale_factor": [2.0, 2.0]}, [F.interpolate(f, scale_factor=2.0)], **exact)
    w.add("F.upsample_bilinear", [f], {"size": [9, 4]},
          [F.interpolate(f, size=(9, 4), mode="bilinear", align_corners=True)], tolerance=3e-6)
    w.add("aten::constant_pad_nd", [f, [1, 2], 3.5], {}, [F.pad(f, (1, 2), value=3.5)], **exact)
    w.add("aten::pad", [f, [1, 2, 0, 1], "reflect", None], {}, [F.pad(f, (1, 2, 0, 1), "reflect")], **exact)
    w.add("aten::reflection_pad2d", [f, [1, 2, 0, 1]], {}, [F.pad(f, (1, 2, 0, 1), "reflect")], **exact)
    w.add("aten::replication_pad2d", [f, [1, 2, 0, 1]], {}, [F.pad(f, (1, 2, 0, 1), "replicate")], **exact)
    w.add("nn.ZeroPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1))], **exact)
    w.add("nn.ReflectionPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1), "reflect")], **exact)
    w.add("nn.ReplicationPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1), "replicate")], **exact)
    w.add("nn.CircularPad2d", [f], {"padding": [1, 2, 0, 1]}, [F.pad(f, (1, 2, 0, 1), "circular")], **exact)
    weight, bias = w.tensor(6), w.tensor(6)
    w.add("aten::layer_norm", [f, [6], weight, bias, 1e-5, True], {},
          wide(lambda a, s, b: F.layer_norm(a, [6], s, b), f, weight, bias))
    w.add("aten::rms_norm", [f, [6], weight, None], {}, [F.rms_norm(f, [6], weight)])
    pair = w.tensor(2), w.tensor(2)
    w.add("aten::instance_norm", [f, *pair, None, None, True, 0.1, 1e-5, True], {},
          wide(lambda a, s, b: F.instance_norm(a, None, None, s, b), f, *pair))
    w.add("F.group_norm", [f, *pair], {"num_groups": 2, "eps": 1e-5},
          wide(lambda a, s, b: F.group_norm(a, 2, s, b), f, *pair))


draw("corners", 1, (corners, 1))
