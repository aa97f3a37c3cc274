# SPDX-License-Identifier: MIT
"""The modules of make_op_cases.py: every operator in the forms that models use."""
import torch
import torch.nn.functional as F
from torch import nn


class Case:
    """A module and its inputs; `build` makes both, so that listing the cases costs nothing."""

    def __init__(self, name, make, *specs):
        self.name, self.make, self.specs = name, make, specs

    def build(self):
        # Inside another module, as in real models: the converter does not recognise one that stands alone.
        module = Lambda(self.make())
        for parameter in module.parameters():
            nn.init.normal_(parameter, 0.0, 0.5)
        for name, buffer in module.named_buffers():
            if name.endswith("running_mean"):
                buffer.normal_(0.0, 0.5)
            if name.endswith("running_var"):
                buffer.uniform_(0.5, 2.0)
        return module.eval(), [make_input(spec) for spec in self.specs]


class Lambda(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def make_input(spec):
    """A shape (normal values), ("pos", shape), ("int", shape, high) or ("bool", shape)."""
    if spec and spec[0] == "pos":
        return torch.rand(spec[1]) + 0.1
    if spec and spec[0] == "int":
        return torch.randint(0, spec[2], spec[1])
    if spec and spec[0] == "signed":
        return torch.randint(-spec[2], spec[2], spec[1])
    if spec and spec[0] == "bool":
        return torch.rand(spec[1]) > 0.5
    return torch.randn(spec)


CASES = []


def add(name, make, *specs):
    CASES.append(Case(name, make, *specs))


def fn(name, function, *specs):
    """A case from a function of tensors."""
    CASES.append(Case(name, lambda: function, *specs))


# --- convolution ------------------------------------------------------------------------------------------------------
add("conv2d_3x3", lambda: nn.Conv2d(3, 8, 3, padding=1), (1, 3, 9, 11))
add("conv2d_1x1", lambda: nn.Conv2d(5, 7, 1), (2, 5, 6, 7))
add("conv2d_1x1_groups", lambda: nn.Conv2d(8, 12, 1, groups=4), (2, 8, 5, 6))
add("conv2d_1x1_groups_stride", lambda: nn.Conv2d(8, 12, 1, stride=2, groups=2), (1, 8, 7, 6))
add("conv2d_stride", lambda: nn.Conv2d(4, 6, (3, 5), stride=(2, 1), padding=(0, 2)), (2, 4, 10, 9))
add("conv2d_2x4_pad2", lambda: nn.Conv2d(4, 6, (2, 4), stride=(2, 1), padding=2), (1, 4, 8, 9))
add("conv2d_no_bias", lambda: nn.Conv2d(4, 6, (1, 3), padding=(2, 4), bias=False), (1, 4, 8, 9))
add("conv2d_groups_valid", lambda: nn.Conv2d(8, 12, 3, groups=4, padding="valid"), (2, 8, 8, 9))
add("conv2d_same_dilation", lambda: nn.Conv2d(8, 12, (2, 3), dilation=(1, 2), groups=2, padding="same"), (1, 8, 8, 9))
add("conv2d_depthwise", lambda: nn.Conv2d(8, 8, 3, padding=1, groups=8), (2, 8, 9, 9))
add("conv2d_depthwise_stride2", lambda: nn.Conv2d(8, 8, 5, padding=2, stride=2, groups=8), (1, 8, 17, 15))
add("conv2d_depthwise_multiplier", lambda: nn.Conv2d(4, 12, 3, padding=1, groups=4), (1, 4, 9, 8))
add("conv2d_reflect", lambda: nn.Conv2d(4, 4, 3, padding=3, groups=4, padding_mode="reflect"), (1, 4, 9, 8))
add("conv2d_replicate", lambda: nn.Conv2d(4, 6, 3, padding=1, padding_mode="replicate"), (1, 4, 9, 8))
add("conv2d_reflect_12", lambda: nn.Conv2d(4, 6, 3, padding=(1, 2), padding_mode="reflect"), (1, 4, 9, 8))
add("conv2d_circular", lambda: nn.Conv2d(4, 6, 3, padding=1, padding_mode="circular"), (1, 4, 9, 8))
add("conv2d_dilation_stride_pad", lambda: nn.Conv2d(4, 6, 3, dilation=2, stride=2, padding=(5, 6)), (1, 4, 9, 8))
add("conv2d_unbatched", lambda: nn.Conv2d(3, 4, 3, padding=1), (3, 8, 8))
fn("conv2d_functional", lambda x, w, b: F.conv2d(x, w, b, stride=2, padding=1), (2, 3, 9, 9), (4, 3, 3, 3), (4,))
fn("conv2d_functional_no_bias", lambda x, w: F.conv2d(x, w, None, padding=(1, 0), groups=3), (1, 3, 9, 9), (6, 1, 3, 3))
add("conv1d", lambda: nn.Conv1d(4, 6, 3, padding=1), (2, 4, 11))
add("conv1d_dilation_groups", lambda: nn.Conv1d(4, 6, 5, dilation=2, groups=2, padding=4), (2, 4, 17))
add("conv1d_causal_depthwise", lambda: nn.Conv1d(6, 6, 4, padding=3, groups=6), (1, 6, 9))
add("conv3d", lambda: nn.Conv3d(3, 4, 3, padding=1, stride=(1, 2, 2)), (1, 3, 5, 8, 9))
add("conv3d_groups", lambda: nn.Conv3d(4, 8, (1, 3, 2), groups=2, padding=(0, 1, 1)), (2, 4, 4, 6, 7))
add("conv_transpose2d", lambda: nn.ConvTranspose2d(4, 6, 2, stride=2), (1, 4, 5, 6))
add("conv_transpose2d_output_padding", lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=1, output_padding=(0, 1)), (2, 4, 5, 6))
add("conv_transpose2d_dilation_groups", lambda: nn.ConvTranspose2d(4, 6, 3, dilation=(1, 2), groups=2, bias=False), (1, 4, 5, 6))
add("conv_transpose2d_depthwise", lambda: nn.ConvTranspose2d(8, 8, 4, stride=2, padding=1, groups=8), (1, 8, 5, 6))
add("conv_transpose2d_large_pad", lambda: nn.ConvTranspose2d(4, 6, 3, stride=2, padding=2), (1, 4, 7, 6))
add("conv_transpose1d", lambda: nn.ConvTranspose1d(4, 6, 4, stride=2, padding=1), (2, 4, 9))
add("conv_transpose3d", lambda: nn.ConvTranspose3d(3, 4, 2, stride=2), (1, 3, 3, 4, 5))

