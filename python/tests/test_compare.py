# SPDX-License-Identifier: MIT
from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import kuiper_infer
from conftest import ROOT
from kuiper_infer._pytorch import require
from kuiper_infer._pytorch.difference import difference


@pytest.fixture
def exported(tmp_path):
    """(module, path without extension, input) of a convolution network with the converter's code beside it."""
    torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')
    pytest.importorskip("pnnx", reason='needs the converter: pip install ".[export]"')
    import modules
    from kuiper_infer._export import export

    torch.manual_seed(20261123)
    module, image = modules.Convolutions(), torch.rand(1, 3, 12, 12)
    export(module, image, tmp_path / "net", keep_code=True)
    return module, tmp_path / "net", torch.rand(2, 3, 10, 11)


def change_weight(stem, folder, name):
    """Copies the model into the folder with one weight doubled, and gives the path of its .param file."""
    folder.mkdir()
    shutil.copy(f"{stem}.pnnx.param", folder)
    with (
        zipfile.ZipFile(f"{stem}.pnnx.bin") as original,
        zipfile.ZipFile(folder / "net.pnnx.bin", "w", zipfile.ZIP_STORED) as changed,
    ):
        assert name in original.namelist()
        for entry in original.namelist():
            weight = np.frombuffer(original.read(entry), np.float32)
            changed.writestr(entry, (2 * weight if entry == name else weight).tobytes())
    return folder / "net.pnnx.param"


def compare(*args, **kwargs):
    from kuiper_infer._compare import compare

    return compare(*args, **kwargs)


def test_equal_to_the_module_and_to_the_code(exported):
    module, stem, image = exported
    param = f"{stem}.pnnx.param"
    for reference in (None, module, stem.with_name("net_pnnx.py")):
        comparison = compare(param, inputs=image.numpy(), reference=reference)
        assert comparison.equal and comparison.departure is None
        assert comparison.outputs[0].shape == (2, 4) and comparison.outputs[0].difference.deviations < 1e-4
        assert str(comparison).startswith("output 0, float32(2, 4): equal to ")
    exact = compare(param, inputs=image, reference=module, rtol=0)
    assert exact.equal == (exact.outputs[0].difference.deviations == 0)


@pytest.mark.parametrize(
    ("weight", "type", "operator"),
    [
        ("convbn2d_0.bias", "nn.Conv2d", "convbn2d_0"),
        ("second.weight", "nn.Conv2d", "second"),
        ("head.bias", "nn.Linear", "head"),
    ],
)
def test_the_operator_with_a_changed_weight_is_named(exported, tmp_path, weight, type, operator):
    module, stem, image = exported
    param = change_weight(stem, tmp_path / "changed", weight)
    comparison = compare(param, inputs=image, reference=stem.with_name("net_pnnx.py"))
    assert not comparison.equal
    assert (comparison.departure.type, comparison.departure.operator) == (type, operator)
    assert f"self.{operator}(" in comparison.departure.line
    assert "departs, [" in str(comparison) and f"first departing operator: {type} '{operator}'" in str(comparison)
    # Beside the module alone there is no code to tell where.
    comparison = compare(param, inputs=image, reference=module)
    assert not comparison.equal and comparison.departure is None
    # The code with the changed weights shows that the operators are right, and something else is not.
    shutil.copy(stem.with_name("net_pnnx.py"), tmp_path / "changed")
    assert "the file holds another network" in compare(param, inputs=image, reference=module).note


def test_the_operator_with_another_parameter_is_named(exported):
    _, stem, image = exported
    param = stem.with_name("net.pnnx.param")
    param.write_text(param.read_text().replace("stride=(2,2)", "stride=(3,3)"))
    comparison = compare(param, inputs=image)
    assert comparison.departure.operator == "second" and np.isinf(comparison.departure.difference.deviations)
    assert "float32(2, 8, 3, 3), PyTorch's is float32(2, 8, 4, 5)" in str(comparison)


def test_the_tool_compares_a_dump(exported, tmp_path):
    _, stem, image = exported
    param, code, dump = stem.with_name("net.pnnx.param"), stem.with_name("net_pnnx.py"), tmp_path / "dump"
    dump.mkdir()
    for changed, text in ((False, " operands are equal\n"), (True, "nn.LeakyReLU 'leaky', operand ")):
        if changed:
            param.write_text(re.sub(r"negative_slope=\S+", "negative_slope=0.3", param.read_text()))
        for name, array in kuiper_infer.Model(param).operands(image).items():
            np.save(dump / f"{name}.npy", array)
        command = [sys.executable, ROOT / "tools/compare_pytorch.py", code, dump]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (int(changed), "") and text in done.stdout


