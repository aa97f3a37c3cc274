# SPDX-License-Identifier: MIT
"""Exports encoder-decoders of transformers, and runs them step by step."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[decoder]"')
transformers = pytest.importorskip("transformers", minversion="5", reason='needs it: pip install ".[decoder]"')

from conftest import ROOT  # noqa: E402
from kuiper_infer import ExportError, KuiperError, export_encoder_decoder  # noqa: E402
from kuiper_infer.__main__ import main  # noqa: E402
from kuiper_infer._pytorch.encoder_decoder import modules  # noqa: E402

sys.path.insert(0, str(ROOT / "tools"))
import decoder_models  # noqa: E402

CONFIGURATIONS = decoder_models.encoder_decoder_configurations()


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def model_of(name):
    return decoder_models.encoder_decoder_of(CONFIGURATIONS[name])


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_each_kind_generates_what_transformers_generates(tmp_path, name):
    model = model_of(name)
    encoder, decoder = export_encoder_decoder(model, tmp_path / "net")
    assert sorted(os.listdir(tmp_path)) == [
        f"net_{half}.pnnx.{part}" for half in ("decoder", "encoder") for part in ("bin", "param")
    ]
    assert [each.name for each in encoder.outputs] == [each.name for each in decoder.inputs[1:]]
    assert [each.output for each in decoder.states] == ["key_0", "value_0", "key_1", "value_1"]
    session = decoder.session()
    for seed, extent in ((1, 5), (2, 12)):
        source = decoder_models.source_of(model, extent, torch.Generator().manual_seed(seed))
        cross = {info.name: made for info, made in zip(encoder.outputs, encoder.run([source.numpy()]), strict=True)}
        session.reset()
        tokens, given = [], np.array([[1]])
        for _ in range(20):
            tokens.append(given.item())
            (logits,) = session.run({"tokens": given, **cross})
            given = logits[:, -1:].argmax(-1)
        with torch.inference_mode():
            expected = model(source, decoder_input_ids=torch.tensor([tokens]), use_cache=False).logits
        assert expected.argmax(-1)[0, :-1].tolist() == tokens[1:]
        np.testing.assert_allclose(logits[0, 0], expected[0, -1], atol=1e-3 * float(expected[0, -1].std()))


def test_the_example_of_the_page(tmp_path):
    model = model_of("t5")
    encoder, decoder = export_encoder_decoder(model, tmp_path / "net", verify=False)
    page = (ROOT / "docs" / "decoders.md").read_text().split("```python\n")
    (example,) = [block.split("```")[0] for block in page if block.startswith("source = ")]
    names = {"np": np, "encoder": encoder, "decoder": decoder}
    exec(example, names)
    assert names["session"].length == 32
    assert names["given"].shape == (1, 1)


def test_the_source_is_computed_once(tmp_path):
    _, decoder = export_encoder_decoder(model_of("bart"), tmp_path / "net", verify=False)
    weights = [
        line for line in (tmp_path / "net_decoder.pnnx.param").read_text().splitlines() if "encoder_attn" in line
    ]
    assert weights and not any(name in line for line in weights for name in ("k_proj", "v_proj"))
    assert {each.name for each in decoder.inputs[1:]} == {
        "cross_key_0",
        "cross_value_0",
        "cross_key_1",
        "cross_value_1",
    }


def test_tokens_beyond_the_positions_are_refused(tmp_path):
    encoder, decoder = export_encoder_decoder(model_of("t5"), tmp_path / "net", max_length=8, verify=False)
    given = [np.array([[1]]), *encoder.run([np.ones((1, 4), np.int64)])]
    session = decoder.session()
    for _ in range(9):
        session.run(given)
    with pytest.raises(KuiperError, match="input 'past_key_0' has 9 elements along axis 2, .* for 0 to 8"):
        session.run(given)


def test_what_cannot_be_exported_is_named(tmp_path):
    bart = model_of("bart")
    with pytest.raises(TypeError, match="model is a Linear, expected a model of transformers"):
        export_encoder_decoder(torch.nn.Linear(2, 2), tmp_path / "net")
    with pytest.raises(ValueError, match="is a LlamaForCausalLM, expected one with an encoder and a decoder"):
        export_encoder_decoder(decoder_models.model_of(decoder_models.configurations()["smollm2"]), tmp_path / "net")
    with pytest.raises(ValueError, match="not float32, expected model.float"):
        export_encoder_decoder(model_of("t5").half(), tmp_path / "net")
    with pytest.raises(ValueError, match="max_length is 65, expected 7 to 64"):
        export_encoder_decoder(bart, tmp_path / "net", max_length=65)
    with pytest.raises(ValueError, match="max_length is 6, expected 7 or more"):
        export_encoder_decoder(model_of("t5"), tmp_path / "net", max_length=6)
    with pytest.raises(FileNotFoundError, match="no such folder"):
        export_encoder_decoder(bart, tmp_path / "absent" / "net")
    assert not os.listdir(tmp_path)


def test_a_decoder_that_departs_from_transformers_is_not_written(tmp_path, monkeypatch):
    """Module and file agree here; only the comparison with transformers can tell that layers have changed places."""
    forward = modules.DecoderStepModule.forward
    monkeypatch.setattr(
        modules.DecoderStepModule,
        "forward",
        lambda self, tokens, past, cross: forward(self, tokens, past, [*cross[2:], *cross[:2]]),
    )
    with pytest.raises(ExportError, match="departs from transformers' logits after"):
        export_encoder_decoder(model_of("t5"), tmp_path / "net")
    assert not os.listdir(tmp_path)


def test_the_command(tmp_path, capsys, monkeypatch):
    model_of("marian").save_pretrained(tmp_path / "net")
    command = ["kuiper", "export-decoder", str(tmp_path / "net"), "--output", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", command)
    assert main() == 0
    assert "out_decoder.pnnx.param: 2 layers" in capsys.readouterr().out
    assert (tmp_path / "out_encoder.pnnx.bin").is_file()
    monkeypatch.setattr(sys, "argv", [*command, "--logits", "all"])
    assert main() == 1
    assert "--logits is 'all', expected 'last' for a model with an encoder" in capsys.readouterr().err
