# SPDX-License-Identifier: MIT
"""Cases: activations."""
import torch
from torch import nn

from .case import add, fn

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
