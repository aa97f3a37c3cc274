# SPDX-License-Identifier: MIT
"""Exports small modules by way of the converter; what comes out is compared with PyTorch by `export` itself."""

from __future__ import annotations

import functools
import os
import re
import types

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')
pytest.importorskip("pnnx", reason='needs the converter: pip install ".[export]"')

import modules  # noqa: E402
from conftest import ROOT  # noqa: E402
from kuiper_infer import (  # noqa: E402
    ErrorCode,
    KuiperError,
    Model,
    _export,  # noqa: E402
    register,
)
from kuiper_infer._compare import compare  # noqa: E402
from kuiper_infer._export import ExportError, ExportWarning  # noqa: E402
from kuiper_infer._pytorch import converter  # noqa: E402

export = functools.partial(_export.export, via="pnnx")


@pytest.fixture(autouse=True)
def seed_and_threads(monkeypatch):
    """One thread each for PyTorch, the converter and the library: for networks as small as these more only wait."""
    torch.manual_seed(20261123)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    yield
    torch.set_num_threads(threads)


def shapes(model: Model) -> list[tuple[int, ...] | None]:
    return [each.shape for each in model.inputs]


def test_two_files_and_nothing_else_are_written(tmp_path):
    module = modules.Convolutions().train()
    image = torch.rand(1, 3, 12, 12)
    model = export(module, image, tmp_path / "net")
    assert sorted(os.listdir(tmp_path)) == ["net.pnnx.bin", "net.pnnx.param"]
    assert model.param == str(tmp_path / "net.pnnx.param")
    assert module.training and module.norm.training and torch.backends.mha.get_fastpath_enabled()
    with torch.no_grad():
        np.testing.assert_allclose(model(image), module.eval()(image), rtol=1e-4, atol=1e-5)
    export(module, image, tmp_path / "code-of.pnnx.param", keep_code=True)
    assert "'code-of.pnnx.bin'" in (tmp_path / "code_of_pnnx.py").read_text()


def test_outputs_of_free_sizes_are_told_before_any_run(tmp_path):
    def inputs(batch, length):
        ids = torch.randint(0, 50, (batch, length))
        return ids, torch.ones_like(ids), torch.zeros_like(ids)

    module = modules.Encoder()
    model = export(module, inputs(1, 7), tmp_path / "net", args2=inputs(2, 9))
    described = [("pnnx_output_0.0", "float32", (-1, -1, 16)), ("pnnx_output_0.1", "float32", (-1, 16))]
    assert [tuple(each) for each in model.outputs] == described
    # A file without the converter's notes at operands gives equal outputs, because they are inferred from the inputs.
    text = (tmp_path / "net.pnnx.param").read_text()
    lines = [line if line.startswith("pnnx.Input") else re.sub(r" #\S+", "", line) for line in text.splitlines()]
    bare = Model("\n".join(lines).encode(), (tmp_path / "net.pnnx.bin").read_bytes())
    assert [tuple(each) for each in bare.outputs] == described
    given = inputs(3, 5)
    with torch.no_grad():
        expected = module.eval()(*given)
    for ours, theirs, info in zip(bare(*given), expected, bare.output_info([(3, 5)] * 3), strict=True):
        assert info.shape == ours.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def test_free_sizes(tmp_path):
    module = modules.Attending()
    args2 = torch.rand(3, 9, 16), torch.rand(3, 4)
    model = export(module, (torch.rand(2, 5, 16), torch.rand(2, 4)), tmp_path / "net", args2=args2)
    assert shapes(model) == [(-1, -1, 16), (-1, 4)]
    other = torch.rand(4, 7, 16), torch.rand(4, 4)
    with torch.no_grad():
        expected = module.eval()(*other)
    for ours, theirs in zip(model(*other), expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-4)


def test_a_batch_of_1_is_not_what_a_free_batch_is_traced_with(tmp_path):
    with pytest.warns(ExportWarning):
        model = export(modules.Expanding(), torch.rand(1, 6), tmp_path / "net", args2=torch.rand(3, 9))
    assert shapes(model) == [(-1, -1)]
    x = torch.rand(5, 4)
    np.testing.assert_allclose(model(x), x + torch.arange(4), rtol=1e-6)


def test_slices_that_the_converter_loses_are_found(tmp_path):
    with pytest.raises(ExportError, match=r"(?s)float32\(2, 6\), PyTorch's is float32\(2, 5\).*x\.narrow\(1, 1"):
        export(modules.Shifting(), torch.rand(2, 6), tmp_path / "net", args2=torch.rand(3, 9))
    model = export(modules.Shifting(), torch.rand(2, 6), tmp_path / "net", args2=torch.rand(3, 6))
    np.testing.assert_array_equal(model(torch.ones(4, 6)), np.ones((4, 5), np.float32))


