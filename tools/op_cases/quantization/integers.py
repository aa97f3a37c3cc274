# SPDX-License-Identifier: MIT
"""Cases: rounding to grids whose bounds a model gives, and conversions to and from the integers of quantised arrays."""
import torch
import torch.ao.quantization.fx._decomposed  # registers quantized_decomposed

from ..case import aten, written

NAN, INF = float("nan"), float("inf")
X = lambda: torch.cat([torch.randn(21) * 3, torch.tensor([0.0, -0.0, 100.0, -100.0])]).reshape(5, 5)
ODD = lambda: torch.tensor([NAN, INF, -INF, 0.25, -0.25, 0.75])
SCALES = lambda: torch.tensor([0.1, 0.02, 0.5, 0.05, 1.0])
ZEROS = lambda: torch.tensor([3, 0, -7, 5, 1], dtype=torch.int32)
ZEROS64 = lambda: torch.tensor([3, 0, -7, 5, 1])
ONE = lambda: torch.tensor([0.05])
ZERO = lambda: torch.tensor([-3], dtype=torch.int32)
ON = lambda: torch.tensor([1])

PER_TENSOR = "fake_quantize_per_tensor_affine"
PER_CHANNEL = "fake_quantize_per_channel_affine"
for name, least, most, zero in (("int8", -128, 127, 5), ("uint8", 0, 255, 17), ("int4", -8, 7, 0), ("narrow", -127, 127, 0), ("int16", -32768, 32767, 100)):
    aten(f"fake_tensor_{name}", PER_TENSOR, ["$0", 0.05, zero, least, most], X)
    aten(f"fake_tensor_{name}_mask", PER_TENSOR + "_cachemask", ["$0", 0.05, zero, least, most], X, outputs=2)
    aten(f"fake_channel_{name}", PER_CHANNEL, ["$0", "$1", "$2", 1, max(least, -7), most], X, SCALES, lambda least=least: ZEROS().clamp(max(least, -7), 7))
aten("fake_tensor_odd", PER_TENSOR, ["$0", 0.5, 3, -128, 127], ODD)
aten("fake_tensor_empty", PER_TENSOR, ["$0", 0.5, 3, -128, 127], (0, 3))
aten("fake_tensor_mask_one", PER_TENSOR + "_cachemask", ["$0", 0.5, 3, -128, 127], X)
aten("fake_tensor_qparams", PER_TENSOR + ".tensor_qparams", ["$0", "$1", "$2", -128, 127], X, ONE, ZERO)
aten("fake_tensor_qparams_odd", PER_TENSOR + ".tensor_qparams", ["$0", "$1", "$2", -128, 127], ODD, ONE, ZERO)
for enabled in (0, 1):
    aten(f"fake_switch_{enabled}", "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", ["$0", "$1", "$2", "$3", -128, 127], X, ONE, ZERO,
         lambda enabled=enabled: torch.tensor([enabled]), outputs=2)
for axis in (0, 1):
    aten(f"fake_channel_axis_{axis}", PER_CHANNEL, ["$0", "$1", "$2", axis, -128, 127], X, SCALES, ZEROS)
    aten(f"fake_channel_mask_{axis}", PER_CHANNEL + "_cachemask", ["$0", "$1", "$2", axis, -100, 50], X, SCALES, ZEROS, outputs=2)
aten("fake_channel_inner", PER_CHANNEL, ["$0", "$1", "$2", 1, -128, 127], (2, 5, 3), SCALES, ZEROS)
for name, symmetric, least, most, low, high in (("plain", False, -128, 127, -1.5, 4.0), ("symmetric", True, -128, 127, -1.5, 4.0), ("unsigned", False, 0, 255, 0.5, 6.0),
                                               ("negative", True, -127, 127, -3.0, -1.0), ("tiny", False, -128, 127, -1e-4, 2e-4), ("none", False, 0, 255, 0.0, 0.0)):
    aten(f"observed_{name}", "fused_moving_avg_obs_fake_quant", ["$0", "$1", "$2", "$3", "$4", "$5", "$6", 0.01, least, most, 0, False, symmetric], X,
         lambda: torch.tensor([0]), ON, lambda low=low: torch.tensor([low]), lambda high=high: torch.tensor([high]), ONE, ZERO)
for enabled in (0, 1):
    aten(f"observed_rows_{enabled}", "fused_moving_avg_obs_fake_quant", ["$0", "$1", "$2", "$3", "$4", "$5", "$6", 0.01, -128, 127, 0, True, False], X,
         lambda: torch.tensor([0]), lambda enabled=enabled: torch.tensor([enabled]), lambda: torch.tensor([-1.0, -2.0, 0.0, 0.5, -9.0]), lambda: torch.tensor([1.0, 0.0, 3.0, 2.5, 9.0]), SCALES, ZEROS)

