# SPDX-License-Identifier: MIT
import json
import pathlib
import re
import shutil
import subprocess
import time

import numpy as np
import pytest

import tiny
import tiny_decoder
from kuiper_infer import CancelToken, ErrorCode, KuiperError, Model, RunOptions, ops


@pytest.fixture
def image():
    return np.zeros((1, 1, 32, 100), np.float32)


def test_info(line_reader, tmp_path):
    info = Model(line_reader).info()
    assert info.parameters > 600_000
    assert info.operators["nn.Conv2d"] == 5
    assert info.planned_bytes is None and "unknown" not in str(info)
    fixed = Model(tiny.write(tmp_path, tiny.linear(), {"line.weight": np.zeros((4, 3), np.float32)})).info()
    assert fixed.multiply_adds == 24 and fixed.planned_bytes > 0
    assert "parameters: 12" in str(fixed)


def test_profile(line_reader, image):
    profile = Model(line_reader).profile(image, runs=3)
    assert {"nn.LSTM", "nn.Conv2d"} <= {step.type for step in profile}
    assert all(step.seconds >= 0 for step in profile) and 0 < profile.seconds < 10
    lines = str(profile).splitlines()
    assert lines[0].split() == ["ms", "share", "GFLOP/s", "GB/s", "step"]
    assert len(lines) == min(20, len(profile)) + 2
    assert repr(profile) == str(profile)
    with pytest.raises(ValueError, match="runs"):
        Model(line_reader).profile(image, runs=0)


def test_profile_as_a_data_frame(line_reader, image):
    pandas = pytest.importorskip("pandas")
    frame = Model(line_reader).profile(image, runs=1).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.groupby("type").seconds.sum()["nn.LSTM"] > 0


def test_graph(line_reader, image):
    model = Model(line_reader)
    assert "nn.LSTM" in model.graph_text(image)
    assert "%" in model.graph_text(image, runs=2)
    if shutil.which("dot") is None:
        with pytest.raises(RuntimeError, match="graphviz"):
            model.graph_svg(image)
        return
    picture = model.graph_svg(image)
    assert "<svg" in picture and "nn.LSTM" in picture and ">line_reader<" in picture
    assert picture._repr_svg_() == picture


def test_report(line_reader, image, tmp_path):
    page = tmp_path / "r.html"
    model = Model(line_reader, threads=1)
    model.report(page, image, runs=2)
    text = page.read_text(encoding="utf-8")
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    assert [step["name"] for step in data["steps"]] == [step.name for step in model.profile(image, runs=1)]
    assert data["model"]["param"]["name"] == "line_reader.pnnx.param"
    assert data["machine"]["threads"] == 1 and data["run"]["runs"] == 2
    with pytest.raises(ValueError, match="runs"):
        model.report(page, image, runs=0)
    with pytest.raises(OSError, match="absent"):
        model.report(tmp_path / "absent" / "r.html", image, runs=1)
    from_memory = Model(pathlib.Path(model.param).read_bytes(), pathlib.Path(model.bin).read_bytes())
    from_memory.report(page, image, runs=1)
    assert "line_reader" not in page.read_text(encoding="utf-8")


def test_report_in_a_browser(tmp_path):
    """The page's script draws everything, and names that are markup do nothing."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("needs chromium")
    hostile = "</script><script>document.title='owned'</script><img/src=x/onerror=document.title='owned'>"
    lines = [line.replace("line 1", f"{hostile} 1") for line in tiny.linear()]
    model = Model(tiny.write(tmp_path, lines, {f"{hostile}.weight": np.ones((4, 3), np.float32)}))
    page = tmp_path / "r.html"
    model.report(page, np.ones((2, 3), np.float32), runs=1)
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]
    command += [f"--user-data-dir={tmp_path}/chromium", page.as_uri()]
    drawn = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "<title>tiny: report</title>" in drawn and "<img" not in drawn
    assert len(re.findall(r'<g class="node"', drawn)) == 3
    assert len(re.findall(r'<section id="steps">.*<tr class="link" tabindex="0">.*</section>', drawn, re.S)) == 1
    assert "usable cores" in drawn and "planned memory" in drawn  # the last section, the memory's picture


def test_reports_of_a_decoder(tmp_path):
    """Its states have a free extent, which no input gives."""
    model = Model(tiny_decoder.write(tmp_path))
    tokens = np.ones((1, 5), np.int64)
    assert model.output_info({"tokens": (1, 5)})[0].shape == model(tokens).shape
    assert "aten::scaled_dot_product_attention" in {step.type for step in model.profile(tokens, runs=1)}
    assert "scaled_dot_product_attention" in model.report_html(tokens, runs=1)


def test_the_deadline_of_a_measurement(line_reader, image):
    """It ends all runs together, also within one."""
    model = Model(line_reader, threads=1)
    for measure in (model.profile, model.graph_text, model.report_html):
        with pytest.raises(KuiperError, match="deadline") as error:
            measure(image, runs=10**6, options=RunOptions(deadline=time.monotonic() + 0.2))
        assert error.value.code is ErrorCode.DEADLINE
    cancelled = CancelToken()
    cancelled.cancel()
    with pytest.raises(KuiperError) as error:
        model.profile(image, options=RunOptions(cancel=cancelled))
    assert error.value.code is ErrorCode.CANCELLED


def test_operands(line_reader, image):
    model = Model(line_reader)
    operands = model.operands(image)
    assert any(np.array_equal(array, model(image)) for array in operands.values())
    assert len(operands) > 10


def test_reports_beside_runs(line_reader, image):
    """What looks inside has a graph of its own."""
    model = Model(line_reader)
    expected = model(image)
    other = np.ones((2, 1, 32, 60), np.float32)
    model.profile(other, runs=1)
    model.operands(other)
    np.testing.assert_array_equal(model(image), expected)
    assert model.outputs[0].shape == (1, -1, 96)


def test_operations():
    table = {each.type: each for each in ops()}
    assert table["nn.Conv2d"].family == "convolution"
    assert "kernel_size" in table["nn.Conv2d"].arguments
    assert len(ops()) > 500
