# SPDX-License-Identifier: MIT
"""Exports modules by way of torch.export. `export` compares each model with PyTorch itself, on several sizes."""

from __future__ import annotations

import collections
import dataclasses
import json
import os
import re
import sys
import zipfile

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')

import modules  # noqa: E402
from conftest import ROOT  # noqa: E402
from kuiper_infer import ErrorCode, ExportError, ExportWarning, KuiperError, Model, State, convert, export  # noqa: E402
from kuiper_infer.__main__ import main  # noqa: E402

sys.path.insert(0, str(ROOT / "tools"))
from export_exam import hand_written  # noqa: E402
from torch.utils import _pytree as pytree  # noqa: E402

AUTO = torch.export.Dim.AUTO


@pytest.fixture(autouse=True)
def seed(monkeypatch):
    torch.manual_seed(20261126)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def lines_of(model: Model) -> list[list[str]]:
    with open(model.param) as file:
        return [line.split() for line in file.read().splitlines()[2:]]


def types_of(model: Model) -> list[str]:
    return [line[0] for line in lines_of(model)]


@pytest.mark.filterwarnings("ignore::kuiper_infer.ExportWarning")
@pytest.mark.parametrize("name", sorted(name for name, _ in hand_written.modules()))
def test_what_the_converter_loses_is_kept(tmp_path, name):
    module, args = dict(hand_written.modules())[name]()
    export(module, args, tmp_path / "net", via="torch")
    assert sorted(os.listdir(tmp_path)) == ["net.pnnx.bin", "net.pnnx.param"]


def test_operators_and_operands_have_the_names_of_the_code(tmp_path):
    model = export(modules.Convolutions().train(), torch.rand(1, 3, 12, 12), tmp_path / "net", via="torch")
    names = {line[0]: line[1] for line in lines_of(model)}
    assert names["aten::leaky_relu"] == "leaky" and names["aten::linear"] == "head" and names["pnnx.Input"] == "x"
    assert [each.name for each in model.outputs] == ["output"]


def test_a_batch_normalisation_is_folded_into_the_convolution(tmp_path):
    module = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, bias=False), torch.nn.BatchNorm2d(8)).eval()
    module[1].running_mean.uniform_(-1, 1)
    module[1].running_var.uniform_(0.5, 2)
    model = export(module, torch.rand(2, 3, 9, 9), tmp_path / "net", via="torch")
    assert types_of(model) == ["pnnx.Input", "aten::conv2d", "pnnx.Output"]


class Residual(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, x):
        first = torch.relu_(self.layer(x))
        second = self.layer(first) * 2
        kept = second.sum(1)
        second += first
        second = torch.nn.functional.silu(second, inplace=True)
        return torch.nn.functional.dropout(second, 0.5, self.training, inplace=True), first, kept


def test_writes_into_new_arrays_need_no_second_trace(tmp_path, monkeypatch):
    monkeypatch.delattr(torch.export.ExportedProgram, "run_decompositions")
    model = export(Residual(), torch.rand(1, 3, 6, 6), tmp_path / "net", via="torch")
    assert types_of(model).count("aten::relu") == 1 and "aten::silu" in types_of(model)


def write_under_a_view(x):
    y = x + 1
    z = y.view(-1)
    y.mul_(2)
    return z


LOSES_WRITES = tuple(map(int, torch.__version__.split(".")[:2])) < (2, 14)


def write_through_what_returns_its_argument(x):
    y = x + 1
    torch.dropout(y, 0.5, False).mul_(2)
    return y


def write_of_another_type(x):
    y = x + 1
    y.add_(torch.ones(4, dtype=torch.float64))
    return y


def write_into_an_argument(x):
    x.mul_(2)
    return x + 1


