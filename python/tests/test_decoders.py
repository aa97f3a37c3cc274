# SPDX-License-Identifier: MIT
"""Exports decoders of transformers. `export_decoder` compares each of them with transformers itself, step by step."""

from __future__ import annotations

import csv
import os
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[decoder]"')
transformers = pytest.importorskip("transformers", minversion="5", reason='needs it: pip install ".[decoder]"')

from conftest import ROOT  # noqa: E402
from kuiper_infer import ExportError, KuiperError, Model, export_decoder  # noqa: E402
from kuiper_infer.__main__ import main  # noqa: E402
from kuiper_infer._pytorch.decoder import module as decoder_module  # noqa: E402

sys.path.insert(0, str(ROOT / "tools"))
import decoder_models  # noqa: E402

CONFIGURATIONS = decoder_models.configurations()


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="module")
def smollm2():
    return decoder_models.model_of(CONFIGURATIONS["smollm2"])


def inputs_of(path) -> list[list[str]]:
    return [line.split() for line in path.read_text().splitlines() if line.startswith("pnnx.Input")]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_each_kind_equals_transformers(tmp_path, name):
    model = export_decoder(decoder_models.model_of(CONFIGURATIONS[name]), tmp_path / "net")
    assert sorted(os.listdir(tmp_path)) == ["net.pnnx.bin", "net.pnnx.param"]
    assert [each.name for each in model.inputs] == ["tokens"]
    assert [each.name for each in model.outputs] == ["logits"]
    assert [each.output for each in model.states] == ["key_0", "value_0", "key_1", "value_1"]
    assert {each.axis for each in model.states} == {2}
    tokens, *caches = inputs_of(tmp_path / "net.pnnx.param")
    assert tokens[1] == "tokens"
    states = {line[1]: word for line in caches for word in line if word.startswith("state=")}
    assert states == {
        "past_key_0": "state=1",
        "past_value_0": "state=2",
        "past_key_1": "state=3",
        "past_value_1": "state=4",
    }


def test_a_configuration_stands_for_a_model_with_the_same_random_weights(tmp_path):
    configuration = CONFIGURATIONS["qwen2"]
    for name in ("one", "two"):
        torch.rand(3)
        export_decoder(configuration, tmp_path / name, verify=False)
    assert (tmp_path / "one.pnnx.bin").read_bytes() == (tmp_path / "two.pnnx.bin").read_bytes()


def test_logits_of_all_tokens(tmp_path, smollm2):
    model = export_decoder(smollm2, tmp_path / "net", logits="all")
    tokens = np.arange(9)[None] % 64
    session = model.session()
    (made,) = session.run([tokens])
    with torch.inference_mode():
        expected = smollm2(input_ids=torch.from_numpy(tokens)).logits.numpy()
    np.testing.assert_allclose(made, expected, atol=1e-3 * expected.std())
    assert session.length == 9


@pytest.mark.parametrize("form", ["int8", "int4 --group 32", "int4 --group 32 --asymmetric"])
def test_a_tied_weight_in_integers(tmp_path, smollm2, form):
    """The rounding errors of the weights are independent, so the squares of their relative errors add up in the logits.
    Twice the root of the sum leaves room for chance. Logits by another weight would depart by about 1.4 standard
    deviations."""
    export_decoder(smollm2, tmp_path / "net", logits="all", verify=False)
    given = ["--param", f"{tmp_path}/net.pnnx.param", "--bin", f"{tmp_path}/net.pnnx.bin"]
    wanted = ["--weights-only", *form.split(), "--output", f"{tmp_path}/small"]
    subprocess.run([sys.executable, "-m", "kuiper_infer", "quantize", *given, *wanted], check=True, capture_output=True)
    rows = list(csv.DictReader((tmp_path / "small.quantize.csv").read_text().splitlines()))
    tied = [row for row in rows if row["type"] == "pnnx.Attribute"]
    assert [row["layer"] for row in tied] == ["lm_head.weight"]
    assert all("int" in row["form"] for row in rows)
    assert (tmp_path / "small.pnnx.param").read_text().count("@data=(64,") == 1
    noise = sum(10 ** (-float(row["sqnr_db"]) / 10) for row in rows)
    assert noise < 0.25
    tokens = np.arange(9)[None] * 7 % 64
    with torch.inference_mode():
        expected = smollm2(input_ids=torch.from_numpy(tokens)).logits.numpy()
    (made,) = Model(tmp_path / "small.pnnx.param").session().run([tokens])
    assert (made - expected).std() < 2 * noise**0.5 * expected.std()


def test_caches_beyond_the_greatest_length_are_refused(tmp_path, smollm2):
    model = export_decoder(smollm2, tmp_path / "net", max_length=12, verify=False)
    session = model.session()
    for _ in range(13):
        session.run([np.zeros((1, 1), np.int64)])
    with pytest.raises(KuiperError, match="input 'past_key_0' has 13 elements along axis 2, .* for 0 to 12"):
        session.run([np.zeros((1, 1), np.int64)])


@pytest.mark.parametrize("length", [0, 6, 257, -3])
def test_a_length_without_positions_is_refused(tmp_path, smollm2, length):
    with pytest.raises(ValueError, match=f"max_length is {length}, expected 7 to 256"):
        export_decoder(smollm2, tmp_path / "net", max_length=length)


def test_longrope_ends_with_the_length_of_the_first_training(tmp_path):
    with pytest.raises(ValueError, match="max_length is 65, expected 7 to 64"):
        export_decoder(CONFIGURATIONS["phi3_long"], tmp_path / "net", max_length=65)


def test_what_is_no_decoder_of_the_family_is_named(tmp_path, smollm2):
    with pytest.raises(ValueError, match="of the type 'gpt2', expected one of gemma2, gemma3_text, llama, mistral"):
        export_decoder(transformers.GPT2Config(), tmp_path / "net")
    with pytest.raises(TypeError, match="model is a Linear, expected a model or a configuration of transformers"):
        export_decoder(torch.nn.Linear(2, 2), tmp_path / "net")
    with pytest.raises(ValueError, match="not float32, expected model.float"):
        export_decoder(decoder_models.model_of(CONFIGURATIONS["smollm2"]).half(), tmp_path / "net")
    with pytest.raises(ValueError, match="logits is 'first', expected 'last' or 'all'"):
        export_decoder(smollm2, tmp_path / "net", logits="first")
    with pytest.raises(FileNotFoundError, match="no such file of weights"):
        export_decoder(None, tmp_path / "net", weights=tmp_path / "absent.gguf")
    assert not os.listdir(tmp_path)


def test_a_decoder_that_departs_from_transformers_is_not_written(tmp_path, monkeypatch):
    """The module and the file agree here; only the comparison with transformers can tell that a window is wrong."""
    monkeypatch.setattr(
        decoder_module.DecoderModule, "_mask", staticmethod(lambda at, keys, window: keys <= at[:, None])
    )
    with pytest.raises(ExportError, match="departs from transformers' logits after"):
        export_decoder(decoder_models.model_of(CONFIGURATIONS["mistral"]), tmp_path / "net")
    assert not os.listdir(tmp_path)


def test_the_command(tmp_path, smollm2, capsys, monkeypatch):
    smollm2.save_pretrained(tmp_path / "net")
    monkeypatch.setattr(sys, "argv", ["kuiper", "export-decoder", str(tmp_path / "net"), "--max-length", "40"])
    assert main() == 0
    assert "net.pnnx.param: 2 layers" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["kuiper", "export-decoder", str(tmp_path / "absent.gguf")])
    assert main() == 1
    assert "no such file of weights" in capsys.readouterr().err
