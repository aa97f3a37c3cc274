# SPDX-License-Identifier: MIT
"""Cases: activations."""
import torch
import torch.nn.functional as F
from torch import nn

from ..case import add, fn

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

FORMS = {"rank1": (7,), "rank2": (3, 7), "rank5": (1, 2, 3, 2, 2), "empty": (2, 0)}
for short, shape in FORMS.items():
    for module in ("ReLU", "SiLU", "GELU", "Sigmoid", "Hardswish", "ELU", "Softplus", "LeakyReLU"):
        add(f"{module.lower()}_{short}", lambda module=module: getattr(nn, module)(), shape)
for name in ("selu", "celu", "hardtanh", "hardshrink", "softshrink", "softsign", "tanhshrink", "logsigmoid", "rrelu"):
    fn("fact_" + name, lambda x, name=name: getattr(F, name)(x), (2, 3, 5))
fn("fact_threshold", lambda x: F.threshold(x, 0.1, 20.0), (2, 3, 5))
fn("fact_leaky_relu_slope", lambda x: F.leaky_relu(x, 0.3), (2, 3, 5))
fn("fact_elu_alpha", lambda x: F.elu(x, 0.3), (2, 3, 5))
fn("fact_celu_alpha", lambda x: F.celu(x, 0.3), (2, 3, 5))
fn("fact_gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), (2, 3, 5))
fn("fact_prelu", lambda x, w: F.prelu(x, w), (2, 3, 5), (3,))
fn("fact_prelu_one", lambda x, w: F.prelu(x, w), (2, 3, 5), (1,))
for dim in (0, 1, -1):
    fn(f"fact_glu_{dim}".replace("-", "m"), lambda x, dim=dim: F.glu(x, dim), (4, 6, 2))
for name in ("dropout", "dropout2d", "alpha_dropout", "feature_alpha_dropout"):
    fn("fact_" + name, lambda x, name=name: getattr(F, name)(x, training=False) + 1, (2, 3, 4, 5))
for module in ("Dropout", "Dropout2d", "AlphaDropout", "Identity"):
    add("act_" + module.lower(), lambda module=module: getattr(nn, module)(), (2, 3, 4, 5))
fn("extreme_sigmoid", torch.sigmoid, lambda: torch.tensor([-200.0, -88.0, 0.0, 88.0, 200.0]))
fn("extreme_softplus", F.softplus, lambda: torch.tensor([-200.0, -20.0, 19.9, 20.1, 200.0]))
fn("extreme_gelu", F.gelu, lambda: torch.tensor([-200.0, -6.0, 0.0, 6.0, 200.0]))
fn("extreme_mish", F.mish, lambda: torch.tensor([-200.0, -20.0, 0.0, 20.0, 200.0]))
fn("nan_relu", F.relu, lambda: torch.tensor([float("nan"), -1.0, 1.0]))
fn("nan_hardtanh", F.hardtanh, lambda: torch.tensor([float("nan"), -3.0, 3.0]))
