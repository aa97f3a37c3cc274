#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes test/runtime/malformed: small models with one fault each, and the words that the error line must hold.

    python3 tools/make_malformed.py

Every model is a file NAME.param, with NAME.bin if its weights matter and no_weights.bin otherwise.
expected.json maps NAME to the pieces of text that the one line on standard error must contain.
"""

import io
import json
import pathlib
import struct
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "test" / "runtime" / "malformed"

INPUT = "pnnx.Input pnnx_input_0 0 1 0 #0=(1,4,8,8)f32"
OUTPUT = "pnnx.Output pnnx_output_0 1 0 1"


def graph(*lines, operators=None, operands=None):
    """Returns the text of a .param file with these operator lines."""
    count = len(lines) if operators is None else operators
    return "\n".join(["7767517", f"{count} {count - 1 if operands is None else operands}", *lines]) + "\n"


def single(line):
    """Returns a model of one operator that reads operand 0, of shape (1,4,8,8), and writes operand 1."""
    return graph(INPUT, line, OUTPUT)


def pair(line, shape="(1,4,8,8)f32"):
    """Returns a model of one operator that reads operands 0 and 1 and writes operand 2."""
    second = f"pnnx.Input pnnx_input_1 0 1 1 #1={shape}"
    return graph(INPUT, second, line, "pnnx.Output pnnx_output_0 1 0 2")


def expression(text):
    return single(f"pnnx.Expression sum 1 1 0 1 expr={text}")


def operator(kind, name, parameters, changes):
    """Returns a line with `parameters` after `changes`. A value of None drops the entry; `at_` in a key stands for `@`."""
    merged = {**parameters, **{key.replace("at_", "@"): value for key, value in changes.items()}}
    entries = " ".join(f"{key}={value}" for key, value in merged.items() if value is not None)
    return single(f"{kind} {name} 1 1 0 1 {entries}")


def conv(**changes):
    parameters = {
        "bias": "True",
        "dilation": "(1,1)",
        "groups": "1",
        "in_channels": "4",
        "kernel_size": "(3,3)",
        "out_channels": "2",
        "padding": "(1,1)",
        "padding_mode": "zeros",
        "stride": "(1,1)",
        "@bias": "(2)f32",
        "@weight": "(2,4,3,3)f32",
    }
    return operator("nn.Conv2d", "conv", parameters, changes)


def linear(**changes):
    parameters = {"bias": "True", "in_features": "8", "out_features": "2", "@bias": "(2)f32", "@weight": "(2,8)f32"}
    return operator("nn.Linear", "fc", parameters, changes)


def batch_norm(**changes):
    parameters = {"affine": "True", "eps": "1e-5", "num_features": "4"}
    parameters.update({f"@{key}": "(4)f32" for key in ("bias", "running_mean", "running_var", "weight")})
    return operator("nn.BatchNorm2d", "bn", parameters, changes)


def max_pool(**changes):
    parameters = {
        "ceil_mode": "False",
        "dilation": "(1,1)",
        "kernel_size": "(2,2)",
        "padding": "(0,0)",
        "return_indices": "False",
        "stride": "(2,2)",
    }
    return operator("nn.MaxPool2d", "pool", parameters, changes)


def archive(**sizes):
    """Returns a .bin of zeros; the arguments map entry names (with `_` for the first dot) to numbers of bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as file:
        for name, size in sizes.items():
            file.writestr(zipfile.ZipInfo(name.replace("_", ".", 1), (1980, 1, 1, 0, 0, 0)), bytes(size))
    return buffer.getvalue()


def conv_weights(bias=8, weight=288):
    return archive(conv_bias=bias, conv_weight=weight)


def linear_weights(bias=8, weight=64):
    return archive(fc_bias=bias, fc_weight=weight)


def batch_norm_weights(mean=16):
    return archive(bn_bias=16, bn_running_mean=mean, bn_running_var=16, bn_weight=16)


def replaced(data, old, new, which=0):
    """Returns `data` with occurrence `which` of the bytes `old` replaced; -1 is the last one."""
    starts = [at for at in range(len(data)) if data.startswith(old, at)]
    at = starts[which]
    return data[:at] + new + data[at + len(old) :]


def wrong_checksum():
    data = conv_weights()
    name = data.index(b"conv.weight")
    return data[: name + 20] + b"\x01" + data[name + 21 :]  # a byte of the payload


def announced_size(size):
    """Returns an archive whose entry conv.weight claims `size` bytes in the directory and in its own header."""
    return conv_weights().replace(struct.pack("<II", 288, 288), struct.pack("<II", size, size))


NN_RELU = "nn.ReLU relu 1 1 0 1"

