# SPDX-License-Identifier: MIT
"""Exports operators that are taken apart at the export, operators of users, and quantised graphs."""

from __future__ import annotations

import os

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')

from torch.ao.quantization.fx import _decomposed  # noqa: E402, F401

import modules  # noqa: E402
from kuiper_infer import ExportError, export  # noqa: E402

aten = torch.ops.aten
decomposed = torch.ops.quantized_decomposed


@pytest.fixture(autouse=True)
def seed(monkeypatch):
    torch.manual_seed(20261126)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


class Calling(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def types_of(model) -> list[str]:
    with open(model.param) as file:
        return [line.split()[0] for line in file.read().splitlines()[2:]]


class SmallestOf(torch.nn.Module):
    """The file holds the limit at the operator that reads it, whose name another overload has, too."""

    def __init__(self):
        super().__init__()
        self.limit = torch.nn.Buffer(torch.tensor(0.25))

    def forward(self, x):
        return torch.min(x, self.limit)


def integers(*shape):
    return torch.randint(-128, 128, shape, dtype=torch.int8)


def segments(reduce, initial=None, by="lengths"):
    given = torch.tensor([2, 0, 3, 1] if by == "lengths" else [0, 2, 2, 5, 6])
    return lambda x: torch.segment_reduce(x, reduce, **{by: given}, axis=0, initial=initial)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (torch._int_mm, (integers(20, 16), integers(16, 24))),
        (lambda a: (torch._is_all_true(a > 0), torch._is_any_true(a > 0.9)), (torch.rand(4),)),
        (segments("sum"), (torch.rand(6, 3),)),
        (segments("max", 0.5), (torch.rand(6, 3),)),
        (segments("min", by="offsets"), (torch.rand(6),)),
        (segments("mean"), (torch.rand(6, 2, 2),)),
        (segments("mean", 2.0), (torch.rand(6),)),
        (segments("prod", by="offsets"), (torch.rand(6, 3),)),
        (lambda a, b: aten._add_relu(a, b, alpha=2), (torch.rand(4) - 0.5, torch.rand(4) - 0.5)),
        (torch.vdot, (torch.randn(5, dtype=torch.complex64), torch.randn(5, dtype=torch.complex64))),
        (torch.vdot, (torch.randn(5), torch.randn(5))),
        (torch.linalg.vecdot, (torch.randn(3, 5, dtype=torch.complex64), torch.randn(3, 5, dtype=torch.complex64))),
        (lambda x: x.sum((0, -1), keepdim=True), (torch.randn(3, 2, 5, dtype=torch.complex64),)),
        (lambda x: x.sum(), (torch.randn(3, 2, dtype=torch.complex128),)),
        (lambda x: torch.cat([x[x > 0.5], x.sum(1)]), (torch.rand(3, 4),)),
        (lambda x: x.mean(torch.arange(1, x.dim()).tolist()), (torch.rand(3, 4, 2),)),
        (lambda x: x * torch.arange(3).add_(x).tolist()[1], (torch.tensor([3, 4, 5]),)),
        (lambda x: x.view(torch.int32), (torch.randn(3, 4),)),
        (lambda x: x.view(torch.uint8), (torch.randn(3, 4, dtype=torch.float64),)),
        (lambda x: (x * 2).view(torch.float32), (torch.randint(0, 2**29, (3, 4)),)),
        (lambda x: x.half().view(torch.int16), (torch.randn(3, 4),)),
        (lambda x: torch.stft(x, 16, 4, return_complex=True, window=torch.ones(16)), (torch.randn(2, 60),)),
        (lambda x: torch.stft(x, 16, center=False, return_complex=True, window=torch.ones(16)), (torch.randn(60),)),
        (lambda x: torch.istft(x, 16, window=torch.ones(16)), (torch.randn(2, 9, 14, dtype=torch.complex64),)),
        (lambda x: aten.stft.center(x, 16, return_complex=True), (torch.randn(2, 60),)),
    ],
)
def test_operators_give_what_pytorch_does(tmp_path, function, args):
    export(Calling(function), args, tmp_path / "net", via="torch")


def test_a_weight_tells_which_overload_is_meant(tmp_path):
    export(SmallestOf(), torch.rand(3, 4), tmp_path / "net", via="torch")


@pytest.mark.parametrize(("samples", "replacement"), [(1, False), (3, False), (200, True)])
def test_drawn_numbers_have_the_distribution(tmp_path, samples, replacement):
    weights = torch.tensor([[0.0, 1.0, 3.0, 2.0, 2.0], [4.0, 0.0, 1.0, 1.0, 2.0]])
    module = Calling(lambda x: torch.multinomial(x, samples, replacement))
    model = export(module, weights, tmp_path / "net", via="torch", check=False)
    rows = np.concatenate([model(weights) for _ in range(1 if replacement else 200)], axis=1)
    assert rows.shape == (2, 200 * (1 if replacement else samples))
    assert not (rows[0] == 0).any() and not (rows[1] == 1).any()
    if replacement or samples == 1:
        for row, expected in zip(rows, weights / weights.sum(-1, keepdim=True), strict=True):
            shares = np.bincount(row, minlength=5) / row.size
            assert np.abs(shares - expected.numpy()).max() < 0.15
    else:
        assert all(len(set(row[i : i + samples])) == samples for row in rows for i in range(0, row.size, samples))


def test_an_operator_of_the_user_is_traced(tmp_path):
    @torch.library.custom_op("kuiper_test::wave", mutates_args=())
    def wave(x: torch.Tensor, factor: float) -> torch.Tensor:
        return x.sin() * factor

    wave.register_fake(lambda x, factor: torch.empty_like(x))
    model = export(Calling(lambda x: wave(x, 2.0)), torch.rand(3), tmp_path / "net", via="torch")
    assert {"aten::sin", "aten::mul"} <= set(types_of(model))