@pytest.mark.filterwarnings("ignore::kuiper_infer.ExportWarning")
@pytest.mark.parametrize(
    "function",
    [
        write_under_a_view,
        pytest.param(
            write_through_what_returns_its_argument,
            marks=pytest.mark.skipif(LOSES_WRITES, reason="PyTorch 2.13's own graph loses this write"),
        ),
        write_of_another_type,
        write_into_an_argument,
    ],
)
def test_writes_that_other_arrays_show(tmp_path, function):
    class Writes(torch.nn.Module):
        def forward(self, x):
            return function(x)

    export(Writes(), torch.rand(3, 4), tmp_path / "net", via="torch")


def test_a_shuffle_of_channels_is_one_operator(tmp_path):
    class Shuffle(torch.nn.Module):
        def forward(self, x):
            n, c, h, w = x.shape
            return x.view(n, 2, c // 2, h, w).transpose(1, 2).contiguous().view(n, c, h, w)

    model = export(Shuffle(), torch.rand(1, 6, 4, 5), tmp_path / "net", via="torch")
    assert types_of(model) == ["pnnx.Input", "aten::channel_shuffle", "pnnx.Output"]


def test_a_shared_weight_is_stored_once(tmp_path):
    class Tied(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = torch.nn.Embedding(50, 16)
            self.head = torch.nn.Linear(16, 50, bias=False)
            self.head.weight = self.embedding.weight

        def forward(self, ids):
            return self.head(self.embedding(ids))

    model = export(Tied(), torch.randint(0, 50, (2, 5)), tmp_path / "net", via="torch")
    with zipfile.ZipFile(model.bin) as archive:
        assert [entry.file_size for entry in archive.infolist()] == [50 * 16 * 4]


def test_files_are_the_same_each_time(tmp_path):
    contents = []
    for name in ("a", "b"):
        torch.manual_seed(1)
        export(modules.Convolutions(), torch.ones(1, 3, 12, 12), tmp_path / name, via="torch")
        contents.append([(tmp_path / f"{name}.pnnx.{end}").read_bytes() for end in ("param", "bin")])
    assert contents[0] == contents[1]


def test_free_sizes_by_a_second_set_of_arguments(tmp_path):
    args2 = torch.rand(3, 9, 16), torch.rand(3, 4)
    model = export(
        modules.Attending(), (torch.rand(2, 5, 16), torch.rand(2, 4)), tmp_path / "n", args2=args2, via="torch"
    )
    assert [each.shape for each in model.inputs] == [(-1, -1, 16), (-1, 4)]
    assert [each.name for each in model.inputs] == ["x", "condition"]
    other = torch.rand(1, 1, 16), torch.rand(1, 4)
    assert model(*other)[0].shape == (1, 1, 16)


def test_free_sizes_as_torch_export_takes_them(tmp_path):
    batch = torch.export.Dim("batch", min=1, max=8)
    shapes = {"x": {0: batch, 1: AUTO}, "condition": {0: batch}}
    args = torch.rand(2, 5, 16), torch.rand(2, 4)
    model = export(modules.Attending(), args, tmp_path / "net", via="torch", dynamic_shapes=shapes)
    first = " ".join(lines_of(model)[0])
    assert "min=(1,1,16)" in first and "max=(8,2147483647,16)" in first and "extents=(" in first
    with pytest.raises(KuiperError, match="input .x. has 9 elements along axis 0, .* 1 to 8"):
        model(torch.rand(9, 5, 16), torch.rand(9, 4))
    with pytest.raises(KuiperError, match="input .condition. has 3 elements along axis 0, .*input .x. has, 2"):
        model(torch.rand(2, 5, 16), torch.rand(3, 4))


class Halves(torch.nn.Module):
    """Joins pairs of columns, as code for an even number of them does."""

    def forward(self, x, pair):
        rows, columns = x.shape
        return x.reshape(rows, columns // 2, 2).mean(2) + pair["y"][:, ::3], pair["z"] + 1


def test_free_multiples(tmp_path):
    Dim = torch.export.Dim
    count = Dim("count", min=1, max=20)
    shapes = {"x": {0: Dim("rows"), 1: 2 * count}, "pair": {"y": (None, 3 * count), "z": (count + 1,)}}
    args = torch.rand(2, 6), {"y": torch.rand(1, 9), "z": torch.rand(4)}
    model = export(Halves(), args, tmp_path / "net", via="torch", dynamic_shapes=shapes)
    for rows, n in ((1, 1), (5, 20)):
        x, y, z = torch.rand(rows, 2 * n), torch.rand(1, 3 * n), torch.rand(n + 1)
        expected, _ = Halves()(x, {"y": y, "z": z})
        np.testing.assert_allclose(model.run([x, y, z])[0], expected, rtol=1e-5)
    with pytest.raises(KuiperError, match="input .x. has 42 elements along axis 1, .* 2 to 40"):
        model.run([torch.rand(2, 42), torch.rand(1, 63), torch.rand(22)])
    with pytest.raises(KuiperError, match=r"sizes with pair\.y\.shape\[1\] == \(3\*\(x\.shape\[1\] // 2\)\)"):
        model.run([torch.rand(2, 6), torch.rand(1, 12), torch.rand(4)])


@pytest.mark.parametrize("offset", [0, 2])
def test_an_extent_that_is_no_multiple_is_refused(tmp_path, offset):
    class Net(torch.nn.Module):
        def forward(self, x):
            return x.unfold(0, 2, 2).sum(1)

    dim = 4 * torch.export.Dim("n", min=1)
    dim = dim + offset if offset else dim
    model = export(Net(), torch.rand(20 + offset), tmp_path / "net", dynamic_shapes={"x": {0: dim}})
    assert model(torch.rand(8 + offset)).shape == (4 + offset // 2,)
    text = r"\(x\.shape\[0\] - 2\)" if offset else r"x\.shape\[0\]"
    with pytest.raises(KuiperError, match=f"sizes with {text} a multiple of 4"):
        model(torch.rand(10 + offset))


class OtherForOne(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) + (1 if x.shape[0] == 1 else 0)


def test_sizes_of_one_for_which_the_code_does_something_else(tmp_path):
    Dim = torch.export.Dim
    for dim in (Dim.AUTO, Dim("rows")):
        model = export(OtherForOne(), torch.rand(3, 4), tmp_path / "net", via="torch", dynamic_shapes={"x": {0: dim}})
        with pytest.raises(KuiperError, match="input .x. has 1 elements along axis 0, .* at least 2"):
            model(torch.rand(1, 4))
    with pytest.raises(ExportError, match="departs from PyTorch's results for .* of sizes of 1"):
        shapes = {"x": {0: Dim("rows", min=1)}}
        export(OtherForOne(), torch.rand(3, 4), tmp_path / "one", via="torch", dynamic_shapes=shapes)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_recurrent_layers_keep_a_free_length(tmp_path, kind):
    module = hand_written.Recurrent(kind, num_layers=2, bidirectional=True)
    model = export(module, torch.rand(2, 5, 8), tmp_path / "net", args2=torch.rand(3, 7, 8), via="torch")
    assert "layer.weight_ih_l0" in [line[1] for line in lines_of(model)]
    x = torch.rand(4, 1, 8)
    with torch.no_grad():
        np.testing.assert_allclose(model.run([x])[0], module(x)[0], rtol=1e-3, atol=1e-5)


def test_a_size_that_several_operators_read(tmp_path):
    class Ranges(torch.nn.Module):
        def forward(self, x):
            length = x.shape[1]
            return x + torch.arange(length), torch.arange(length + 1), x.new_zeros(length)

    model = export(Ranges(), torch.rand(2, 5), tmp_path / "net", args2=torch.rand(3, 7), via="torch")
    assert [each.shape for each in model.run([torch.rand(1, 4)])] == [(1, 4), (5,), (4,)]


def test_every_extent_that_the_code_does_not_fix_is_free(tmp_path):
    with pytest.warns(ExportWarning, match=r"x \(s\d+, s\d+, 16\)"):
        model = export(modules.Attending(), (torch.rand(2, 5, 16), torch.rand(2, 4)), tmp_path / "net", dynamic="auto")
    assert model.inputs[0].shape == (-1, -1, 16)


class FixesExtents(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.position = torch.nn.Parameter(torch.rand(1, 8, 4))
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 4))

    def forward(self, x, pair, z):
        x = x + self.position  # fixes axis 1
        y = pair["y"][:, : pair["w"].shape[0]] if pair["y"].shape[0] == 3 else pair["w"]
        return self.layers(x), y, z + 1, pair["w"] * torch.ones(5)


def test_extents_that_stay_fixed_are_named_with_the_line(tmp_path):
    args = torch.rand(2, 8, 4), {"y": torch.rand(3, 6), "w": torch.rand(5)}, torch.rand(1, 5)
    with pytest.warns(ExportWarning, match="stays") as caught:
        export(FixesExtents(), args, tmp_path / "net", dynamic="auto", input_names=["a", "b", "c", "d"])
    first, *lines = str(caught[0].message).splitlines()
    assert re.search(r"a \(s\d+, 8, 4\); b \(3, s\d+\)", first)
    for line, expected in zip(
        lines,
        [
            r"axis 1 of a stays 8, .*test_export_by_torch\.py:\d+: x = x \+ self\.position",
            r"axis 2 of a stays 4, .*: x = x \+ self\.position",
            r"axis 0 of b stays 3, .*: y = pair\[.y.\]",
            r"axis 0 of c stays 5, .*: return self.layers",
            r"axis 0 of d stays 1, 1 in the example",
        ],
        strict=True,
    ):
        assert re.search(expected, line), lines
    module = torch.nn.Sequential(torch.nn.Linear(4, 4))
    with pytest.warns(ExportWarning, match=r"axis 1 of input stays 4, .*torch/nn/modules/linear\.py:\d+: return"):
        export(module, torch.rand(2, 4), tmp_path / "net", dynamic="auto")


def test_an_extent_that_the_code_fixes_is_named(tmp_path):
    args, args2 = torch.rand(2, 2, 3), torch.rand(3, 2, 3)
    with pytest.raises(ExportError, match="fixes axis 0 of x at 2"):
        export(modules.FixedSize(), args, tmp_path / "net", args2=args2, via="torch")
    assert os.listdir(tmp_path) == []


def test_names_of_nested_arguments_and_results(tmp_path):
    class Nested(torch.nn.Module):
        def forward(self, pair, scale, **rest):
            return {"sum": pair[0] + pair[1]["b"] * scale, "parts": (pair[0] * rest["last"], pair[0])}

    pair = (torch.rand(2), {"b": torch.rand(2)})
    args = {"pair": pair, "scale": 3.0, "last": torch.rand(2)}
    model = export(Nested(), args, tmp_path / "net", via="torch")
    assert [each.name for each in model.inputs] == ["pair.0", "pair.1.b", "last"]
    assert [each.name for each in model.outputs] == ["sum", "parts.0", "parts.1"]
    named = {"input_names": ["a", "b", "c"], "output_names": ["x", "y", "z"]}
    model = export(Nested(), args, tmp_path / "net", via="torch", **named)
    assert [each.name for each in (*model.inputs, *model.outputs)] == ["a", "b", "c", "x", "y", "z"]
    for wrong in (["a", "b"], ["a", "a", "c"], ["a", "b c", "d"]):
        with pytest.raises(ValueError, match="input_names"):
            export(Nested(), args, tmp_path / "net", via="torch", input_names=wrong)


@dataclasses.dataclass
class Box:
    corner: torch.Tensor
    sizes: list[tuple[torch.Tensor, torch.Tensor]]


class Moving(torch.nn.Module):
    def forward(self, box, by):
        sizes = [(width + by["x"], height + by["y"]) for width, height in box.sizes]
        return Box(box.corner * 2, sizes), {"first": (sizes[0][0] * 3,)}


def test_dataclasses_of_pairs_are_taken_apart(tmp_path):
    def args(count):
        sizes = [(torch.rand(count), torch.rand(count)) for _ in range(2)]
        return Box(torch.rand(count, 2), sizes), {"x": torch.rand(1), "y": torch.rand(1)}

    model = export(Moving(), args(3), tmp_path / "net", args2=args(4), via="torch")
    parts = ["corner", "sizes.0.0", "sizes.0.1", "sizes.1.0", "sizes.1.1"]
    assert [each.name for each in model.inputs] == [*(f"box.{part}" for part in parts), "by.x", "by.y"]
    assert [each.name for each in model.outputs] == [*(f"output_0.{part}" for part in parts), "output_1.first.0"]
    assert [each.shape for each in model.inputs][:2] == [(-1, 2), (-1,)]


class Result(collections.OrderedDict):
    """A class of results as diffusers has them: registered for being taken apart, without names of its parts."""


class WithResult(torch.nn.Module):
    def forward(self, x):
        return Result(sample=x * 2, more=[x + 1])


def test_results_whose_class_has_no_names_for_its_parts(tmp_path):
    pytree.register_pytree_node(
        Result,
        lambda value: (list(value.values()), list(value)),
        lambda parts, names: Result(zip(names, parts, strict=True)),
        serialized_type_name="test_export_by_torch.Result",
    )
    model = export(WithResult(), torch.rand(3), tmp_path / "net", via="torch")
    assert [each.name for each in model.outputs] == ["sample", "more.0"]


def test_a_cache_of_transformers_is_inputs_and_outputs(tmp_path):
    transformers = pytest.importorskip("transformers", reason="needs transformers: pip install transformers")
    config = transformers.LlamaConfig(
        vocab_size=50,
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
    )
    module = transformers.LlamaForCausalLM(config)

    def args(batch, known, length):
        cache = transformers.DynamicCache(config=config)
        for layer in range(2):
            cache.update(torch.rand(batch, 2, known, 8), torch.rand(batch, 2, known, 8), layer)
        return {"input_ids": torch.randint(0, 50, (batch, length)), "past_key_values": cache}

    model = export(module, args(2, 5, 3), tmp_path / "net", args2=args(3, 7, 4), via="torch")
    parts = [f"{part}_cache.{layer}" for part in ("key", "value") for layer in range(2)]
    assert [(each.name, each.shape) for each in model.inputs] == [("input_ids", (-1, -1))]
    assert [each.name for each in model.outputs] == ["logits"]
    assert [each.name for each in model.states] == [f"past_key_values.{part}" for part in parts]
    assert [each.output.partition(".")[2] for each in model.states] == parts
    assert {(each.shape, each.axis) for each in model.states} == {((-1, 2, -1, 8), 2)}
    session = model.session()
    for state in model.states:  # the export had caches of some tokens, so an empty one may be another case
        session.set_state(state.name, torch.rand(1, 2, 4, 8))
    for length in (2, 1):
        session.run([torch.zeros(1, length, dtype=torch.int64)])
    assert session.length == 7


def test_a_buffer_that_forward_changes_is_a_state(tmp_path):
    module = hand_written.Cache()
    model = export(module, (torch.rand(1, 1, 4), torch.tensor([3])), tmp_path / "net", via="torch")
    assert [each.name for each in model.inputs] == ["x", "position"]
    assert [each.name for each in model.outputs] == ["output"]
    assert model.states == (("keys", "keys.out", "float32", (1, 8, 4), None, None, None, "float32"),)
    assert not module.keys.any()
    session = model.session()
    with torch.no_grad():
        for step in range(3):
            x = torch.rand(1, 1, 4)
            (result,) = session.run([x, torch.tensor([step])])
            np.testing.assert_allclose(result, module(x, torch.tensor([step])), rtol=1e-5)


class ComparesValues(torch.nn.Module):
    def forward(self, x):
        return x * 2 if (x.sum() > 0).item() else x - 1


def test_what_pytorch_refuses_is_said_with_the_line(tmp_path, capfd):
    with pytest.raises(
        ExportError, match=r"torch.export cannot take ComparesValues.*test_export_by_torch\.py:\d+"
    ) as caught:
        export(ComparesValues(), torch.rand(3), tmp_path / "net", via="torch")
    assert caught.value.code == ErrorCode.UNSUPPORTED
    assert os.listdir(tmp_path) == []
    assert capfd.readouterr().err == ""


def test_the_converter_takes_over_and_that_is_said(tmp_path):
    pytest.importorskip("pnnx", reason='needs the converter: pip install ".[export]"')
    with pytest.warns(ExportWarning) as caught:
        export(ComparesValues(), torch.rand(3), tmp_path / "net")
    assert any("exported by the converter" in str(each.message) for each in caught)
    assert any("depends" in str(each.message) or "fixed" in str(each.message) for each in caught)


def test_a_departure_names_the_operator_and_leaves_nothing(tmp_path, monkeypatch):
    from kuiper_infer._pytorch.torch_export import translation

    original = translation.arguments_of

    def changed(node):
        arguments = original(node)
        return arguments | {"negative_slope": 0.5} if "leaky_relu" in node.name else arguments

    monkeypatch.setattr(translation, "arguments_of", changed)
    with pytest.raises(ExportError, match=r"(?s)first departing operator: aten::leaky_relu 'leaky'") as caught:
        export(modules.Convolutions(), torch.rand(1, 3, 12, 12) - 0.5, tmp_path / "net", via="torch")
    assert caught.value.comparison is not None and os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"via": "onnx"}, "via is 'onnx'"),
        ({"dynamic": True}, "dynamic is True"),
        ({"via": "torch", "keep_code": True}, "need the converter"),
        ({"dynamic": "auto", "dynamic_shapes": {}}, "expected one of them"),
    ],
)
def test_wrong_options(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        export(torch.nn.ReLU(), torch.rand(3), tmp_path / "net", **options)


@pytest.fixture
def saved(tmp_path):
    module = modules.Attending().eval()
    args = torch.rand(2, 5, 16), torch.rand(2, 4)
    shapes = {"x": {0: AUTO, 1: AUTO}, "condition": {0: AUTO}}
    path = tmp_path / "net.pt2"
    torch.export.save(torch.export.export(module, args, dynamic_shapes=shapes), path)
    return module, path


def test_saved_programs_are_converted(saved, tmp_path, capsys):
    module, path = saved
    model = convert(path)
    assert model.param == str(tmp_path / "net.pnnx.param")
    assert [each.name for each in model.inputs] == ["x", "condition"]
    x, condition = torch.rand(3, 4, 16), torch.rand(3, 4)
    with torch.no_grad():
        for ours, theirs in zip(model(x, condition), module(x, condition), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-5)
    sys.argv = ["kuiper", "convert", str(path), "--output", str(tmp_path / "other")]
    assert main() == 0 and "other.pnnx.param" in capsys.readouterr().out
    assert (tmp_path / "other.pnnx.bin").exists()


def test_a_file_of_a_newer_schema(saved, tmp_path):
    _, path = saved
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(tmp_path / "newer.pt2", "w") as newer:
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith("models/model.json"):
                program = json.loads(content)
                program["schema_version"]["major"] += 1
                content = json.dumps(program)
            newer.writestr(name, content)
    with pytest.raises(ExportError, match=r"newer.pt2: PyTorch .* cannot load it: .*schema version") as caught:
        convert(tmp_path / "newer.pt2")
    assert caught.value.code == ErrorCode.FILE and not list(tmp_path.glob("*.pnnx.*"))


def test_files_that_are_no_saved_programs(saved, tmp_path, capsys):
    _, path = saved
    content = path.read_bytes()
    wrong = {"cut.pt2": content[: len(content) // 2], "text.pt2": b"no archive", "empty.pt2": b""}
    for name, data in wrong.items():
        (tmp_path / name).write_bytes(data)
    with zipfile.ZipFile(tmp_path / "foreign.pt2", "w") as archive:
        archive.writestr("something", "else")
    for name in (*wrong, "foreign.pt2"):
        with pytest.raises(ExportError, match=name) as caught:
            convert(tmp_path / name)
        assert caught.value.code == ErrorCode.FILE
    with pytest.raises(FileNotFoundError, match="absent"):
        convert(tmp_path / "absent.pt2")
    sys.argv = ["kuiper", "convert", str(tmp_path / "text.pt2")]
    assert main() == 1 and capsys.readouterr().err.startswith("error: ")
    assert not list(tmp_path.glob("*.pnnx.*"))


class Recurrence(torch.nn.Module):
    """`n` can be the next `h`; the other outputs differ from it in one property each."""

    def forward(self, x, h):
        n = torch.tanh(x + h)
        return {"y": n * 2, "n": n, "integers": n.int(), "row": n[0], "wide": torch.cat([n, n], 1)}


def test_an_output_can_be_the_next_value_of_an_input(tmp_path):
    model = export(Recurrence(), (torch.rand(2, 4), torch.rand(2, 4)), tmp_path / "net", states={"n": "h"})
    assert [line[1] for line in lines_of(model) if "state=1" in line] == ["h"]
    assert [each.name for each in model.inputs] == ["x"] and [each.name for each in model.states] == ["h"]
    session, h = model.session(), torch.zeros(2, 4)
    for _ in range(3):
        x = torch.rand(2, 4)
        h = torch.tanh(x + h)
        np.testing.assert_allclose(session.run([x])[0], h * 2, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "states, fault",
    [
        ({"absent": "h"}, "no output of that name: y, n, integers, row, wide"),
        ({"n": State("h", window=4)}, r"a window needs an output that is the input with new elements"),
        ({"n": State("h", window=0)}, "the window of state 'h' is 0, expected 1 or more"),
        ({"n": "absent"}, "no input of that name: x, h"),
        ({"n": "h", "y": "h"}, "the output 'n' has that input already"),
        ({"integers": "h"}, r"the output is \(2,4\)i32 and the input \(2,4\)f32"),
        ({"row": "h"}, r"the output is \(4\)f32 and the input \(2,4\)f32"),
        ({"wide": "h"}, "differ along axis 1, expected the same extent or a free one"),
    ],
)
def test_pairs_that_are_no_state_are_refused(tmp_path, states, fault):
    with pytest.raises(ValueError, match=fault):
        export(Recurrence(), (torch.rand(2, 4), torch.rand(2, 4)), tmp_path / "net", states=states)
    assert not os.listdir(tmp_path)


def test_states_need_torch_export(tmp_path):
    with pytest.raises(ExportError, match="takes no names and states"):
        export(Recurrence(), (torch.rand(2, 4), torch.rand(2, 4)), tmp_path / "net", via="pnnx", states={"n": "h"})


@pytest.mark.filterwarnings("ignore::kuiper_infer.ExportWarning")
def test_a_changed_buffer_is_a_state_with_its_first_value(tmp_path):
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("sums", torch.arange(12.0).reshape(3, 4))

        def forward(self, x):
            self.sums.add_(x)
            return self.sums.mean()

    model = export(Counter(), torch.rand(3, 4), tmp_path / "net", via="torch")
    line = next(line for line in lines_of(model) if line[1] == "sums")
    assert "state=1" in line and "@initial=(3,4)f32" in line
    with zipfile.ZipFile(tmp_path / "net.pnnx.bin") as archive:
        assert np.frombuffer(archive.read("sums.initial"), np.float32).tolist() == list(range(12))
    assert not model.info().warnings
    session, sums = model.session(), np.arange(12, dtype=np.float32).reshape(3, 4)
    for _ in range(3):
        x = np.random.default_rng(0).standard_normal((3, 4), np.float32)
        sums = sums + x
        np.testing.assert_allclose(session.run([x])[0], sums.mean(), rtol=1e-5)