SPACE = "quantized_decomposed::"
TYPES = {torch.int8: (-128, 127, -4), torch.uint8: (0, 255, 17), torch.int16: (-32768, 32767, 100), torch.int32: (-2147483648, 2147483647, 5)}
for type, (least, most, zero) in TYPES.items():
    name = str(type)[6:]
    aten(f"quantize_{name}", SPACE + "quantize_per_tensor", ["$0", 0.05, zero, least, most, type], X)
    aten(f"dequantize_{name}", SPACE + "dequantize_per_tensor", ["$0", 0.05, zero, least, most, type], (type, ("int", (3, 4), 100)))
aten("quantize_bounds", SPACE + "quantize_per_tensor", ["$0", 0.05, 0, -8, 7, torch.int8], X)
aten("quantize_tensor", SPACE + "quantize_per_tensor.tensor", ["$0", "$1", "$2", -128, 127, torch.int8], X, lambda: torch.tensor(0.05), lambda: torch.tensor(-3))
aten("quantize_tensor2", SPACE + "quantize_per_tensor.tensor2", ["$0", "$1", "$2", "$3", "$4", torch.int8], X, lambda: torch.tensor(0.05), lambda: torch.tensor(-3),
     lambda: torch.tensor(-128), lambda: torch.tensor(127))
aten("dequantize_tensor", SPACE + "dequantize_per_tensor.tensor", ["$0", "$1", "$2", -128, 127, torch.int8], (torch.int8, ("signed", (3, 4), 100)), lambda: torch.tensor(0.05),
     lambda: torch.tensor(-3))
for axis in (0, 1):
    aten(f"quantize_channel_{axis}", SPACE + "quantize_per_channel", ["$0", "$1", "$2", axis, -128, 127, torch.int8], X, SCALES, ZEROS64)
    aten(f"dequantize_channel_{axis}", SPACE + "dequantize_per_channel", ["$0", "$1", "$2", axis, -128, 127, torch.int8], (torch.int8, ("signed", (5, 5), 100)), SCALES, ZEROS64)
aten("dequantize_channel_symmetric", SPACE + "dequantize_per_channel", ["$0", "$1", None, 0, -128, 127, torch.int8], (torch.int8, ("signed", (5, 2), 100)), SCALES)
aten("quantize_empty", SPACE + "quantize_per_tensor", ["$0", 0.05, 0, -8, 7, torch.int8], (0, 3))

torch.manual_seed(5)
INTEGERS = torch.randint(-127, 128, (5, 6), dtype=torch.int8)
ROWS = {"w.input": INTEGERS, "w.scales": torch.rand(5) * 0.02 + 0.01}
PAIR = """
    pnnx.Input pnnx_input_0 0 1 x #x=(4,6)f32
    quantized_decomposed::quantize_per_tensor q 1 1 x i $input=x scale=0.05 zero_point=3 quant_min=-128 quant_max=127 dtype=torch.int8
    quantized_decomposed::dequantize_per_tensor d 1 1 i y $input=i scale=0.05 zero_point=3 quant_min=-128 quant_max=127 dtype=torch.int8
    """


def pair(x):
    space = torch.ops.quantized_decomposed
    return space.dequantize_per_tensor(space.quantize_per_tensor(x, 0.05, 3, -128, 127, torch.int8), 0.05, 3, -128, 127, torch.int8)


def rows(zeros):
    return torch.ops.quantized_decomposed.dequantize_per_channel(INTEGERS, ROWS["w.scales"], zeros, 0, -127, 127, torch.int8)


for name, zeros in (("symmetric", torch.zeros(5, dtype=torch.int64)), ("shifted", torch.tensor([3, 0, -7, 5, 1]))):
    written(f"pair_linear_{name}", PAIR + """
        quantized_decomposed::dequantize_per_channel w 0 1 v axis=0 quant_min=-127 quant_max=127 dtype=torch.int8 @input=(5,6)i8 @scales=(5)f32 @zero_points=(5)i64
        aten::linear l 2 1 y v z $input=y $weight=v
        pnnx.Output out 1 0 z
        """, lambda x, zeros=zeros: torch.nn.functional.linear(pair(x), rows(zeros)), (4, 6), weights={**ROWS, "w.zero_points": zeros})
written("pair", PAIR + "pnnx.Output out 1 0 y", pair, (4, 6))