def test_sizes_that_python_computes_with_are_found_in_the_trace(tmp_path):
    message = (
        r"traced with args cannot be run on args2(.|\n)*modules\.py\(\d+\): forward\n.*shape '\[2, 6\]' is invalid"
    )
    with pytest.warns(ExportWarning), pytest.raises(ExportError, match=message):
        export(modules.FixedSize(), torch.rand(2, 2, 3), tmp_path / "net", args2=torch.rand(3, 2, 3))


def test_arguments_that_are_no_tensors_are_fixed_and_nested_ones_taken_apart(tmp_path):
    pair = [torch.rand(2, 3), torch.rand(2, 3)]
    model = export(modules.Nested(), (pair, 3), tmp_path / "net")
    for ours, theirs in zip(model(*pair), (pair[0] * 3 + pair[1], pair[1]), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    keywords = {"pair": pair, "factor": 3, "scale": torch.rand(1)}
    assert shapes(export(modules.Nested(), keywords, tmp_path / "net")) == [(2, 3), (2, 3), (1,)]


def test_boolean_scalar_and_index_inputs(tmp_path):
    args = torch.rand(2, 3), torch.rand(2, 3) > 0.5, torch.tensor(2.0), torch.tensor([[1, 99], [98, 0]])
    args2 = torch.rand(4, 3), torch.rand(4, 3) > 0.5, torch.tensor(3.0), torch.tensor([[99, 98, 97]] * 4)
    model = export(modules.Choosing(), args, tmp_path / "net", args2=args2)
    assert [each.dtype for each in model.inputs] == ["float32", "bool", "float32", "int64"]
    assert shapes(model) == [(-1, 3), (-1, 3), (), (-1, -1)]


@pytest.mark.parametrize("wrap", [False, True])
def test_recurrent_layers_bare_and_inside_of_a_module(tmp_path, wrap):
    layer = torch.nn.LSTM(8, 6, batch_first=True)
    module = torch.nn.Sequential(layer) if wrap else layer
    model = export(module, torch.rand(2, 3, 8), tmp_path / "net", args2=torch.rand(3, 5, 8))
    assert [each.shape for each in model.run([torch.rand(4, 7, 8)])] == [(4, 7, 6), (1, 4, 6), (1, 4, 6)]


def test_layers_of_transformers_are_exported_without_their_fast_path(tmp_path):
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    module = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    export(module, torch.rand(2, 3, 16), tmp_path / "net", args2=torch.rand(3, 5, 16))


def test_half_weights_inside_of_forward(tmp_path):
    export(modules.HalfInside(), torch.rand(2, 8), tmp_path / "net", rtol=5e-3)


def test_weights_of_type_float64(tmp_path):
    module = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Tanh()).double()
    model = export(module, torch.rand(2, 4).double(), tmp_path / "net", rtol=1e-9)
    assert model.run([torch.rand(2, 4).double()])[0].dtype == np.float64


def test_modules_kept_whole_need_a_registered_operator(tmp_path):
    module, x = modules.WithParts(), torch.rand(2, 8)
    kept = [modules.FirstPart, "modules.SecondPart"]
    with pytest.raises(ExportError, match="not supported") as caught:
        export(module, x, tmp_path / "net", moduleop=kept)
    assert caught.value.code == ErrorCode.UNSUPPORTED
    assert "modules.FirstPart" in str(caught.value) and "modules.SecondPart" in str(caught.value)
    assert os.listdir(tmp_path) == []

    @register("modules.FirstPart")
    def first(x, *, factor):
        return np.tanh(x) * factor

    @register("modules.SecondPart")
    def second(x, *, offset):
        return np.cbrt(x) + offset

    assert export(module, x, tmp_path / "net", moduleop=kept).info().operators["modules.FirstPart"] == 1

    @register("modules.SecondPart")
    def wrong(x, *, offset):
        return np.cbrt(x) - offset

    with pytest.raises(ExportError, match="departs"):
        export(module, x, tmp_path / "net", moduleop=kept)


def test_branches_over_data_warn_and_fail_where_args2_takes_the_other_one(tmp_path):
    positive, negative = torch.rand(2, 3), -torch.rand(4, 3)
    with pytest.warns(ExportWarning, match=r"modules\.py:\d+: Converting a tensor to a Python boolean"):
        export(modules.Branching(), positive, tmp_path / "net")
    with pytest.warns(ExportWarning), pytest.raises(ExportError, match="the file holds another network") as caught:
        export(modules.Branching(), positive, tmp_path / "other", args2=negative)
    assert "for args2" in str(caught.value) and not caught.value.comparison.equal
    assert not (tmp_path / "other.pnnx.param").exists()
    with pytest.warns(ExportWarning):
        export(modules.Branching(), positive, tmp_path / "other", args2=negative, check=False)
    assert (tmp_path / "other.pnnx.param").exists()