# --- linear, matrix products, embedding -------------------------------------------------------------------------------
add("linear", lambda: nn.Linear(7, 5), (3, 7))
add("linear_no_bias_rank4", lambda: nn.Linear(7, 5, bias=False), (2, 3, 4, 7))
add("linear_rank1", lambda: nn.Linear(7, 5), (7,))
fn("linear_functional", lambda x, w, b: F.linear(x, w, b), (2, 3, 7), (5, 7), (5,))
fn("matmul_2d", torch.matmul, (4, 5), (5, 3))
fn("matmul_batched", torch.matmul, (2, 3, 4, 5), (2, 3, 5, 6))
fn("matmul_broadcast", torch.matmul, (2, 1, 4, 5), (3, 5, 6))
fn("matmul_vector_right", torch.matmul, (2, 4, 5), (5,))
fn("matmul_vector_left", torch.matmul, (5,), (2, 5, 3))
fn("matmul_dot", torch.matmul, (5,), (5,))
fn("matmul_transposed", lambda a, b: torch.matmul(a, b.transpose(-1, -2)), (2, 4, 5), (2, 3, 5))
fn("bmm", torch.bmm, (3, 4, 5), (3, 5, 2))
fn("mm", torch.mm, (4, 5), (5, 2))
fn("mv", torch.mv, (4, 5), (5,))
fn("addmm", lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=2), (3,), (4, 5), (5, 3))
fn("baddbmm", lambda c, a, b: torch.baddbmm(c, a, b, beta=0.5, alpha=2), (2, 4, 3), (2, 4, 5), (2, 5, 3))
add("embedding", lambda: nn.Embedding(11, 5), ("int", (2, 7), 11))
fn("embedding_functional", lambda i, w: F.embedding(i, w), ("int", (2, 3), 11), (11, 4))

# --- activations ------------------------------------------------------------------------------------------------------
for module in ("ReLU", "ReLU6", "SiLU", "Sigmoid", "Hardswish", "Hardsigmoid", "Tanh", "GELU", "ELU", "SELU", "CELU",
               "LeakyReLU", "Hardtanh", "Hardshrink", "Softshrink", "Softplus", "Softsign", "Tanhshrink", "LogSigmoid", "Mish"):
    add("act_" + module.lower(), lambda module=module: getattr(nn, module)(), (2, 3, 5, 7))
