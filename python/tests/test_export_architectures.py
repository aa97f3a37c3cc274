# SPDX-License-Identifier: MIT
"""Exports networks of other libraries, and runs them at sizes that neither the export nor its check has seen."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')

from kuiper_infer import KuiperError, Model, export  # noqa: E402

AUTO = torch.export.Dim.AUTO
ZOO = "needs pip install torchvision transformers ultralytics"


@pytest.fixture(autouse=True)
def seed(monkeypatch):
    torch.manual_seed(20261126)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def check_equal(model: Model, module: torch.nn.Module, *inputs: torch.Tensor) -> None:
    with torch.no_grad():
        expected = module(*inputs)
    expected = list(expected) if isinstance(expected, tuple) else [expected]
    results = model.run(list(inputs))
    assert len(results) == len(expected)
    for result, tensor in zip(results, expected, strict=True):
        # Scores of an untrained detector and coordinates in pixels share an array.
        np.testing.assert_allclose(result, tensor.numpy(), rtol=1e-4, atol=1e-4 * float(tensor.abs().max()))


class LastHidden(torch.nn.Module):
    """A network of transformers, called with tokens and their mask."""

    def __init__(self, net: torch.nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, ids, mask):
        return self.net(input_ids=ids, attention_mask=mask, return_dict=False)[0]


def tokens(batch: int, length: int, padding: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens, and a mask that leaves out the last ones of the first row."""
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[0, length - padding :] = 0
    return torch.randint(1, 90, (batch, length)), mask


def bert() -> torch.nn.Module:
    transformers = pytest.importorskip("transformers", reason=ZOO)
    config = transformers.BertConfig(
        vocab_size=90, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64
    )
    return transformers.BertModel(config, add_pooling_layer=False)


def gpt() -> torch.nn.Module:
    transformers = pytest.importorskip("transformers", reason=ZOO)
    config = transformers.GPT2Config(vocab_size=90, n_embd=32, n_layer=2, n_head=4, n_positions=64, use_cache=False)
    return transformers.GPT2LMHeadModel(config)


@pytest.mark.parametrize("make", [bert, gpt])
def test_language_models_at_other_batches_and_lengths(tmp_path, make):
    module = LastHidden(make()).eval()
    model = export(module, tokens(2, 7, 2), tmp_path / "net", args2=tokens(3, 10, 4), via="torch")
    assert [each.shape for each in model.inputs] == [(-1, -1)] * 2
    for batch, length, padding in ((1, 1, 0), (1, 33, 5), (5, 16, 0), (4, 64, 60)):
        check_equal(model, module, *tokens(batch, length, padding))


def test_a_detector_at_other_batches_and_sizes(tmp_path):
    tasks = pytest.importorskip("ultralytics.nn.tasks", reason=ZOO)
    module = tasks.DetectionModel("yolov8n.yaml", ch=3, verbose=False).eval()
    head = module.model[-1]
    head.export, head.format, head.dynamic = True, "torchscript", True
    shapes = {"x": {0: AUTO, 2: AUTO, 3: AUTO}}
    model = export(module, torch.rand(2, 3, 96, 64), tmp_path / "net", dynamic_shapes=shapes, via="torch")
    for shape in ((1, 3, 64, 64), (1, 3, 128, 160), (3, 3, 64, 96)):
        check_equal(model, module, torch.rand(*shape))


def swin() -> torch.nn.Module:
    torchvision = pytest.importorskip("torchvision", reason=ZOO)
    return torchvision.models.SwinTransformer(
        patch_size=[4, 4], embed_dim=16, depths=[2, 2], num_heads=[2, 4], window_size=[4, 4], num_classes=10
    ).eval()


def test_windowed_attention_at_other_batches(tmp_path):
    module = swin()
    shapes = {"x": {0: AUTO}}
    model = export(module, torch.rand(2, 3, 64, 64), tmp_path / "net", dynamic_shapes=shapes, via="torch")
    for batch in (1, 3, 8):
        check_equal(model, module, torch.rand(batch, 3, 64, 64))


def test_windowed_attention_at_other_sizes(tmp_path):
    module = swin()
    Dim = torch.export.Dim
    shapes = {"x": {0: AUTO, 2: 32 * Dim("height"), 3: 32 * Dim("width")}}
    model = export(module, torch.rand(2, 3, 64, 96), tmp_path / "net", dynamic_shapes=shapes, via="torch")
    for shape in ((1, 3, 64, 64), (3, 3, 128, 96), (1, 3, 96, 224)):
        check_equal(model, module, torch.rand(*shape))
    # A single window is not shifted, which is other code.
    with pytest.raises(KuiperError, match="input 'x' has 32 elements along axis 2, .* at least 64"):
        model(torch.rand(1, 3, 32, 64))
    with pytest.raises(KuiperError, match=r"sizes with x.shape\[3\] a multiple of 32"):
        model(torch.rand(1, 3, 64, 80))
