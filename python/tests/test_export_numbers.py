# SPDX-License-Identifier: MIT
"""`export` finds numbers of the example in the file, by a run with other ones; and what `Build` says of such files."""

from __future__ import annotations

import functools

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason='needs PyTorch: pip install ".[export]"')
pytest.importorskip("pnnx", reason='needs the converter: pip install ".[export]"')

import modules  # noqa: E402
from kuiper_infer import Model, _export  # noqa: E402
from kuiper_infer._export import ExportError, ExportWarning  # noqa: E402

export = functools.partial(_export.export, via="pnnx")

X, INDEX = torch.rand(4, 4, generator=torch.Generator().manual_seed(1)), torch.tensor([[3, 1, 0, 2]] * 4)


IN_PLACE = {
    "masked_fill_": lambda m, x, i: x + torch.zeros(4, 4).masked_fill_(x > 0.6, 2.0),
    "index_add_": lambda m, x, i: torch.zeros(5, 4).index_add_(0, i[0], x),
    "scatter_add_": lambda m, x, i: torch.zeros(5, 4).scatter_add_(0, i, x),
    "index_put_": lambda m, x, i: torch.zeros(5, 4).index_put_((i[0],), x, accumulate=True),
    "z[i] = x": lambda m, x, i: _assign(torch.zeros(5, 4), i[0] * (x[0] > 0.5), x),
    "z[x > 0.5] = 1": lambda m, x, i: x + _assign(torch.zeros(4, 4), x > 0.5, 1.0),
    "scatter_": lambda m, x, i: torch.full_like(x, -1.0).scatter_(1, i * (x > 0.5), x),
    "masked_scatter_": lambda m, x, i: torch.zeros(4, 4).masked_scatter_(x > 0.5, x),
    "index_copy_": lambda m, x, i: torch.zeros(5, 4).index_copy_(0, (i * (x > 0.5))[0], x),
    "index_fill_": lambda m, x, i: x.sum() + torch.zeros(5, 4).index_fill_(0, (i * (x > 0.5))[0], 3.0),
    "mul_": lambda m, x, i: _times(m.weight * 2, x),
}


def told_of(model: Model) -> str:
    return "\n".join(model.info().warnings)


def _assign(array, index, value):
    array[index] = value
    return array


def _times(array, factor):
    return array.mul_(factor)


@pytest.mark.parametrize("kind", IN_PLACE)
def test_arrays_that_are_written_in_place_are_refused(tmp_path, kind):
    module = modules.WritingInto(IN_PLACE[kind])
    with pytest.raises(ExportError, match="departs from PyTorch's results"):
        export(module, (X, INDEX), tmp_path / "net")
    told = told_of(export(module, (X, INDEX), tmp_path / "net", check=False))
    assert ("writes into the constant 'pnnx_fold_" in told) == (kind != "mul_")  # which no file tells


@pytest.mark.parametrize("kind", ["masked_fill", "index_add", "scatter_add", "scatter"])
def test_the_same_out_of_place_is_right(tmp_path, kind):
    write = {
        "masked_fill": lambda m, x, i: x + torch.zeros(4, 4).masked_fill(x > 0.6, 2.0),
        "index_add": lambda m, x, i: torch.zeros(5, 4).index_add(0, i[0], x),
        "scatter_add": lambda m, x, i: torch.zeros(5, 4).scatter_add(0, i, x),
        "scatter": lambda m, x, i: torch.full((4, 4), -1.0).scatter(1, i, x),
    }[kind]
    assert told_of(export(modules.WritingInto(write), (X, INDEX), tmp_path / "net")) == ""


@pytest.mark.parametrize("lengths", [(5,), (5, 7)])
def test_padding_masks_of_attention(tmp_path, lengths):
    """Of one size the mask is cleared when the file is loaded, of two it stays in the graph."""
    calls = []
    for batch, length in enumerate(lengths, 2):
        padding = torch.zeros(batch, length, dtype=torch.bool)
        padding[:, 3:] = True
        calls.append((torch.rand(batch, length, 16), padding))
    module = modules.PaddedEncoder()
    model = export(module, calls[0], tmp_path / "net", args2=calls[1] if len(calls) > 1 else None)
    for first in (1, 5):
        padding = torch.zeros(2, 5, dtype=torch.bool)
        padding[:, first:] = True
        with torch.no_grad():
            expected = module.eval()(calls[0][0], padding)
        np.testing.assert_allclose(model(calls[0][0], padding), expected, rtol=1e-3, atol=1e-4)


def test_a_padding_mask_of_as_many_sequences_as_steps(tmp_path):
    """The converter does not tell it from a mask of (queries, keys)."""
    padding = torch.zeros(5, 5, dtype=torch.bool)
    padding[1:, 3:] = True
    with pytest.raises(ExportError, match="departs"):
        export(modules.PaddedEncoder(), (torch.rand(5, 5, 16), padding), tmp_path / "net")


@pytest.mark.parametrize("cell", [torch.nn.GRUCell, torch.nn.LSTMCell])
def test_cells_that_begin_with_zeros(tmp_path, cell):
    x, longer = torch.rand(2, 4), torch.rand(3, 4)
    with pytest.raises(ExportError, match="departs from PyTorch's results"):
        export(modules.Cells(cell(4, 6), 2), x, tmp_path / "net")
    told = told_of(export(modules.Cells(cell(4, 6), 2), x, tmp_path / "net", check=False))
    assert "the first state of a recurrent cell" in told
    model = export(modules.Cells(cell(4, 6)), x, tmp_path / "net", args2=longer)
    assert model.run([torch.rand(5, 4)])[0].shape == (5, 6)


def test_conjugated_constants(tmp_path):
    x = torch.complex(torch.rand(3, 4), torch.rand(3, 4))
    with pytest.raises(ExportError, match="departs"):
        export(modules.Conjugated(lambda c: c.conj()), x, tmp_path / "net")
    export(modules.Conjugated(lambda c: torch.complex(c.real, -c.imag)), x, tmp_path / "net")


def test_loops_over_a_free_batch(tmp_path):
    with pytest.raises(ExportError):
        export(modules.LoopOverBatch(), torch.rand(2, 4), tmp_path / "net", args2=torch.rand(3, 4))
    export(modules.LoopOverBatch(), torch.rand(2, 4), tmp_path / "net")  # for one size it is right


def test_a_way_of_its_own_for_larger_batches(tmp_path):
    """A third batch is tried, a row more than the second."""
    with pytest.raises(ExportError, match="departs .* for other numbers than those of args2 and a row more"):
        export(modules.OtherWhenMany(4), torch.rand(3, 4), tmp_path / "net", args2=torch.rand(4, 4))


def test_numbers_that_the_module_refuses(tmp_path):
    class Refusing(torch.nn.Module):
        def forward(self, x):
            if not torch.jit.is_tracing() and float(x[0]) != 1:
                raise ValueError("the first number has to be 1")
            return x * 2

    with pytest.warns(ExportWarning, match="not compared for other numbers than those of args.*has to be 1"):
        model = export(Refusing(), torch.tensor([1.0, 2.0, 3.0]), tmp_path / "net")
    assert isinstance(model, Model)