add("act_gelu_tanh", lambda: nn.GELU(approximate="tanh"), (3, 37))
add("act_leaky_relu_slope", lambda: nn.LeakyReLU(0.2), (3, 7))
add("act_elu_alpha", lambda: nn.ELU(0.7), (3, 7))
add("act_softplus_beta", lambda: nn.Softplus(beta=2.0, threshold=1.5), (3, 7))
add("act_hardtanh_range", lambda: nn.Hardtanh(-0.3, 0.6), (3, 7))
add("act_threshold", lambda: nn.Threshold(0.1, -2.0), (3, 7))
add("act_prelu_channels", lambda: nn.PReLU(4), (2, 4, 3, 5))
add("act_prelu_one", lambda: nn.PReLU(), (2, 4, 3))
add("act_prelu_rank2", lambda: nn.PReLU(4), (2, 4))
add("act_glu", lambda: nn.GLU(dim=1), (2, 6, 5))
add("act_rrelu", lambda: nn.RReLU(0.1, 0.3), (2, 6, 5))
for name in ("relu", "relu6", "silu", "sigmoid", "hardswish", "hardsigmoid", "tanh", "gelu", "elu", "leaky_relu", "softplus", "mish"):
    fn("fact_" + name, lambda x, name=name: getattr(F, name)(x), (2, 3, 5))
fn("clamp", lambda x: torch.clamp(x, -0.5, 0.7), (3, 17))
fn("clamp_min", lambda x: torch.clamp(x, min=0.1), (3, 17))

# --- softmax, normalisation -------------------------------------------------------------------------------------------
for dim in (0, 1, 2, 3, -1):
    fn(f"softmax_dim{dim}".replace("-", "m"), lambda x, dim=dim: F.softmax(x, dim=dim), (2, 3, 4, 17))
add("softmax_module", lambda: nn.Softmax(dim=1), (2, 5))
add("softmax2d", lambda: nn.Softmax2d(), (2, 5, 3, 4))
add("softmin", lambda: nn.Softmin(dim=1), (2, 5, 3))
fn("log_softmax", lambda x: F.log_softmax(x, dim=1), (2, 5, 3))
add("log_softmax_module", lambda: nn.LogSoftmax(dim=-1), (2, 5, 9))
add("batch_norm1d", lambda: nn.BatchNorm1d(5), (3, 5))
add("batch_norm1d_rank3", lambda: nn.BatchNorm1d(5), (3, 5, 7))
add("batch_norm2d", lambda: nn.BatchNorm2d(5), (2, 5, 4, 6))
add("batch_norm2d_no_affine", lambda: nn.BatchNorm2d(5, affine=False, eps=1e-2), (2, 5, 4, 6))
add("batch_norm3d", lambda: nn.BatchNorm3d(5), (2, 5, 2, 4, 6))
add("layer_norm", lambda: nn.LayerNorm(33), (2, 7, 33))
add("layer_norm_two_axes", lambda: nn.LayerNorm((4, 6), eps=1e-3), (2, 3, 4, 6))
add("layer_norm_no_affine", lambda: nn.LayerNorm(9, elementwise_affine=False), (2, 9))
add("group_norm", lambda: nn.GroupNorm(3, 6), (2, 6, 5, 4))
add("group_norm_no_affine", lambda: nn.GroupNorm(2, 6, affine=False), (2, 6, 5))
add("instance_norm2d", lambda: nn.InstanceNorm2d(4, eps=1e-2), (2, 4, 5, 6))
add("instance_norm2d_affine", lambda: nn.InstanceNorm2d(4, affine=True), (2, 4, 5, 6))
add("instance_norm2d_tracked", lambda: nn.InstanceNorm2d(4, affine=True, track_running_stats=True), (2, 4, 5, 6))
add("local_response_norm", lambda: nn.LocalResponseNorm(4), (2, 7, 5, 6))
add("rms_norm", lambda: nn.RMSNorm(16), (2, 3, 16))
fn("normalize", lambda x: F.normalize(x, dim=1), (2, 5, 7))
fn("normalize_p1", lambda x: F.normalize(x, p=1.0, dim=-1, eps=1e-3), (2, 5, 7))

