# SPDX-License-Identifier: MIT
"""What the exporter computes at once, because neither inputs nor weights have a part in it."""

from __future__ import annotations

import re

import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')

from kuiper_infer import Model, export  # noqa: E402

AUTO = torch.export.Dim.AUTO


def types_of(model: Model) -> list[str]:
    with open(model.param) as file:
        return [line.split()[0] for line in file.read().splitlines()[2:]]


class Windows(torch.nn.Module):
    """Adds a mask that is written part by part, as the shifted windows of Swin have it, once for each of two layers."""

    def mask(self, x):
        height, width = x.shape[1:3]
        regions = x.new_zeros((height, width))
        for index, rows in enumerate((slice(0, -2), slice(-2, None))):
            regions[rows, -2:] = index + 1
        regions = regions.view(-1, width).unsqueeze(1) - regions.view(-1, width).unsqueeze(2)
        return regions.masked_fill(regions != 0, -100.0).masked_fill(regions == 0, 0.0)

    def forward(self, x):
        for _ in range(2):
            x = torch.softmax(x.unsqueeze(3) + self.mask(x), -1).sum(3) * x
        return x


def test_a_mask_is_stored_once(tmp_path):
    model = export(Windows(), torch.rand(2, 6, 4), tmp_path / "net", via="torch")
    types = types_of(model)
    assert types.count("pnnx.Attribute") == 1
    assert not {"aten::new_zeros", "aten::fill", "aten::slice_scatter", "aten::masked_fill"} & set(types)


def test_a_mask_of_a_free_size_stays_code(tmp_path):
    free = {"x": {1: AUTO}}
    model = export(Windows(), torch.rand(2, 6, 4), tmp_path / "net", via="torch", dynamic_shapes=free)
    assert "pnnx.Attribute" not in types_of(model) and "aten::masked_fill" in types_of(model)


@pytest.mark.parametrize(
    ("function", "kept"),
    [
        (lambda x: x + torch.zeros(4), "zeros"),
        (lambda x: x + torch.arange(4.0).mul(2), None),
        (lambda x: x + torch.rand(4).mul(0).add(1), "rand"),
        (lambda x: x + torch.arange(4).unsqueeze(0).repeat(1024, 512).sum(0)[:4], None),
        (lambda x: x + torch.ones(4).repeat(1024, 512)[:, :4].sum(0), None),
        (lambda x: x.sum() + torch.arange(4.0).repeat(1024, 512), "arange"),
        (lambda x: x.sum() + torch.arange(4.0).mul(2).repeat(1024, 512), None),
        (lambda x: x + torch.cat(torch.arange(8.0).mul(2).split(4)).view(2, 4)[1], None),
        (lambda x: x + torch.arange(8.0).mul(2)[::2], None),
        (lambda x: x + torch.arange(9.0).mul(2)[4::9], None),
        (lambda x: x + torch.arange(1.0).add(3).expand(4), None),
        (lambda x: x.bool() & torch.ones(4).eq(1), None),
        (lambda x: x.bfloat16() + torch.full((4,), 3.0).bfloat16(), None),
        (lambda x: x * torch.tensor(3.0).mul(2), None),
    ],
)
def test_what_is_computed_at_the_export(tmp_path, function, kept):
    class Net(torch.nn.Module):
        def forward(self, x):
            return function(x)

    types = types_of(export(Net(), torch.rand(3, 4), tmp_path / "net", via="torch"))
    made = {re.split(r"::|\.", each)[-1] for each in types} & {"zeros", "ones", "full", "arange", "rand"}
    assert made == ({kept} if kept else set())


def test_weights_stay_weights(tmp_path):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = torch.nn.Parameter(torch.rand(5, 4))
            self.register_buffer("places", torch.tensor([4, 0, 2]))

        def forward(self, x):
            return x + self.table[self.places].sum(0)

    model = export(Net(), torch.rand(3, 4), tmp_path / "net", via="torch")
    assert "aten::index" in types_of(model)


def written_by_parts(x):
    table = torch.zeros(3, 4)
    table[1:, :2] = 2
    table.view(-1)[5:7] += torch.tensor([3.0, 4.0])
    table[torch.tensor([0, 2]), torch.tensor([3, 1])] = 7.0
    return x + table


def viewed_before_and_after(x):
    table = torch.ones(3, 4)
    column = table[:, 1]
    column.mul_(5)
    table[0] = 2
    return x + table, x[:, 0] + column, x[0] * table.t()[1, 2]


def read_between(x):
    table = torch.ones(3, 4)
    table[0] = 2
    first = table.sum() + 1
    table[1] = 3
    return x + table, x * first


def written_with_an_input(x):
    table = torch.zeros(3, 4)
    table[1:] = 2
    table[0] = x[0]
    return table, table * x


def written_into_another_array(x):
    table = torch.ones(3, 4)
    other = torch.zeros(3)
    other[1] = 2
    table[:, 1] = other
    other[2] = 4
    return x + table, x[:, 0] * other


def copied_and_written(x):
    table = torch.ones(3, 4)
    table[0] = 2
    other = table.to(torch.float64)
    other[1] = 3
    return x + table, x + other


@pytest.mark.parametrize(
    ("function", "at_once"),
    [
        (written_by_parts, True),
        (viewed_before_and_after, True),
        (read_between, False),
        (copied_and_written, False),
        (written_with_an_input, False),
        (written_into_another_array, False),
    ],
)
def test_arrays_that_are_written_with_constants(tmp_path, monkeypatch, function, at_once):
    class Net(torch.nn.Module):
        def forward(self, x):
            return function(x)

    traces = []
    again = torch.export.ExportedProgram.run_decompositions
    monkeypatch.setattr(
        torch.export.ExportedProgram, "run_decompositions", lambda *args: traces.append(args) or again(*args)
    )
    model = export(Net(), torch.rand(3, 4), tmp_path / "net", via="torch")  # compares the model with PyTorch
    assert (traces == []) == at_once
    assert not at_once or not any("fill" in each or "scatter" in each for each in types_of(model))
