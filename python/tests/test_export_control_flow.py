# SPDX-License-Identifier: MIT
"""Exports branches and loops by way of torch.export. `export` compares each model with PyTorch itself."""

from __future__ import annotations

import os

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')

from torch._higher_order_ops import scan, while_loop  # noqa: E402
from torch._higher_order_ops.map import map as map_along  # noqa: E402
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention  # noqa: E402

from kuiper_infer import ErrorCode, ExportError, KuiperError, export  # noqa: E402


@pytest.fixture(autouse=True)
def seed(monkeypatch):
    torch.manual_seed(20261126)
    torch._dynamo.reset()  # PyTorch compiles loops even where it runs them at once, and refuses after some compilations
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def number(value: int) -> torch.Tensor:
    return torch.full((), value, dtype=torch.int64)


class Layered(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def step(self, x, h):
        return torch.tanh(self.layer(h) + x)


class Counting(Layered):
    """A fixed number of steps, which a tensor counts."""

    def forward(self, x):
        def body(i, x):
            return i + 1, self.step(x, x)

        return while_loop(lambda i, x: i < 5, body, (number(0), x))


class CountingByNumbers(torch.nn.Module):
    """A fixed number of steps, which a number of Python counts and the body reads as an index."""

    def forward(self, x):
        return while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, 2 * x + x.narrow(0, i, 1)), (0, x))[1]


class EndedByData(torch.nn.Module):
    """At most six steps, fewer if the sum grows."""

    def forward(self, x):
        def condition(i, x):
            return torch.logical_and(i < 6, x.sum() < 50)

        return while_loop(condition, lambda i, x: (i + 1, x * 2 + 1), (number(0), x))


class NeverRunning(torch.nn.Module):
    def forward(self, x):
        return while_loop(lambda i, x: i < 0, lambda i, x: (i + 1, x * 2), (number(0), x))[1] + 1


class Scanning(Layered):
    def forward(self, x, h):
        def combine(h, x):
            h = self.step(x, h)
            return h, {"doubled": h * 2, "sum": x.sum(-1)}

        return scan(combine, h, x, dim=1, reverse=True)


class ScanningOverBranches(torch.nn.Module):
    def forward(self, x):
        def combine(total, x):
            operands = (total, x)
            total = torch.cond(x.sum() > 1, lambda t, x: t + x, lambda t, x: t - x, operands)
            return total, total * 2

        return scan(combine, torch.zeros_like(x[0]), x)


class ScanningOverLoops(torch.nn.Module):
    def forward(self, x):
        def combine(total, x):
            total = total + while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x.sin()), (number(0), x))[1]
            return total, total.clone()

        return scan(combine, torch.zeros_like(x[0]), x)


class Mapping(torch.nn.Module):
    def forward(self, x, factor):
        return map_along(lambda row, factor: row.sin() * factor, x, factor)


@pytest.mark.parametrize(
    ("module", "shapes"),
    [
        (Counting, [(2, 4)]),
        (CountingByNumbers, [(6,)]),
        (EndedByData, [(3,)]),
        (NeverRunning, [(3,)]),
        (Scanning, [(2, 3, 4), (2, 4)]),
        (ScanningOverBranches, [(4, 2)]),
        (ScanningOverLoops, [(3, 2)]),
        (Mapping, [(3, 2), (2,)]),
    ],
)
def test_loops_of_known_length_are_written_out(tmp_path, module, shapes):
    export(module(), tuple(torch.rand(shape) for shape in shapes), tmp_path / "net", via="torch")


def test_the_data_decide_how_often_a_bounded_loop_runs(tmp_path):
    module = EndedByData()
    model = export(module, torch.rand(3), tmp_path / "net", via="torch")
    for x in (torch.full((3,), -9.0), torch.full((3,), 4.0), torch.full((3,), 40.0)):
        steps, result = module(x)
        ours = model.run([x])
        assert ours[0] == steps.numpy()
        np.testing.assert_allclose(ours[1], result, rtol=1e-5)


def test_other_extents_than_that_of_the_loop_stay_free(tmp_path):
    args = torch.rand(2, 3, 4), torch.rand(2, 4)
    args2 = torch.rand(5, 3, 4), torch.rand(5, 4)
    model = export(Scanning(), args, tmp_path / "net", args2=args2, via="torch")
    assert [each.shape for each in model.inputs] == [(-1, 3, 4), (-1, 4)]


class AttendingByFunctions(torch.nn.Module):
    """The scores and masks of an attention are functions of places, of which one reads a weight."""

    def __init__(self, dtype=torch.float32):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.randn(4, 9))
        self.layer = torch.nn.Linear(8, 32, dtype=dtype)

    def forward(self, x):
        parts = self.layer(x).split([16, 8, 8], -1)
        parts = [part.unflatten(-1, (-1, 4)).transpose(1, 2) for part in parts]
        sizes = (None, None, x.shape[1], x.shape[1], "cpu")
        after_first = create_block_mask(lambda b, h, i, j: (i >= j) & (i > 0), *sizes)  # nothing is left for the first
        biased = flex_attention(
            *parts, lambda score, b, h, i, j: score + self.bias[h, (i - j).abs()], after_first, enable_gqa=True
        )
        bounded, statistics = flex_attention(
            *parts,
            lambda score, b, h, i, j: 3 * torch.tanh(score / 3),
            enable_gqa=True,
            return_aux=AuxRequest(lse=True),
        )
        return biased, bounded, statistics.lse


@pytest.mark.filterwarnings("ignore:flex_attention called without")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_functions_of_scores_are_written_out(tmp_path, dtype):
    model = export(AttendingByFunctions(dtype), torch.randn(2, 9, 8, dtype=dtype), tmp_path / "net", via="torch")
    assert not model(torch.randn(2, 9, 8, dtype=dtype))[0][:, :, 0].any()