# --- pooling ----------------------------------------------------------------------------------------------------------
add("max_pool2d", lambda: nn.MaxPool2d(2), (2, 3, 8, 9))
add("max_pool2d_3s2p1", lambda: nn.MaxPool2d(3, 2, 1), (1, 3, 9, 11))
add("max_pool2d_ceil", lambda: nn.MaxPool2d((4, 5), (2, 3), (1, 2), ceil_mode=True), (1, 3, 12, 13))
add("max_pool2d_dilation", lambda: nn.MaxPool2d(3, 1, (0, 1), dilation=(1, 2)), (1, 3, 9, 9))
add("max_pool2d_indices", lambda: nn.MaxPool2d((3, 2), 2, 1, ceil_mode=True, return_indices=True), (2, 3, 9, 10))
add("max_pool2d_5s1p2", lambda: nn.MaxPool2d(5, 1, 2), (1, 4, 7, 7))
add("max_pool2d_unbatched", lambda: nn.MaxPool2d(2), (3, 8, 8))
add("max_pool1d", lambda: nn.MaxPool1d(3, 2, 1), (2, 3, 11))
add("max_pool3d", lambda: nn.MaxPool3d(2, ceil_mode=True), (1, 3, 5, 6, 7))
fn("max_pool1d_functional", lambda x: F.max_pool1d(x, 3), (2, 3, 11))
fn("max_pool2d_functional", lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True), (2, 3, 10, 10))
add("avg_pool2d", lambda: nn.AvgPool2d(2), (2, 3, 8, 9))
add("avg_pool2d_exclude_pad", lambda: nn.AvgPool2d((4, 5), (1, 2), (1, 2), ceil_mode=True, count_include_pad=False), (1, 3, 9, 10))
add("avg_pool2d_include_pad_ceil", lambda: nn.AvgPool2d(3, 2, 1, ceil_mode=True), (1, 3, 10, 10))
add("avg_pool2d_divisor", lambda: nn.AvgPool2d((4, 5), 2, divisor_override=18), (1, 3, 9, 10))
add("avg_pool1d", lambda: nn.AvgPool1d(3, 2, 1), (2, 3, 11))
add("avg_pool3d", lambda: nn.AvgPool3d(2), (1, 3, 4, 6, 7))
fn("avg_pool2d_functional", lambda x: F.avg_pool2d(x, 3, 1, 1), (2, 3, 9, 9))
add("adaptive_avg_pool2d_1", lambda: nn.AdaptiveAvgPool2d(1), (2, 3, 7, 9))
add("adaptive_avg_pool2d_uneven", lambda: nn.AdaptiveAvgPool2d((3, 4)), (2, 3, 5, 7))
add("adaptive_avg_pool2d_none", lambda: nn.AdaptiveAvgPool2d((None, 3)), (2, 3, 5, 7))
add("adaptive_avg_pool2d_larger", lambda: nn.AdaptiveAvgPool2d((7, 9)), (1, 2, 5, 4))
add("adaptive_avg_pool1d", lambda: nn.AdaptiveAvgPool1d(3), (2, 3, 7))
add("adaptive_avg_pool3d", lambda: nn.AdaptiveAvgPool3d((2, 3, 2)), (1, 3, 5, 6, 7))
add("adaptive_max_pool2d", lambda: nn.AdaptiveMaxPool2d((3, 2)), (2, 3, 5, 7))
add("adaptive_max_pool1d", lambda: nn.AdaptiveMaxPool1d(4), (2, 3, 9))
fn("adaptive_avg_pool2d_functional", lambda x: F.adaptive_avg_pool2d(x, (2, 2)), (2, 3, 5, 7))
add("lp_pool2d", lambda: nn.LPPool2d(2, 3, 2), (1, 3, 9, 9))

# --- resize, padding, shuffles ----------------------------------------------------------------------------------------
for mode in ("nearest", "bilinear", "bicubic"):
    flags = (None,) if mode == "nearest" else (False, True)
    for corners in flags:
        suffix = "" if corners is None else f"_corners{int(corners)}"
        add(f"upsample_{mode}_size{suffix}", lambda mode=mode, corners=corners: nn.Upsample(size=(9, 11), mode=mode, align_corners=corners), (1, 3, 5, 6))
        add(f"upsample_{mode}_scale{suffix}", lambda mode=mode, corners=corners: nn.Upsample(scale_factor=(2, 3.11), mode=mode, align_corners=corners), (2, 3, 5, 6))
        add(f"upsample_{mode}_down{suffix}", lambda mode=mode, corners=corners: nn.Upsample(scale_factor=(0.7, 0.4), mode=mode, align_corners=corners), (1, 3, 10, 15))