def test_operators_that_only_the_converter_calls_so_are_run(tmp_path):
    """aten::name(...) is no Python."""
    torch = pytest.importorskip("torch")
    from kuiper_infer._pytorch.converter_code import CodeError, ConverterCode

    code = tmp_path / "net_pnnx.py"
    head = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, v_0):\n"
    code.write_text(
        f"{head}        v_1 = aten::square(v_0)\n        v_2, v_3 = (v_1 + 1, v_1 - 1)\n        return v_2, v_3\n"
    )
    x = torch.rand(3)
    assert [name for name, _, _ in ConverterCode(code).operands([x])] == ["1", "2", "3"]
    assert torch.equal(ConverterCode(code).outputs([x])[1], x * x - 1)
    code.write_text(f"{head}        v_1 = custom.Operator(v_0)\n        return v_1\n")
    with pytest.raises(CodeError, match=r"`v_1 = custom\.Operator\(v_0\)` cannot be run: name 'custom'"):
        ConverterCode(code).outputs([x])
    with pytest.raises(CodeError, match="1 inputs, 2 arrays"):
        ConverterCode(code).outputs([x, x])
    code.write_text("def forward(:\n")
    with pytest.raises(CodeError, match="no class Model that Python can read"):
        ConverterCode(code)


def test_missing_references_and_wrong_inputs(exported):
    import torch

    module, stem, image = exported
    stem.with_name("net_pnnx.py").write_text("class Model: forward = aten::forward\n")
    with pytest.raises(kuiper_infer.KuiperError, match="that Python can read.*expected a PyTorch module as reference"):
        compare(f"{stem}.pnnx.param", inputs=image)
    stem.with_name("net_pnnx.py").unlink()
    with pytest.raises(FileNotFoundError, match="net_pnnx.py: no such file"):
        compare(f"{stem}.pnnx.param", inputs=image)
    with pytest.raises(kuiper_infer.KuiperError, match="pnnx_input_0"):
        compare(f"{stem}.pnnx.param", inputs=image.long(), reference=torch.nn.Identity())
    with pytest.raises(ValueError, match="inputs holds no tensor"):
        compare(f"{stem}.pnnx.param", inputs=(), reference=module)


@pytest.mark.parametrize(
    ("ours", "theirs", "equal", "text"),
    [
        (np.float32([0, 1, 2]), np.float32([0, 1, 2]), True, "equal"),
        (np.float32([0, 1, 2.0001]), np.float32([0, 1, 2]), True, "[2] is 2.0001"),
        (np.float32([0, 1, 2.1]), np.float32([0, 1, 2]), False, "[2] is 2.1"),
        (np.float32([5.000001]), np.float32([5]), True, "[0] is 5.000001"),
        (np.float32([5.01]), np.float32([5]), False, "[0] is 5.01"),
        (np.float32([1e-5, 0]), np.float32([0, 0]), True, "[0] is"),
        (np.float32([0, 0]), np.float32([-8e-40, 1e-39]), True, "equal"),
        (np.float32([0, 0]), np.float32([-8e-38, 1e-39]), False, "[0] is 0.0"),
        (np.float32([np.nan, np.inf, 1]), np.float32([np.nan, np.inf, 1]), True, "equal"),
        (np.float32([np.nan, 2, 1]), np.float32([3, 2, 1]), False, "[0] is nan"),
        (np.float32([-np.inf, 2, 1]), np.float32([np.inf, 2, 1]), False, "[0] is -inf"),
        (np.int64([0, 10001]), np.int64([0, 10000]), False, "[1] is 10001"),
        (np.int64([2**60 + 1, 0]), np.int64([2**60, 0]), False, "[0] is 1152921504606846977"),
        (np.array([True, False]), np.array([True, True]), False, "[1] is False"),
        (np.float32([1]), np.float64([1]), False, "is float32(1,), PyTorch's is float64(1,)"),
        (np.float32([[1, 2]]), np.float32([[1], [2]]), False, "is float32(1, 2), PyTorch's is float32(2, 1)"),
        (np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32), True, "equal"),
        (np.float32(7), np.float32(8), False, "is 7.0, PyTorch's is 8.0"),
        (np.complex64([1 + 2j]), np.complex64([1 - 2j]), False, "[0] is (1+2j)"),
    ],
)
def test_differences(ours, theirs, equal, text):
    found = difference(np.asarray(ours), np.asarray(theirs))
    assert not found.departs(1e-3) == equal
    assert str(found).startswith(text)


def test_without_pytorch_the_package_works_and_tells_what_to_install():
    """In a process of its own, in which importing these packages fails as if they were not installed."""
    program = """
import sys
sys.modules["torch"] = sys.modules["pnnx"] = None
from kuiper_infer._compare import compare
from kuiper_infer._export import export
for call in (lambda: export(None, None, "net"), lambda: compare("net.pnnx.param", inputs=None)):
    try:
        call()
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and all(
        "torch" in line and "--index-url https://download.pytorch.org/whl/cpu" in line for line in lines
    )
    with pytest.raises(ImportError, match="this needs the package no_such_package"):
        require("no_such_package")