def test_scripted_modules_keep_their_branches(tmp_path):
    with pytest.raises(ExportError, match=r"(?s)prim::If.*trace it instead of scripting it"):
        export(torch.jit.script(modules.Branching()), torch.rand(2, 3), tmp_path / "net")


def test_failures_of_the_converter_have_its_reason(tmp_path):
    module = torch.nn.Sequential(torch.nn.Linear(8, 4)).half()
    with pytest.raises(ExportError, match=r"(?s)Half and Float.*export module\.float\(\)") as caught:
        export(module, torch.rand(2, 8).half(), tmp_path / "net")
    assert caught.value.code == ErrorCode.UNSUPPORTED and "pass_level0" in caught.value.log
    assert os.listdir(tmp_path) == []


class OwnFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


class CallsOwnFunction(torch.nn.Module):
    def forward(self, x):
        return OwnFunction.apply(x)


def test_a_function_that_no_trace_can_hold(tmp_path):
    with pytest.raises(ExportError, match="cannot write the trace into a file: .* Python function call 'OwnFunction'"):
        export(CallsOwnFunction(), torch.rand(2), tmp_path / "net")
    assert os.listdir(tmp_path) == []


def test_the_first_departing_operator_is_named(tmp_path, monkeypatch):
    """The slope of an activation is changed in the file, behind the converter's back."""
    convert = converter.convert

    def convert_badly(traced, calls, folder, kept):
        log = convert(traced, calls, folder, kept)
        param = folder / "model.pnnx.param"
        text = param.read_text()
        changed = re.sub(r"negative_slope=\S+", "negative_slope=0.3", text)
        assert changed != text
        param.write_text(changed)
        return log

    monkeypatch.setattr(converter, "convert", convert_badly)
    with pytest.raises(ExportError) as caught:
        export(modules.Convolutions(), torch.rand(1, 3, 12, 12), tmp_path / "net")
    departure = caught.value.comparison.departure
    assert (departure.type, departure.operator) == ("nn.LeakyReLU", "leaky")
    assert departure.line == f"v_{departure.operand} = self.leaky(v_{int(departure.operand) - 1})"
    assert f"first departing operator: {departure.type}" in str(caught.value)
    assert departure.difference.deviations > 1e-3


@pytest.mark.parametrize(
    ("args", "args2", "message"),
    [
        ((torch.rand(2, 3), 3), (torch.rand(4, 3), 4), "args2 holds 4 where args holds 3"),
        (torch.rand(2, 3), torch.rand(2, 3), "has the shapes of args"),
        (torch.rand(2, 3), torch.rand(2, 3, 1), r"tensor 0 of args2 is float32\(2, 3, 1\)"),
        (torch.rand(2, 3), torch.rand(3, 3).double(), r"is float64\(3, 3\), expected .* float32\(2, 3\)"),
        (torch.rand(2, 3), (torch.rand(3, 3), torch.rand(3, 3)), "other arguments than args"),
        (3, None, "args holds no tensor"),
        (torch.rand(2, 3).bfloat16(), None, "tensor 0 of args is torch.bfloat16"),
        (torch.empty(2, 3, device="meta"), None, "is on meta, expected on cpu"),
    ],
)
def test_arguments_are_checked(tmp_path, args, args2, message):
    with pytest.raises(ValueError, match=message):
        export(modules.Branching(), args, tmp_path / "net", args2=args2)


def test_the_page(tmp_path, monkeypatch):
    """Runs the examples of docs/exporting.md in order."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/exporting.md").read_text(), re.S | re.M)
    package = types.SimpleNamespace(export=_export.export, compare=compare)
    names = {"kuiper_infer": package, "torch": torch, "net": modules.Scaling(), "named": modules.Scaling()}
    names |= {"x": torch.rand(2, 6, 16), "swin": modules.MeansOfWindows()}
    for block in blocks:
        exec(block, names)
    assert {"net.pnnx.param", "net_pnnx.py", "named.pnnx.bin"} <= set(os.listdir(tmp_path))
    assert shapes(Model("net.pnnx.param")) == [(-1, -1, 16)]
    exported = names["Exported"](modules.Logits())
    export(exported, (torch.rand(1, 4), torch.ones(1, 4, dtype=torch.uint8)), "wrapped")


def test_other_objects_than_modules_tensors_and_folders(tmp_path):
    x = torch.rand(2, 3)
    with pytest.raises(TypeError, match="expected a torch.nn.Module"):
        export(torch.relu, x, tmp_path / "net")
    with pytest.raises(TypeError, match=r"returns a builtins\.int, expected tensors"):
        export(modules.Counting(), x, tmp_path / "net")
    with pytest.raises(FileNotFoundError, match="absent: no such folder"):
        export(torch.nn.ReLU(), x, tmp_path / "absent" / "net")
    assert issubclass(ExportError, KuiperError)