add("upsample_nearest_1499", lambda: nn.Upsample(scale_factor=(1.499, 1.499), mode="nearest"), (1, 3, 12, 12))
add("upsample_nearest_1d", lambda: nn.Upsample(scale_factor=2, mode="nearest"), (2, 3, 7))
add("upsample_linear_1d", lambda: nn.Upsample(size=13, mode="linear"), (2, 3, 7))
add("upsample_trilinear", lambda: nn.Upsample(scale_factor=2, mode="trilinear"), (1, 2, 3, 4, 5))
add("upsample_nearest_3d", lambda: nn.Upsample(scale_factor=2, mode="nearest"), (1, 2, 3, 4, 5))
add("upsampling_nearest2d", lambda: nn.UpsamplingNearest2d(scale_factor=2), (1, 3, 5, 6))
add("upsampling_bilinear2d", lambda: nn.UpsamplingBilinear2d(size=(7, 9)), (1, 3, 5, 6))
fn("interpolate_nearest_exact", lambda x: F.interpolate(x, scale_factor=(1.7, 0.6), mode="nearest-exact"), (1, 3, 9, 10))
fn("interpolate_recompute", lambda x: F.interpolate(x, scale_factor=1.3, mode="bilinear", recompute_scale_factor=True), (1, 3, 9, 10))
fn("interpolate_bilinear", lambda x: F.interpolate(x, size=(4, 20), mode="bilinear"), (1, 3, 9, 10))
fn("pad_constant", lambda x: F.pad(x, (3, 4), value=1.3), (2, 3, 5))
fn("pad_constant_4d", lambda x: F.pad(x, (1, 2, 0, 3)), (1, 2, 4, 5))
fn("pad_crop", lambda x: F.pad(x, (-1, 2, 1, -2)), (1, 2, 4, 5))
fn("pad_reflect", lambda x: F.pad(x, (3, 4, 3, 4), mode="reflect"), (1, 2, 6, 6))
fn("pad_replicate_3d", lambda x: F.pad(x, (5, 0, 1, 2, 0, 2), mode="replicate"), (1, 2, 3, 4, 5))
fn("pad_circular", lambda x: F.pad(x, (1, 2, 2, 1), mode="circular"), (1, 2, 4, 5))
add("zero_pad2d", lambda: nn.ZeroPad2d((1, 2, 3, 4)), (1, 2, 4, 5))
add("constant_pad1d", lambda: nn.ConstantPad1d((2, 1), 0.7), (2, 3, 5))
add("reflection_pad2d", lambda: nn.ReflectionPad2d((1, 2, 3, 1)), (1, 2, 5, 6))
add("replication_pad2d", lambda: nn.ReplicationPad2d(2), (1, 2, 5, 6))
add("pixel_shuffle", lambda: nn.PixelShuffle(2), (1, 12, 3, 4))
add("pixel_unshuffle", lambda: nn.PixelUnshuffle(2), (1, 3, 6, 8))
add("channel_shuffle", lambda: nn.ChannelShuffle(3), (2, 6, 3, 4))

# --- recurrent --------------------------------------------------------------------------------------------------------
add("lstm", lambda: nn.LSTM(5, 6), (7, 2, 5))
add("lstm_batch_first_bi", lambda: nn.LSTM(5, 6, batch_first=True, bidirectional=True), (2, 7, 5))
add("lstm_two_layers_no_bias", lambda: nn.LSTM(5, 6, num_layers=2, bias=False), (7, 2, 5))
add("lstm_proj", lambda: nn.LSTM(5, 6, num_layers=2, bidirectional=True, proj_size=3), (7, 2, 5))

add("gru", lambda: nn.GRU(5, 6, batch_first=True), (2, 7, 5))
add("gru_bi_layers", lambda: nn.GRU(5, 6, num_layers=2, bidirectional=True), (7, 3, 5))
add("rnn_tanh", lambda: nn.RNN(5, 6), (7, 2, 5))
add("rnn_relu", lambda: nn.RNN(5, 6, nonlinearity="relu", batch_first=True), (2, 7, 5))


class Recurrent(nn.Module):
    """Passes initial states as a tuple."""

    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def forward(self, x, h, c):
        return self.cell(x, (h, c))


