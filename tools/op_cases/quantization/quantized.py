# SPDX-License-Identifier: MIT
"""Cases: quantised arrays. The converter cannot load quantised convolutions and linear layers: those are
written by hand."""
import torch
import torch.ao.nn.intrinsic.quantized as nniq
import torch.ao.nn.quantized as nnq
import torch.nn.functional as F

from ..case import fn, raw, written

QINT8, QUINT8, QINT32 = 12, 13, 14


def scaled(*shape):
    """Numbers that leave the range."""
    return lambda: torch.randn(shape) * 6


def on(x, scale=0.05, zero_point=64, dtype=torch.quint8):
    return torch.quantize_per_tensor(x, scale, zero_point, dtype)


def functional(name):
    quantized = nnq.QFunctional()
    quantized.scale, quantized.zero_point = 0.0937, 30  # no multiple of the inputs': ties would fall either way
    return getattr(quantized, name)


for name, scale, zero, dtype in (("quint8", 0.05, 64, torch.quint8), ("qint8", 0.1, 3, torch.qint8), ("qint8_negative", 0.03, -100, torch.qint8), ("quint8_zero", 0.07, 0, torch.quint8), ("qint32", 1e-4, 1000, torch.qint32)):
    fn(f"quantize_{name}", lambda x, s=scale, z=zero, d=dtype: on(x, s, z, d).dequantize(), scaled(3, 40))
fn("quantize_ties", lambda x: on(x, 0.5, 10).dequantize(), lambda: torch.arange(-20, 20) * 0.25)
fn("quantize_module", lambda x: nnq.DeQuantize()(nnq.Quantize(0.05, 64, torch.quint8)(x)), scaled(2, 3, 5))
fn("quantized_add", lambda x, y: functional("add")(on(x), on(y, 0.03, 20)).dequantize(), scaled(2, 3, 4), scaled(2, 3, 4))
fn("quantized_add_relu", lambda x, y: functional("add_relu")(on(x), on(y)).dequantize(), scaled(2, 3, 4), scaled(2, 3, 4))
fn("quantized_mul", lambda x, y: functional("mul")(on(x), on(y)).dequantize(), scaled(2, 3, 4), scaled(2, 3, 4))
fn("quantized_cat", lambda x, y: functional("cat")([on(x), on(y, 0.2, 1)], 1).dequantize(), scaled(2, 3, 4), scaled(2, 2, 4))
fn("quantized_movement", lambda x: on(x).reshape(3, 8).transpose(0, 1).dequantize(), scaled(2, 3, 4))
fn("quantized_relu", lambda x: torch.relu(on(x)).dequantize(), scaled(2, 3, 4))
single = """
    pnnx.Input pnnx_input_0 0 1 0 #0=(2,3,4)f32
    nn.quantized.Quantize quantize 1 1 0 1 dtype=torch.qint8 scale=0.5 zero_point=64 #0=(2,3,4)f32 #1=(2,3,4)u8
    torch.mean mean 1 1 1 2 dim=(1,2) keepdim=False $input=1 #1=(2,3,4)u8 #2=(2)u8
    nn.quantized.DeQuantize dequantize 1 1 2 3 #2=(2)u8 #3=(2)f32
    pnnx.Output pnnx_output_0 1 0 3
    """
written("quantized_mean", single, lambda x: on(x, 0.5, 64, torch.quint8).mean((1, 2)).dequantize(), lambda: torch.arange(24).reshape(2, 3, 4) * 1.0)
fn("quantized_max_pool", lambda x: F.max_pool2d(on(x), 2).dequantize(), scaled(1, 3, 4, 6))
for name, code, dtype in (("qint8", QINT8, torch.qint8), ("quint8", QUINT8, torch.quint8), ("qint32", QINT32, torch.qint32)):
    raw(f"aten_quantize_{name}", "aten::quantize_per_tensor", lambda x, d=dtype: on(x, 0.04, 7, d).dequantize(), ("$0", 0.04, 7, code), scaled(3, 40))


def layer(name, type, module, params, x, weight_shape):
    """A layer between Quantize and DeQuantize, with a scale for each output channel."""
    generator = torch.Generator().manual_seed(1)
    channels = weight_shape[0]
    scales = torch.rand(channels, generator=generator).double() * 0.02 + 0.01
    weight = torch.quantize_per_channel(torch.randn(weight_shape, generator=generator), scales, torch.zeros(channels, dtype=torch.long), 0, torch.qint8)
    bias = torch.randn(channels, generator=generator)
    module.set_weight_bias(weight, bias)
    module.scale, module.zero_point = 0.0731, 101
    attributes = {"weight": weight.int_repr(), "bias": bias, "weight.q_per_channel_scales": weight.q_per_channel_scales(), "weight.q_per_channel_zero_points": weight.q_per_channel_zero_points()}
    kinds = {torch.int8: "i8", torch.float32: "f32", torch.float64: "f64", torch.int64: "i64"}
    text = " ".join(f"@{key}=({','.join(map(str, value.shape))}){kinds[value.dtype]}" for key, value in attributes.items())
    shape, unknown = ",".join(map(str, x)), ",".join("?" * len(x))
    written(name, f"""
        pnnx.Input pnnx_input_0 0 1 0 #0=({shape})f32
        nn.quantized.Quantize quantize 1 1 0 1 dtype=torch.qint8 scale=0.031 zero_point=64 #0=({shape})f32 #1=({shape})u8
        {type} layer 1 1 1 2 bias=True scale=0.0731 zero_point=101 {params} {text} #1=({shape})u8 #2=({unknown})u8
        nn.quantized.DeQuantize dequantize 1 1 2 3 #2=({unknown})u8 #3=({unknown})f32
        pnnx.Output pnnx_output_0 1 0 3
    """, lambda x: module(on(x, 0.031, 64)).dequantize(), x, weights={f"layer.{key}": value for key, value in attributes.items()})


CONVOLUTION = "dilation=(1,1) groups=2 in_channels=4 kernel_size=(3,3) out_channels=6 padding=(1,1) padding_mode=zeros stride=(2,2)"
for name, type, kind in (("conv", "nn.quantized.Conv2d", nnq.Conv2d), ("conv_relu", "nn.intrinsic.quantized.ConvReLU2d", nniq.ConvReLU2d)):
    layer(name, type, kind(4, 6, 3, padding=1, stride=2, groups=2), CONVOLUTION, (2, 4, 7, 6), (6, 2, 3, 3))
for name, type, kind in (("linear", "nn.quantized.Linear", nnq.Linear), ("linear_relu", "nn.intrinsic.quantized.LinearReLU", nniq.LinearReLU)):
    layer(name, type, kind(16, 8), "in_features=16 out_features=8", (5, 16), (8, 16))