class Unbounded(torch.nn.Module):
    def forward(self, x):
        return while_loop(lambda x: x.sum() < 50, lambda x: (x * 2 + 1,), (x,))


class UnboundedCounting(torch.nn.Module):
    def forward(self, x):
        def condition(i, x):
            return x.sum() < 50 + i * 0

        return while_loop(condition, lambda i, x: (i + 1, x * 2 + 1), (number(0), x))


class CountIsRead(torch.nn.Module):
    """The data decide the last value of a number of Python."""

    def forward(self, x):
        def condition(i, n, x):
            return torch.logical_and(n < 3, x.sum() < 50)

        i, _, x = while_loop(condition, lambda i, n, x: (i + 1, n + 1, x * 2 + 1), (0, number(0), x))
        return x + i


def refusal(tmp_path, module, args, **options) -> str:
    with pytest.raises(ExportError) as caught:
        export(module, args, tmp_path / "net", via="torch", **options)
    assert os.listdir(tmp_path) == []
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_loops_of_unknown_length_are_refused(tmp_path):
    for module in (Unbounded(), UnboundedCounting()):
        assert "a while_loop for which no number of steps" in refusal(tmp_path, module, torch.rand(2))
    assert "count in a tensor" in refusal(tmp_path, CountIsRead(), torch.rand(2))
    args, args2 = (torch.rand(2, 3, 4), torch.rand(2, 4)), (torch.rand(2, 5, 4), torch.rand(2, 4))
    text = refusal(tmp_path, Scanning(), args, args2=args2)
    assert "a scan over an axis with a free extent" in text
    assert "a map of 1001 steps" in refusal(tmp_path, Mapping(), (torch.rand(1001, 2), torch.rand(2)))


class Branching(torch.nn.Module):
    def forward(self, x):
        torch._check(x.shape[1] % 2 == 0)
        x = x * 2 if x.shape[0] * x.shape[1] > 20 else x
        return x.reshape(x.shape[0], 2, -1)


def test_conditions_on_sizes_are_checked_for_each_size(tmp_path):
    args, args2 = torch.rand(8, 4), torch.rand(9, 6)
    model = export(Branching(), args, tmp_path / "net", args2=args2, via="torch")
    assert model(torch.rand(6, 4)).shape == (6, 2, 2)
    with pytest.raises(
        KuiperError, match=r"exported for sizes with .*x\.shape\[0\].* > 20 \(.*flow\.py:\d+\)"
    ) as caught:
        model(torch.rand(5, 4))
    assert caught.value.code == ErrorCode.INPUT
    with pytest.raises(KuiperError, match=r"exported for sizes with \(x\.shape\[1\] % 2\) == 0"):
        model(torch.rand(8, 5))


class Doubled(torch.nn.Module):
    def forward(self, x, y):
        torch._check(y.shape[0] == 2 * x.shape[0])
        return x.sum() + y


def test_an_extent_that_depends_on_another_is_checked(tmp_path):
    args, args2 = (torch.rand(3), torch.rand(6)), (torch.rand(4), torch.rand(8))
    model = export(Doubled(), args, tmp_path / "net", args2=args2, via="torch")
    with pytest.raises(KuiperError, match=r"exported for sizes with [xy]\.shape\[0\] == .*[xy]\.shape\[0\]"):
        model(torch.rand(3), torch.rand(5))


class Checking(torch.nn.Module):
    def forward(self, x, count):
        torch._assert_async((x < 9).all(), "elements must be less than nine")
        number = count.item()
        torch._check(number >= 2)
        torch._check(number < x.shape[0])
        return x[:number] + 1


def test_assertions_on_elements_are_checked_while_running(tmp_path):
    model = export(Checking(), (torch.rand(8, 4), torch.tensor(3)), tmp_path / "net", via="torch")
    assert model(torch.rand(8, 4), torch.tensor(5)).shape == (5, 4)
    with pytest.raises(KuiperError, match="elements must be less than nine") as caught:
        model(torch.full((8, 4), 10.0), torch.tensor(3))
    assert caught.value.code == ErrorCode.INPUT
    with pytest.raises(KuiperError, match="u0 >= 2"):
        model(torch.rand(8, 4), torch.tensor(1))
    with pytest.raises(KuiperError, match="u0 <= 7"):
        model(torch.rand(8, 4), torch.tensor(8))


class Grouped(torch.nn.Module):
    """Adds up rows by group, behind a recurrent layer. The number of groups is an integer of Python."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.LSTM(4, 3, batch_first=True)

    def forward(self, x, group):
        rows = self.layer(x)[0][0]
        return rows.new_zeros(int(group.max()) + 1, 3).index_add_(0, group, rows)


def test_an_element_as_an_extent(tmp_path):
    module = Grouped().eval()
    model = export(module, (torch.rand(2, 3, 4), torch.tensor([0, 2, 2])), tmp_path / "net", via="torch")
    x, group = torch.rand(2, 3, 4), torch.tensor([4, 1, 1])
    np.testing.assert_allclose(model(x, group), module(x, group).detach(), rtol=1e-5, atol=1e-6)


class WritingData(torch.nn.Module):
    def __init__(self, write):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(3, 3))
        self.write = write

    def forward(self, x):
        self.write(self.weight)
        return x @ self.weight


def replace_data(weight):
    weight.data = torch.renorm(weight.data, 2, 0, 1.0)


@pytest.mark.parametrize("write", [lambda weight: weight.data.clamp_(min=0.1), replace_data])
def test_writes_into_the_data_of_weights_are_refused(tmp_path, write):
    assert "torch.export cannot take WritingData" in refusal(tmp_path, WritingData(write), torch.rand(2, 3))
