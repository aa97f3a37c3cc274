# SPDX-License-Identifier: MIT
"""Networks that see a stream piece by piece, exported with their state, equal PyTorch on the whole stream."""

import re

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')

import kuiper_infer  # noqa: E402
from conftest import ROOT  # noqa: E402


class Convolution(torch.nn.Module):
    """A causal convolution that gets the last frames as an argument."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv1d(6, 5, 4, dilation=2)

    def forward(self, frames, last):
        joined = torch.cat([last, frames], 2)
        return {"out": torch.relu(self.layer(joined)), "next": joined[:, :, -6:]}


@pytest.mark.parametrize("pieces", [[4] * 10, [3, 7, 1, 12, 1, 1, 15]])
def test_a_convolution_of_a_stream_equals_that_of_the_whole(tmp_path, pieces):
    torch.manual_seed(1)
    net = Convolution().eval()
    example, more = (torch.rand(1, 6, 4), torch.zeros(1, 6, 6)), (torch.rand(1, 6, 9), torch.zeros(1, 6, 6))
    model = kuiper_infer.export(net, example, tmp_path / "net", args2=more, via="torch", states={"next": "last"})
    assert [(each.name, each.axis) for each in model.states] == [("last", None)]
    sound = torch.rand(1, 6, sum(pieces))
    session = model.session()
    made = [session.run([piece])[0] for piece in sound.split(pieces, 2)]
    with torch.no_grad():
        whole = net(sound, torch.zeros(1, 6, 6))["out"]
    np.testing.assert_allclose(np.concatenate(made, 2), whole, rtol=1e-5, atol=1e-6)


def blocks_of_the_page():
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs/state.md").read_text(), re.DOTALL)


def test_the_example_of_a_window(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sound = torch.rand(1, 16, 40)
    stream = sound.split([3, 7, 1, 12, 1, 1, 15], 2)
    names = {"torch": torch, "np": np, "kuiper_infer": kuiper_infer, "stream": stream}
    torch.manual_seed(2)
    exec(blocks_of_the_page()[1], names)
    assert (names["model"].states[0].axis, names["model"].states[0].window) == (2, 2)
    assert " state=1 window=2 " in (tmp_path / "filter.pnnx.param").read_text()
    torch.manual_seed(2)
    torch.rand(1, 16, 4), torch.rand(1, 16, 9)  # the examples that the page makes before the module
    net = names["Filter"]().eval()
    session = names["session"]
    session.set_state("past", np.zeros((1, 16, 2), np.float32))
    made = np.concatenate([session.run([piece])[0] for piece in stream], 2)
    with torch.no_grad():
        whole = net(sound, torch.zeros(1, 16, 2))["filtered"]
    np.testing.assert_allclose(made, whole, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(names["filtered"], whole[:, :, -15:], rtol=1e-5, atol=1e-6)


def test_the_example_of_the_page_on_state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frames = torch.rand(20, 1, 16)
    names = {"torch": torch, "kuiper_infer": kuiper_infer, "frames": frames}
    torch.manual_seed(2)
    exec(blocks_of_the_page()[0], names)
    torch.manual_seed(2)
    torch.rand(1, 16)  # the example that the page makes before the module
    net, memory = names["Listener"]().eval(), torch.zeros(1, 32)
    with torch.no_grad():
        for frame in frames:
            result = net(frame, memory)
            memory = result["next"]
    np.testing.assert_allclose(names["score"], result["score"], rtol=1e-5, atol=1e-6)