add("lstm_states", lambda: Recurrent(nn.LSTM(5, 6, num_layers=2, batch_first=True)), (3, 4, 5), (2, 3, 6), (2, 3, 6))


# --- shape ------------------------------------------------------------------------------------------------------------
fn("flatten", lambda x: torch.flatten(x, 1), (2, 3, 4, 5))
fn("flatten_middle", lambda x: torch.flatten(x, 1, 2), (2, 3, 4, 5))
fn("reshape", lambda x: x.reshape(2, -1, 5), (2, 3, 4, 5))
fn("reshape_after_permute", lambda x: x.permute(0, 2, 3, 1).reshape(2, 20, 3), (2, 3, 4, 5))
fn("view_split_axis", lambda x: x.view(2, 3, 2, 2, 5), (2, 3, 4, 5))
fn("permute_of_permute", lambda x: F.relu(x.permute(3, 0, 2, 1)), (2, 3, 4, 5))
fn("transpose_copy", lambda x: x.transpose(1, 2).contiguous() + 1, (2, 3, 4))
fn("t", lambda x: x.t() * 2, (3, 4))
fn("squeeze_all", lambda x: torch.squeeze(x) + 0.5, (1, 3, 1, 4))
fn("squeeze_dim", lambda x: torch.squeeze(x, 2), (1, 3, 1, 4))
fn("unsqueeze", lambda x: torch.unsqueeze(x, -1), (3, 4))
fn("expand", lambda x: x.expand(2, 3, 4) + 1, (3, 1))
fn("cat_dim1", lambda x, y: torch.cat((x, y, x), 1), (2, 3, 4), (2, 1, 4))
fn("cat_negative", lambda x, y: torch.cat((x, y), -1), (2, 3, 4), (2, 3, 1))
fn("stack", lambda x, y: torch.stack((x, y), 1), (2, 3), (2, 3))
fn("split_sizes", lambda x: torch.split(x, (1, 2, 3), 1), (2, 6, 4))
fn("split_int", lambda x: torch.split(x, 4, 1), (2, 6, 4))
fn("chunk", lambda x: torch.chunk(x, 3, 1), (2, 7, 4))
fn("chunk_added", lambda x: sum(torch.chunk(x, 2, 1)), (2, 6, 4))
fn("unbind", lambda x: torch.unbind(x, 1), (2, 3, 4))
fn("select", lambda x: x[:, -1], (2, 3, 4))
fn("slice", lambda x: x[:, 1:], (2, 5, 4))
fn("slice_many", lambda x: x[:, :2, 1:14:2, 1:-1], (2, 3, 15, 6))
fn("slice_select", lambda x: x[:, 1, 2:, ..., 0], (2, 3, 5, 6))
fn("flip", lambda x: torch.flip(x, (1, 2)), (2, 3, 4))
fn("roll", lambda x: torch.roll(x, (1, -2), (1, 2)), (2, 3, 5))
fn("repeat", lambda x: x.repeat(2, 1, 3), (2, 3))
fn("tile", lambda x: torch.tile(x, (2, 2)), (2, 3, 4))
fn("narrow", lambda x: torch.narrow(x, 1, 1, 2), (2, 4, 3))
fn("input_is_output", lambda x: (x, x * 2), (2, 3))

# --- reductions -------------------------------------------------------------------------------------------------------
for name in ("mean", "sum", "amax", "amin", "logsumexp"):
    fn(f"{name}_dims", lambda x, name=name: getattr(torch, name)(x, (2, 3)), (2, 3, 4, 5))
    fn(f"{name}_keepdim", lambda x, name=name: getattr(torch, name)(x, 1, keepdim=True), (2, 3, 4, 5))