# name: (text of the .param, what the error line must contain[, bytes of the .bin])
CASES = {
    # The frame of the file.
    "empty_file": ("", [":1:", "the file ends here", "7767517"]),
    "garbage": (b"\x89PNG\r\n\x1a\n\x00\x01\x02\xff\xfe" * 8, [":1:", "expected"]),
    "random_text": ("hello world\nthis is no model\n", [":1:", "hello", "7767517"]),
    "wrong_magic": ("7767518\n1 1\n" + INPUT + "\n", [":1:", "7767518", "7767517"]),
    "ncnn_file": (
        "7767517\n2 2\nInput in0 0 1 in0\nConvolution conv_1 1 1 in0 out0 0=8 1=3 5=1 6=216\n",
        [":3:", "in0", "ncnn"],
    ),
    "ncnn_numbered_keys": (
        "7767517\n2 2\npnnx.Input in0 0 1 in0\nConvolution conv_1 1 1 in0 out0 0=8 1=3 -23303=2,1,1\n",
        [":4:", "conv_1", "ncnn"],
    ),
    "counts_missing": ("7767517\n", [":2:", "the file ends here", "counts"]),
    "counts_blank": ("7767517\n\n" + INPUT + "\n", [":2:", "counts"]),
    "count_single": ("7767517\n3\n" + INPUT + "\n", [":2:", "counts"]),
    "count_negative": (graph(INPUT, NN_RELU, OUTPUT, operators=-1, operands=2), [":2:", "operator count", "-1"]),
    "count_huge": (
        graph(INPUT, NN_RELU, OUTPUT, operators=99999999999999999999),
        [":2:", "operator count", "99999999999999999999"],
    ),
    "count_word": (graph(INPUT, NN_RELU, OUTPUT, operators="three", operands=2), [":2:", "operator count", "three"]),
    "count_too_large": (
        graph(INPUT, NN_RELU, OUTPUT, operators=2000000000),
        [":6:", "the file ends here", "operator 4 of 2000000000"],
    ),
    "count_zero": (graph(operands=0), ["no operators"]),
    "zero_bytes": (graph(INPUT, "nn.ReLU re\0lu 1 1 0 1", OUTPUT), [":4:", "zero byte"]),
    "line_cut": ("7767517\n3 2\n" + INPUT + "\nnn.ReLU re", [":4:", "2 columns"]),
    "blank_line": (graph(INPUT, "", OUTPUT), [":4:", "0 columns"]),
    # Operators and operands.
    "columns_missing": (graph(INPUT, "nn.ReLU relu 1", OUTPUT), [":4:", "3 columns"]),
    "inputs_negative": (graph(INPUT, "nn.ReLU relu -1 1 0 1", OUTPUT), [":4:", "number of inputs", "-1"]),
    "outputs_word": (graph(INPUT, "nn.ReLU relu 1 x 0 1", OUTPUT), [":4:", "number of outputs", "'x'"]),
    "inputs_huge": (graph(INPUT, "nn.ReLU relu 2147483647 2147483647 0 1", OUTPUT), [":4:", "relu", "4294967294"]),
    "operands_missing": (graph(INPUT, "nn.ReLU relu 1 1 0", OUTPUT), [":4:", "relu", "at least 2"]),
    "operand_unknown": (graph(INPUT, "nn.ReLU relu 1 1 7 1", OUTPUT), [":4:", "relu", "'7'", "no earlier line"]),
    "forward_reference": (
        graph(INPUT, "nn.ReLU first 1 1 2 1", "nn.ReLU second 1 1 0 2", OUTPUT),
        [":4:", "first", "'2'", "no earlier line"],
    ),
    "cycle": (
        graph(INPUT, "torch.add first 2 1 0 2 1", "nn.ReLU second 1 1 1 2", OUTPUT),
        [":4:", "first", "'2'", "no earlier line"],
    ),
    "reads_itself": (graph(INPUT, "nn.ReLU loop 1 1 1 1", OUTPUT), [":4:", "loop", "'1'"]),
    "producer_twice": (
        graph(INPUT, "nn.ReLU first 1 1 0 1", "nn.ReLU second 1 1 0 1", OUTPUT),
        [":5:", "'1'", "first", "second"],
    ),
    "output_twice_on_one_line": (
        graph(INPUT, "torch.chunk halves 1 2 0 1 1 chunks=2 dim=1", OUTPUT),
        [":4:", "'1'", "halves"],
    ),
    "input_name_unknown": (single("F.relu relu 1 1 0 1 $input=9"), [":4:", "relu", "$input", "'9'"]),
    "shape_of_stranger": (single("nn.ReLU relu 1 1 0 1 #9=(1,4,8,8)f32"), [":4:", "relu", "#9"]),
    "entry_without_equals": (single("nn.ReLU relu 1 1 0 1 inplace"), [":4:", "relu", "inplace", "key=value"]),
    "entry_without_key": (single("nn.ReLU relu 1 1 0 1 =True"), [":4:", "relu", "=True", "key=value"]),
    "shape_without_brackets": (single("nn.ReLU relu 1 1 0 1 #1=1,4,8,8"), [":4:", "'1'", "1,4,8,8", "shape"]),
    "shape_word": (single("nn.ReLU relu 1 1 0 1 #1=(1,four,8,8)f32"), [":4:", "'1'", "four"]),
    "shape_negative": (single("nn.ReLU relu 1 1 0 1 #1=(1,-4,8,8)f32"), [":4:", "'1'", "-4"]),
    "shape_not_closed": (single("nn.ReLU relu 1 1 0 1 #1=(1,4,8,8"), [":4:", "'1'", "shape"]),
    "input_with_input": (
        graph(INPUT, "pnnx.Input pnnx_input_1 1 1 0 1", OUTPUT),
        [":4:", "pnnx_input_1", "pnnx.Input", "1 inputs"],
    ),
    "output_without_input": (
        graph(INPUT, NN_RELU, "pnnx.Output pnnx_output_0 0 0"),
        [":5:", "pnnx_output_0", "pnnx.Output", "0 inputs"],
    ),
    "input_without_output": (graph("pnnx.Input idle 0 0", INPUT, NN_RELU, OUTPUT), ["idle", "pnnx.Input", "one output"]),
    "output_with_output": (
        graph(INPUT, "pnnx.Output early 1 1 0 1", "pnnx.Output pnnx_output_0 1 0 1"), ["early", "pnnx.Output", "none"]
    ),
    "no_output": (graph(INPUT, NN_RELU), ["pnnx.Output"]),
    "too_many_inputs": (pair("nn.ReLU relu 2 1 0 1 2"), ["relu", "nn.ReLU", "2 inputs"]),
    "too_few_inputs": (single("F.conv2d conv 1 1 0 1 $input=0"), ["conv", "F.conv2d", "weight"]),
    "operators_unknown": (
        graph(
            INPUT,
            "my.Magic spell 1 1 0 1",
            "nn.ReLU relu 1 1 1 2",
            "aten::no_such_thing nothing 1 1 2 3",
            "my.Magic charm 1 1 3 4",
            "pnnx.Output pnnx_output_0 1 0 4",
        ),
        ["my.Magic", "spell", "charm", "aten::no_such_thing", "nothing"],
    ),
    # The weights.
    "bin_truncated": (conv(), ["bin_truncated.bin", "zip"], conv_weights()[:200]),
    "bin_text": (conv(), ["bin_text.bin", "zip"], b"these are no weights\n" * 8),
    "bin_empty": (conv(), ["bin_empty.bin", "zip"], b""),
    "bin_checksum": (conv(), ["bin_checksum.bin", "conv.weight", "damaged"], wrong_checksum()),
    "bin_directory_damaged": (
        conv(),
        ["bin_directory_damaged.bin"],
        replaced(conv_weights(), b"PK\x01\x02", b"PK\xff\xff", -1),
    ),
    "bin_header_damaged": (
        conv(),
        ["bin_header_damaged.bin", "conv.weight"],
        replaced(conv_weights(), struct.pack("<HH", 11, 0), struct.pack("<HH", 65000, 0), 0),
    ),
    "bin_size_announced": (conv(), ["bin_size_announced.bin", "conv.weight"], announced_size(2000000000)),
    "bin_size_beyond_file": (
        conv(at_weight="(100,20,10,10)f32", in_channels=20, out_channels=100),
        ["bin_size_beyond_file.bin", "conv.weight"],
        announced_size(800000),
    ),
    "entry_missing": (conv(), ["entry_missing.bin", "conv.weight", "288"], archive(conv_bias=8)),
    "entry_too_small": (conv(), ["entry_too_small.bin", "conv.weight", "284", "288"], conv_weights(weight=284)),
    "entry_too_large": (conv(), ["entry_too_large.bin", "conv.bias", "16 bytes", "8 for"], conv_weights(bias=16)),
    "entry_misspelt": (conv(), ["entry_misspelt.bin", "conv.weight"], archive(conv_bias=8, conv_Weight=288)),
    "weights_absent": (conv(), ["no_weights.bin", "conv.bias"]),
    "attribute_shape_text": (conv(at_weight="2,4,3,3"), [":4:", "conv.weight", "2,4,3,3"]),
    "attribute_negative": (conv(at_weight="(2,-4,3,3)f32"), [":4:", "conv.weight", "-4"]),
    "attribute_dynamic": (conv(at_weight="(2,?,3,3)f32"), [":4:", "conv.weight", "?"]),
    "attribute_extent_absurd": (conv(at_weight="(2,99999999999999999999,3,3)f32"), [":4:", "conv.weight", "9999"]),
    "attribute_huge": (
        conv(at_weight="(100000,100000,100000)f32"),
        ["attribute_huge.bin", "conv.weight", "288 bytes", "4000000000000000"],
        conv_weights(),
    ),
    "attribute_overflow": (
        conv(at_weight="(2147483647,2147483647,2147483647,2147483647)f32"),
        [":4:", "conv.weight", "2147483647"],
        conv_weights(),
    ),
    "attribute_type_unknown": (
        conv(at_weight="(2,4,3,3)f31"),
        ["conv.weight", "f31", "element type"],
        conv_weights(),
    ),
    # Words with further text behind the expected one.
    "operand_type_rubbish": (
        graph("pnnx.Input pnnx_input_0 0 1 0 #0=(1,4,8,8)zzz", NN_RELU, OUTPUT),
        [":3:", "operand '0'", "pnnx_input_0", "zzz", "f32"],
    ),
    "operand_shape_rubbish": (
        graph("pnnx.Input pnnx_input_0 0 1 0 #0=(1,4,8,8)f32)f32", NN_RELU, OUTPUT),
        [":3:", "operand '0'", "f32)f32"],
    ),
    "operand_extent_rubbish": (
        graph("pnnx.Input pnnx_input_0 0 1 0 #0=(1,4x,8,8)f32", NN_RELU, OUTPUT),
        [":3:", "operand '0'", "4x"],
    ),
    "conv_kernel_rubbish": (conv(kernel_size="(3,3)x"), ["conv", "nn.Conv2d", "kernel_size", "(3,3)x"], conv_weights()),
    "conv_kernel_unclosed": (conv(kernel_size="(3,33"), ["conv", "nn.Conv2d", "kernel_size", "(3,33"], conv_weights()),
    "conv_stride_rubbish": (conv(stride="(1,1.5.2)"), ["conv", "nn.Conv2d", "stride", "1.5.2"], conv_weights()),
    "lines_behind": (graph(INPUT, NN_RELU, OUTPUT, "F.relu more 1 1 1 2", operators=3), [":6:", "3 operators"]),
    # Integers that don't fit 32 or 64 bits.
    "conv_stride_wide": (
        conv(stride="(1,10000000000)"),
        ["conv", "nn.Conv2d", "stride", "10000000000", "32 bits"],
        conv_weights(),
    ),
    "softmax_dim_wide": (
        single("F.softmax soft 1 1 0 1 dim=4294967297"),
        ["soft", "F.softmax", "dim", "4294967297", "32 bits"],
    ),
    "full_value_absurd": (
        graph(INPUT, "torch.full numbers 0 1 1 fill_value=100000000000000000000 size=(1)", OUTPUT),
        ["numbers", "torch.full", "100000000000000000000", "64 bits"],
    ),
    "expression_number_absurd": (
        expression("mul(@0,100000000000000000000)"),
        ["sum", "pnnx.Expression", "100000000000000000000", "64 bits"],
    ),
    # Divisions of integers by zero, where Python raises an error.
    "expression_floor_divide_zero": (
        expression("add(@0,floor_divide(1,0))"),
        ["sum", "pnnx.Expression", "add(@0,floor_divide(1,0))", "by zero"],
    ),
    "expression_remainder_zero": (expression("add(@0,remainder(size(@0,0),0))"), ["sum", "remainder(1,0)", "by zero"]),
    "expression_div_zero": (expression("mul(@0,div(1,sub(4,4)))"), ["sum", "div(1,0)", "by zero"]),
    "expression_power_zero": (expression("mul(@0,pow(0,-1))"), ["sum", "pow(0,-1)", "by zero"]),
    # Scales and zero points of quantised arrays.
    "quantize_zero_point_sign": (
        single("nn.quantized.Quantize q 1 1 0 1 dtype=torch.quint8 scale=0.5 zero_point=-1"),
        ["q", "nn.quantized.Quantize", "zero_point", "-1", "0 to 255"],
    ),
    "quantize_zero_point_fraction": (
        single("nn.quantized.Quantize q 1 1 0 1 dtype=torch.quint8 scale=0.5 zero_point=1.5"),
        ["q", "nn.quantized.Quantize", "zero_point", "1.5", "integer"],
    ),
    "quantize_zero_point_wide": (
        single("nn.quantized.Quantize q 1 1 0 1 dtype=torch.qint32 scale=0.5 zero_point=10000000000"),
        ["q", "nn.quantized.Quantize", "zero_point", "1e+10", "2147483647"],
    ),
    "quantize_zero_point_nan": (
        single("nn.quantized.Quantize q 1 1 0 1 dtype=torch.quint8 scale=0.5 zero_point=nan"),
        ["q", "nn.quantized.Quantize", "zero_point", "nan"],
    ),
    **{
        f"quantize_scale_{name}": (
            single(f"nn.quantized.Quantize q 1 1 0 1 dtype=torch.quint8 scale={scale} zero_point=0"),
            ["q", "nn.quantized.Quantize", "scale", "positive"],
        )
        for name, scale in {"nan": "nan", "infinite": "inf", "negative": "-0.5", "zero": "0", "tiny": "1e-60"}.items()
    },
    "quantized_cat_zero_point": (
        single("nn.quantized.cat joined 1 1 0 1 dim=1 scale=0.5 zero_point=0.25"),
        ["joined", "nn.quantized.cat", "zero_point", "0.25", "integer"],
    ),
    "attribute_type_integer": (
        conv(at_weight="(2,4,3,3)i32"),
        ["conv", "nn.Conv2d", "weight", "int32"],
        conv_weights(),
    ),
    # Parameters of the wrong kind.
    "conv_stride_word": (conv(stride="abc"), ["conv", "nn.Conv2d", "stride", "abc"], conv_weights()),
    "conv_groups_word": (conv(groups="x"), ["conv", "nn.Conv2d", "groups", "x"], conv_weights()),
    "conv_kernel_word": (conv(kernel_size="(3,y)"), ["conv", "nn.Conv2d", "kernel_size", "y"], conv_weights()),
    "conv_stride_zero": (conv(stride="(0,1)"), ["conv", "nn.Conv2d", "stride"], conv_weights()),
    "conv_stride_three": (conv(stride="(1,1,1)"), ["conv", "nn.Conv2d", "stride"], conv_weights()),
    "conv_dilation_negative": (conv(dilation="(-1,1)"), ["conv", "nn.Conv2d", "dilation"], conv_weights()),
    "conv_padding_negative": (conv(padding="(-3,0)"), ["conv", "nn.Conv2d", "padding"], conv_weights()),
    "conv_padding_word": (conv(padding="sometimes"), ["conv", "nn.Conv2d", "padding", "sometimes"], conv_weights()),
    "conv_padding_mode_word": (conv(padding_mode="mirror"), ["conv", "nn.Conv2d", "mirror"], conv_weights()),
    "conv_groups_zero": (conv(groups=0), ["conv", "nn.Conv2d", "groups"], conv_weights()),
    "conv_groups_negative": (conv(groups=-2), ["conv", "nn.Conv2d", "groups"], conv_weights()),
    "conv_groups_uneven": (
        conv(groups=3, at_weight="(2,1,3,3)f32"),
        ["conv", "nn.Conv2d", "groups"],
        conv_weights(weight=72),
    ),
    "conv_kernel_contradicts": (conv(kernel_size="(5,5)"), ["conv", "nn.Conv2d", "kernel_size"], conv_weights()),
    "conv_channels_contradict": (
        conv(in_channels=3, at_weight="(2,3,3,3)f32"),
        ["conv", "nn.Conv2d", "channels"],
        conv_weights(weight=216),
    ),
    "conv_weight_rank": (conv(at_weight="(2,36)f32"), ["conv", "nn.Conv2d", "weight"], conv_weights()),
    "conv_weight_missing": (conv(at_weight=None), ["conv", "nn.Conv2d", "weight"], conv_weights()),
    "conv_bias_missing": (conv(at_bias=None), ["conv", "nn.Conv2d", "bias"], conv_weights()),
    "conv_bias_length": (conv(at_bias="(3)f32"), ["conv", "nn.Conv2d", "bias"], conv_weights(bias=12)),
    "conv_window_too_large": (
        conv(dilation="(9,9)"),
        ["conv", "nn.Conv2d"],
        conv_weights(),
    ),
    "conv_rank": (
        graph(
            "pnnx.Input pnnx_input_0 0 1 0 #0=(8,8)f32",
            "nn.Conv2d conv 1 1 0 1 kernel_size=(3,3) in_channels=4 out_channels=2 bias=False @weight=(2,4,3,3)f32",
            OUTPUT,
        ),
        ["conv", "nn.Conv2d", "(8,8)"],
        archive(conv_weight=288),
    ),
    "norm_order_array": (single("aten::linalg_norm norm 2 1 0 0 1"), ["norm", "aten::linalg_norm", "ord"]),
    "softmax_dim_real": (single("F.softmax soft 1 1 0 1 dim=1.5"), ["soft", "F.softmax", "dim", "1.5"]),
    "softmax_dim_range": (single("F.softmax soft 1 1 0 1 dim=4"), ["soft", "F.softmax", "dim", "4"]),
    "softmax_dim_negative": (single("F.softmax soft 1 1 0 1 dim=-5"), ["soft", "F.softmax", "dim", "-5"]),
    "batch_norm_eps_word": (batch_norm(eps="abc"), ["bn", "nn.BatchNorm2d", "eps", "abc"], batch_norm_weights()),
    "batch_norm_mean_length": (
        batch_norm(**{"at_running_mean": "(5)f32"}),
        ["bn", "nn.BatchNorm2d", "running_mean"],
        batch_norm_weights(mean=20),
    ),
    "batch_norm_channels": (
        graph(
            "pnnx.Input pnnx_input_0 0 1 0 #0=(1,3,8,8)f32",
            "nn.BatchNorm2d bn 1 1 0 1 affine=False eps=1e-5 num_features=4 @running_mean=(4)f32 @running_var=(4)f32",
            OUTPUT,
        ),
        ["bn", "nn.BatchNorm2d", "4", "3"],
        batch_norm_weights(),
    ),
    "pool_ceil_mode_word": (max_pool(ceil_mode="maybe"), ["pool", "nn.MaxPool2d", "ceil_mode", "maybe"]),
    "pool_stride_zero": (max_pool(stride="(0,0)"), ["pool", "nn.MaxPool2d", "stride"]),
    "pool_kernel_zero": (max_pool(kernel_size="(0,2)"), ["pool", "nn.MaxPool2d", "kernel_size"]),
    "pool_kernel_missing": (max_pool(kernel_size=None), ["pool", "nn.MaxPool2d", "kernel_size"]),
    "pool_padding_too_large": (max_pool(padding="(2,2)"), ["pool", "nn.MaxPool2d", "padding"]),
    "pool_window_too_large": (max_pool(kernel_size="(20,20)"), ["pool", "nn.MaxPool2d"]),
    "linear_features": (
        linear(in_features=9, at_weight="(2,9)f32"),
        ["fc", "nn.Linear", "9", "8"],
        linear_weights(weight=72),
    ),
    "linear_features_contradict": (linear(in_features=9), ["fc", "nn.Linear", "in_features"], linear_weights()),
    "linear_bias_length": (linear(at_bias="(3)f32"), ["fc", "nn.Linear", "(3)"], linear_weights(bias=12)),
    "layer_norm_shape": (
        single("nn.LayerNorm norm 1 1 0 1 elementwise_affine=False eps=1e-5 normalized_shape=(9)"),
        ["norm", "nn.LayerNorm", "9"],
    ),
    "group_norm_uneven": (
        single("nn.GroupNorm norm 1 1 0 1 affine=False eps=1e-5 num_channels=4 num_groups=3"),
        ["norm", "nn.GroupNorm", "3"],
    ),
    "embedding_weight_missing": (
        single("nn.Embedding table 1 1 0 1 embedding_dim=2 num_embeddings=4"),
        ["table", "nn.Embedding", "weight"],
    ),
    "embedding_indices_real": (
        single("nn.Embedding table 1 1 0 1 embedding_dim=2 num_embeddings=4 @weight=(4,2)f32"),
        ["table", "nn.Embedding", "float32"],
        archive(table_weight=32),
    ),
    "embedding_index_range": (
        graph(
            INPUT,
            "Tensor.to cast 1 1 0 1 dtype=torch.long",
            "nn.Embedding table 1 1 1 2 embedding_dim=2 num_embeddings=4 @weight=(4,2)f32",
            "pnnx.Output pnnx_output_0 1 0 2",
        ),
        ["table", "nn.Embedding", "index 255", "0 to 3"],
        archive(table_weight=32),
    ),
    "upsample_aimless": (single("nn.Upsample up 1 1 0 1 mode=nearest"), ["up", "nn.Upsample", "size", "scale_factor"]),
    "upsample_mode_word": (single("nn.Upsample up 1 1 0 1 mode=magic size=(4,4)"), ["up", "nn.Upsample", "magic"]),
    "upsample_size_zero": (single("nn.Upsample up 1 1 0 1 mode=nearest size=(0,4)"), ["up", "nn.Upsample", "(0,4)"]),
    "upsample_scale_huge": (
        single("nn.Upsample up 1 1 0 1 mode=nearest scale_factor=(1e12,1e12)"),
        ["up", "nn.Upsample"],
    ),
    "activation_word": (single("F.leaky_relu leak 1 1 0 1 negative_slope=steep"), ["leak", "negative_slope", "steep"]),
    # Shapes that do not fit.
    "reshape_count": (single("Tensor.reshape flat 1 1 0 1 shape=(1,255)"), ["flat", "Tensor.reshape", "255"]),
    "reshape_two_free": (
        single("Tensor.reshape flat 1 1 0 1 shape=(-1,-1,3)"),
        ["flat", "Tensor.reshape", "(1,4,8,8)", "cannot be reshaped"],
    ),
    "reshape_negative": (
        single("Tensor.reshape flat 1 1 0 1 shape=(-2,128)"),
        ["flat", "Tensor.reshape", "at least -1"],
    ),
    "reshape_overflow": (
        single("Tensor.reshape flat 1 1 0 1 shape=(2147483647,2147483647,2147483647,4)"),
        ["flat", "Tensor.reshape", "2147483647"],
    ),
    "flatten_range": (single("torch.flatten flat 1 1 0 1 start_dim=3 end_dim=1"), ["flat", "torch.flatten"]),
    "cat_shapes": (pair("torch.cat join 2 1 0 1 2 dim=1", "(1,4,8,9)f32"), ["join", "torch.cat", "9"]),
    "cat_ranks": (pair("torch.cat join 2 1 0 1 2 dim=1", "(4,8)f32"), ["join", "torch.cat", "(4,8)"]),
    "cat_dim_range": (pair("torch.cat join 2 1 0 1 2 dim=7"), ["join", "torch.cat", "dim", "7"]),
    "stack_shapes": (pair("torch.stack pile 2 1 0 1 2 dim=0", "(1,4,8,9)f32"), ["pile", "torch.stack", "9"]),
    "permute_range": (single("Tensor.permute turn 1 1 0 1 dims=(0,1,2,4)"), ["turn", "Tensor.permute", "dims"]),
    "permute_twice": (single("Tensor.permute turn 1 1 0 1 dims=(0,1,2,2)"), ["turn", "Tensor.permute", "dims"]),
    "permute_short": (single("Tensor.permute turn 1 1 0 1 dims=(0,1)"), ["turn", "Tensor.permute", "(0,1)"]),
    "transpose_range": (single("torch.transpose turn 1 1 0 1 dim0=1 dim1=9"), ["turn", "torch.transpose", "dim1", "9"]),
    "matmul_shapes": (pair("torch.matmul product 2 1 0 1 2", "(1,4,7,8)f32"), ["product", "torch.matmul", "7"]),
    "broadcast_add": (pair("aten::mul times 2 1 0 1 2", "(1,3,8,8)f32"), ["times", "aten::mul", "(1,3,8,8)"]),
    "broadcast_expression": (
        pair("pnnx.Expression sum 2 1 0 1 2 expr=add(@0,@1)", "(1,3,8,8)f32"),
        ["sum", "pnnx.Expression", "3"],
    ),
    "expand_shape": (single("Tensor.expand wide 1 1 0 1 sizes=(1,5,8,8)"), ["wide", "Tensor.expand", "5"]),
    "slice_step_zero": (
        single("Tensor.slice part 1 1 0 1 dim=1 start=0 end=4 step=0"),
        ["part", "Tensor.slice", "step", "0"],
    ),
    "slice_dim_range": (
        single("Tensor.slice part 1 1 0 1 dim=4 start=0 end=4 step=1"),
        ["part", "Tensor.slice", "dim", "4"],
    ),
    "select_range": (single("Tensor.select pick 1 1 0 1 dim=1 index=4"), ["pick", "Tensor.select", "4"]),
    "split_sizes": (
        graph(
            INPUT,
            "torch.split parts 1 2 0 1 2 dim=1 split_size_or_sections=(1,2)",
            OUTPUT,
            "pnnx.Output pnnx_output_1 1 0 2",
        ),
        ["parts", "torch.split", "3", "4"],
    ),
    "split_zero": (single("torch.split parts 1 1 0 1 dim=1 split_size_or_sections=0"), ["parts", "torch.split"]),
    "split_outputs": (
        graph(INPUT, "torch.split parts 1 3 0 1 2 3 dim=1 split_size_or_sections=2", OUTPUT),
        ["parts", "torch.split", "2 outputs", "3"],
    ),
    "chunk_zero": (single("torch.chunk parts 1 1 0 1 dim=1 chunks=0"), ["parts", "torch.chunk", "chunks"]),
    "pad_negative": (single("F.pad frame 1 1 0 1 mode=constant pad=(-9,0) value=None"), ["frame", "F.pad"]),
    "pad_reflect_too_large": (single("F.pad frame 1 1 0 1 mode=reflect pad=(9,9)"), ["frame", "F.pad", "9"]),
    "pad_odd": (single("F.pad frame 1 1 0 1 mode=constant pad=(1,1,1)"), ["frame", "F.pad", "pad"]),
    "pixel_shuffle_uneven": (
        single("nn.PixelShuffle shuffle 1 1 0 1 upscale_factor=3"),
        ["shuffle", "nn.PixelShuffle", "4 channels", "9"],
    ),
    "lstm_weights": (
        graph(
            "pnnx.Input pnnx_input_0 0 1 0 #0=(1,4,8)f32",
            "nn.LSTM memory 1 1 0 1 batch_first=True bias=False bidirectional=False hidden_size=2 input_size=8"
            " num_layers=1 proj_size=0 @weight_hh_l0=(8,2)f32 @weight_ih_l0=(8,7)f32",
            OUTPUT,
        ),
        ["memory", "nn.LSTM", "weight_ih_l0"],
        archive(memory_weight_hh_l0=64, memory_weight_ih_l0=224),
    ),
    # Expressions.
    "expression_function": (expression("frobnicate(@0)"), ["sum", "frobnicate", "column 1"]),
    "expression_bracket": (expression("add(@0,1"), ["sum", "add(@0,1", "')'"]),
    "expression_argument": (expression("add(@0)"), ["sum", "argument 2 of add"]),
    "expression_arguments": (expression("neg(@0,1)"), ["sum", "neg"]),
    "expression_operand": (expression("add(@0,@5)"), ["sum", "@5"]),
    "expression_operand_word": (expression("add(@0,@x)"), ["sum", "@x"]),
    "expression_empty": (expression(""), ["sum", "empty"]),
    "expression_absent": (single("pnnx.Expression sum 1 1 0 1"), ["sum", "pnnx.Expression", "expr"]),
    "expression_trailing": (expression("add(@0,1)@0"), ["sum", "@0", "after the end"]),
    "expression_list": (expression("[@0,1"), ["sum", "']'"]),
    "expression_deep": (expression("neg(" * 2000 + "@0" + ")" * 2000), ["sum", "nested deeper"]),
    "expression_deep_list": (expression("[" * 2000 + "@0" + "]" * 2000), ["sum", "nested deeper"]),
    "expression_size_axis": (expression("mul(@0,size(@0,9))"), ["sum", "9"]),
    "expression_number_text": (expression("add(@0,1x)"), ["sum", "1x"]),
    "expression_of_a_list": (
        graph(INPUT, "prim::ListConstruct both 2 1 0 0 2", "pnnx.Expression sum 1 1 2 1 expr=neg(@0)", OUTPUT),
        ["sum", "neg(@0)", "@0 is a list"],
    ),
    "expression_of_lists": (
        graph(INPUT, "prim::ListConstruct both 2 1 0 0 2", "pnnx.Expression sum 1 1 2 1 expr=[@0,@0]", OUTPUT),
        ["sum", "[@0,@0]", "@0 is a list"],
    ),
    "expression_inner_list": (expression("add([@0],1)"), ["sum", "list of arrays"]),
    "expression_list_sum": (expression("add(@0,[1,2])"), ["sum", "[1,2]", "expected a number"]),
    "view_axes": (single(f"Tensor.view deep 1 1 0 1 shape=({','.join(['1'] * 61)},1,4,8,8)"), ["deep", "65 axes", "64"]),
    "input_axes": (
        graph(f"pnnx.Input pnnx_input_0 0 1 0 #0=({','.join(['1'] * 65)})f32", NN_RELU, OUTPUT),
        [":3:", "more than 64 extents"],
    ),
    # Lists that double, and that nest.
    "lists_double": (
        graph(INPUT, "prim::TupleConstruct l0 2 1 0 0 l0",
              *[f"prim::TupleConstruct l{i} 2 1 l{i - 1} l{i - 1} l{i}" for i in range(1, 40)],
              "pnnx.Output pnnx_output_0 1 0 l39"),
        ["prim::TupleConstruct", "65536 entries"],
    ),
    "lists_deep": (
        graph(INPUT, "prim::TupleConstruct l0 1 1 0 l0",
              *[f"prim::TupleConstruct l{i} 1 1 l{i - 1} l{i}" for i in range(1, 70)],
              "pnnx.Output pnnx_output_0 1 0 l69"),
        ["l64", "prim::TupleConstruct", "nested deeper than 64"],
    ),
    # Sizes that no machine has.
    "input_extents_absurd": (
        graph("pnnx.Input pnnx_input_0 0 1 0 #0=(2147483647,2147483647,2147483647)f32", NN_RELU, OUTPUT),
        [":3:", "pnnx_input_0", "2147483647"],
    ),
    "input_memory_absurd": (
        graph("pnnx.Input pnnx_input_0 0 1 0 #0=(2147483647,2147483647)f32", "F.softmax soft 1 1 0 1 dim=1", OUTPUT),
        [":3:", "pnnx_input_0", "2147483647"],
    ),
    "input_memory": (
        graph("pnnx.Input pnnx_input_0 0 1 0 #0=(2147483647,100000)f32", "F.softmax soft 1 1 0 1 dim=1", OUTPUT),
        ["MiB", "machine"],
    ),
    "repeat_absurd": (
        single("Tensor.repeat copies 1 1 0 1 sizes=(2147483647,2147483647,2147483647,1)"),
        ["copies", "Tensor.repeat"],
    ),
    "repeat_memory": (single("Tensor.repeat copies 1 1 0 1 sizes=(2147483647,100000,1,1)"), ["MiB", "machine"]),
    "zeros_absurd": (
        graph(INPUT, "torch.zeros blank 0 1 1 dtype=torch.float size=(2147483647,2147483647,2147483647)", OUTPUT),
        ["blank", "torch.zeros"],
    ),
    "pad_circular_nothing": (
        single("F.pad frame 1 1 0 1 mode=circular pad=(-8,8)"),
        ["frame", "F.pad", "(-8,8)", "no element to repeat"],
    ),
    "pad_absurd": (
        single("F.pad frame 1 1 0 1 mode=constant pad=(2147483647,2147483647,2147483647,2147483647) value=0"),
        ["frame", "F.pad"],
    ),
}


def npy(shape):
    """Returns a .npy file of float32 numbers that count up from 0."""
    count = 1
    for extent in shape:
        count *= extent
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    prefix = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
    return prefix + header.encode() + struct.pack(f"<{count}f", *range(count))


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    for name, (text, _, *weights) in CASES.items():
        (FOLDER / f"{name}.param").write_bytes(text if isinstance(text, bytes) else text.encode())
        if weights:
            (FOLDER / f"{name}.bin").write_bytes(weights[0])
    (FOLDER / "no_weights.bin").write_bytes(archive())
    (FOLDER / "input.npy").write_bytes(npy((1, 4, 8, 8)))
    expected = {name: case[1] for name, case in CASES.items()}
    (FOLDER / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
    print(f"{len(CASES)} models in {FOLDER}")


if __name__ == "__main__":
    main()