def test_an_operator_that_nobody_has_is_named(tmp_path):
    library = torch.library.Library("kuiper_test", "FRAGMENT")
    library.define("unknown(Tensor x) -> Tensor")
    library.impl("unknown", lambda x: x.sin(), "CPU")
    torch.library.register_fake("kuiper_test::unknown", torch.empty_like, lib=library)

    @torch.library.custom_op("kuiper_test::reads_elements", mutates_args=())
    def reads_elements(x: torch.Tensor) -> torch.Tensor:
        return x * 2 if x.sum().item() > 0 else x - 1

    reads_elements.register_fake(torch.empty_like)
    for function, name in (
        (torch.ops.kuiper_test.unknown, r"kuiper_test\.unknown"),
        (reads_elements, r"kuiper_test\.reads_elements"),
    ):
        with pytest.raises(ExportError, match=f"not supported: {name}"):
            export(Calling(function), torch.rand(3), tmp_path / "net", via="torch")
    assert os.listdir(tmp_path) == []


def test_a_mixture_of_experts_of_transformers(tmp_path):
    transformers = pytest.importorskip("transformers", reason="needs transformers: pip install transformers")
    config = transformers.MixtralConfig(
        vocab_size=50,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        num_local_experts=4,
        use_cache=False,
    )
    module = transformers.MixtralForCausalLM(config)
    args = {"input_ids": torch.randint(0, 50, (2, 6))}
    model = export(module, args, tmp_path / "net", via="torch")
    assert "aten::_grouped_mm" in types_of(model)


def on_grid(x, scale, zero_point=3, low=-128, high=127, dtype=torch.int8):
    """The pair of operators that PT2E puts around each layer."""
    q = decomposed.quantize_per_tensor(x, scale, zero_point, low, high, dtype)
    return decomposed.dequantize_per_tensor(q, scale, zero_point, low, high, dtype)


def channels_on_grid(weight):
    """The integers of a weight and their scales, by channel."""
    scales = weight.abs().amax(tuple(range(1, weight.dim()))) / 127
    zeros = torch.zeros_like(scales, dtype=torch.int64)
    return decomposed.quantize_per_channel(weight, scales, zeros, 0, -127, 127, torch.int8), scales, zeros


class QuantizedConvolutions(torch.nn.Module):
    """What PT2E makes of two convolutions and a linear layer."""

    def __init__(self):
        super().__init__()
        for name, weight in (
            ("first", torch.randn(8, 3, 3, 3)),
            ("second", torch.randn(16, 8, 3, 3) / 4),
            ("head", torch.randn(5, 16)),
        ):
            for part, tensor in zip(("weight", "scales", "zeros"), channels_on_grid(weight), strict=True):
                self.register_buffer(f"{name}_{part}", tensor)
            self.register_buffer(f"{name}_bias", torch.randn(weight.shape[0]) / 8)

    def weight(self, name):
        parts = (getattr(self, f"{name}_{part}") for part in ("weight", "scales", "zeros"))
        return decomposed.dequantize_per_channel(*parts, 0, -127, 127, torch.int8)

    def forward(self, x):
        x = on_grid(x, 0.02)
        x = torch.nn.functional.conv2d(x, self.weight("first"), self.first_bias, padding=1).relu()
        x = on_grid(x, 0.1, -128)
        x = torch.nn.functional.conv2d(x, self.weight("second"), self.second_bias, stride=2).relu()
        x = on_grid(x, 0.4, -128)
        x = on_grid(x.mean((2, 3)), 0.1, -128)
        return on_grid(torch.nn.functional.linear(x, self.weight("head"), self.head_bias), 0.4, 0)


@pytest.mark.parametrize("via", ["torch", "pnnx"])
def test_a_module_that_was_exported_before(tmp_path, via):
    if via == "pnnx":
        pytest.importorskip("pnnx")
    x = torch.randn(2, 3, 12, 12)
    module = torch.export.export(modules.Convolutions().eval(), (x,)).module()
    model = export(module, x, tmp_path / "net", via=via)  # compares the model with PyTorch
    assert [each.shape for each in model.inputs] == [(2, 3, 12, 12)]


def test_a_module_that_torchao_quantized(tmp_path):
    pt2e = pytest.importorskip("torchao.quantization.pt2e.quantize_pt2e", reason="needs pip install torchao")
    from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86

    x = torch.randn(2, 3, 32, 32)
    quantizer = x86.X86InductorQuantizer().set_global(x86.get_default_x86_inductor_quantization_config())
    prepared = pt2e.prepare_pt2e(torch.export.export(modules.Convolutions().eval(), (x,)).module(), quantizer)
    prepared(x)
    module = pt2e.convert_pt2e(prepared)
    model = export(module, x, tmp_path / "net", via="torch")  # compares the model with PyTorch
    methods = [step.method for step in model.profile(x) if "conv" in step.type or "linear" in step.type]
    assert len(methods) == 3 and all("int8" in method for method in methods), methods


def test_a_quantized_graph_runs_on_the_integer_kernels(tmp_path):
    module = QuantizedConvolutions()
    x = torch.randn(2, 3, 12, 12)
    model = export(module, x, tmp_path / "net", via="torch", check=False)
    steps = np.abs(model(x) - module(x).numpy()) / 0.4
    assert steps.max() < 1.01
    methods = [step.method for step in model.profile(x) if "conv" in step.type or "linear" in step.type]
    assert len(methods) == 3 and all("int8" in method for method in methods), methods