fn("mean_all", lambda x: torch.mean(x), (2, 3, 4))
fn("sum_all", lambda x: torch.sum(x), (2, 3, 4))
fn("max_dim", lambda x: torch.max(x, 1), (2, 5, 4))
fn("max_dim_values", lambda x: torch.max(x, 2, keepdim=True)[0], (2, 5, 4))
fn("max_all", lambda x: torch.max(x), (2, 5, 4))
fn("min_dim", lambda x: torch.min(x, -1), (2, 5, 4))
fn("argmax", lambda x: torch.argmax(x, 1), (2, 5, 4))
fn("argmax_all", lambda x: torch.argmax(x), (2, 5, 4))
fn("argmin_keepdim", lambda x: torch.argmin(x, 1, keepdim=True), (2, 5, 4))
fn("prod", lambda x: torch.prod(x, 1), (2, 5, 4))
fn("var", lambda x: torch.var(x, 1), (2, 5, 4))
fn("std_biased", lambda x: torch.std(x, (1, 2), unbiased=False), (2, 5, 4))
fn("norm", lambda x: torch.norm(x, p=2, dim=1), (2, 5, 4))
fn("cumsum", lambda x: torch.cumsum(x, 1), (2, 5, 4))
fn("topk", lambda x: torch.topk(x, 3, dim=1), (2, 7, 4))
fn("pairwise_distance", lambda x, y: F.pairwise_distance(x, y), (3, 8), (3, 8))

# --- expressions and logic --------------------------------------------------------------------------------------------
fn("expr_add_mul", lambda x, y: x + y * 2.5 - 1, (2, 3, 4), (2, 3, 4))
fn("expr_broadcast", lambda x, y: x * y, (2, 3, 4, 5), (3, 1, 1))
fn("expr_broadcast_both", lambda x, y: x - y, (2, 1, 4), (3, 1))
fn("expr_same_twice", lambda x: x + x, (2, 3))
fn("expr_rsub", lambda x: 1 - x, (2, 3))
fn("expr_div_pow", lambda x, y: (x / y) ** 2, ("pos", (2, 3)), ("pos", (2, 3)))
for name in ("abs", "ceil", "cos", "erf", "exp", "expm1", "floor", "neg", "round", "sign", "sin", "sinh", "square", "tan", "tanh",
             "trunc", "atan", "cosh", "asinh"):
    fn("expr_" + name, lambda x, name=name: getattr(torch, name)(x) + 0.25, (3, 17))
for name in ("log", "log10", "log1p", "rsqrt", "sqrt", "reciprocal"):
    fn("expr_" + name, lambda x, name=name: getattr(torch, name)(x) * 0.5, ("pos", (3, 17)))
fn("expr_min_max", lambda x, y: torch.maximum(x, y) - torch.minimum(x, y), (3, 5), (3, 5))
fn("expr_fmod_remainder", lambda x, y: torch.fmod(x, y) + torch.remainder(x, y), (3, 5), ("pos", (3, 5)))
fn("expr_atan2_logaddexp", lambda x, y: torch.atan2(x, y) + torch.logaddexp(x, y), (3, 5), (3, 5))
fn("expr_int_add", lambda x, y: x * 3 + y, ("signed", (3, 5), 100), ("signed", (3, 5), 100))
fn("expr_int_floor_divide", lambda x: torch.floor_divide(x, 4) * 2 + x % 3, ("signed", (3, 5), 100))
fn("expr_int_true_divide", lambda x: x / 4, ("signed", (3, 5), 100))
fn("expr_int_float", lambda x, y: x * y + 0.5, ("signed", (3, 5), 100), (3, 5))
fn("expr_bits", lambda x, y: (x & y) | (x ^ 5), ("int", (3, 5), 64), ("int", (3, 5), 64))
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    fn("cmp_" + name, lambda x, y, name=name: getattr(torch, name)(x, y), ("signed", (4, 5), 3), ("signed", (4, 5), 3))
fn("cmp_scalar", lambda x: x > 0.25, (3, 5))
fn("where", lambda x, y: torch.where(x > 0, x, y), (3, 5), (5,))
fn("where_scalar", lambda x: torch.where(x > 0, x, -1.0), (3, 5))
fn("masked_fill", lambda x, m: x.masked_fill(m, -1e9), (3, 5), ("bool", (3, 5)))
fn("logical", lambda a, b: torch.logical_or(torch.logical_not(a), b), ("bool", (3, 5)), ("bool", (3, 5)))
fn("index_columns", lambda x: x[:, [2, 0]], (3, 4))
fn("gather", lambda x, i: torch.gather(x, 1, i), (3, 5), ("int", (3, 2), 5))
fn("index_select", lambda x, i: torch.index_select(x, 1, i), (3, 5), ("int", (4,), 5))
fn("zeros_like", lambda x: torch.zeros_like(x) + x, (3, 5))
fn("to_long", lambda x: (x * 10).to(torch.int64), (3, 5))
fn("to_float", lambda x: x.to(torch.float32) / 3, ("int", (3, 5), 64))
