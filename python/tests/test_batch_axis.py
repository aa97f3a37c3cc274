# SPDX-License-Identifier: MIT
"""Which models' rows may run together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kuiper_infer import Model
from kuiper_infer._batch_axis import why_rows_fixed, why_rows_mix
from kuiper_infer.batch.rows import RowModel
from serve import models


@pytest.mark.parametrize(
    ("text", "fixed", "mixed"),
    [
        (models.AFFINE, None, None),
        (models.PAIR, None, None),
        (models.AFFINE.replace("(1,3)", "(?,3)"), None, None),
        (models.CENTRED, None, "output 'y' of a row depends on the rows that run with it"),
        (models.FIXED, "does not take several rows", None),
        (models.slow(2, 4), "input 'x' is recorded with 4 rows", None),
        (models.AFFINE.replace("(1,3)", "(1,?)"), "more free extents", None),
    ],
)
def test_rows_run_together_only_where_they_are_free_and_apart(
    tmp_path: Path, text: str, fixed: str | None, mixed: str | None
) -> None:
    model = Model(str(models.write(tmp_path, text)))
    reason = why_rows_fixed(model, (8, 4, 2, 1))
    if fixed is not None:
        assert fixed in (reason or "")
        return
    assert reason is None
    found = why_rows_mix(model)
    assert found == mixed


@pytest.mark.parametrize(("text", "runs"), [(models.AFFINE, 2), (models.CENTRED, 5), (models.FIXED, 5)])
def test_a_job_runs_rows_together_only_where_they_are_apart(
    tmp_path: Path, text: str, runs: int, generator: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = RowModel(Model(str(models.write(tmp_path, text))), rows_per_call=3)
    extent = model.model.inputs[0].shape[1]
    rows = [[row] for row in generator.standard_normal((5, extent), np.float32)]
    alone = [model.model.run([row[0][None]])[0][0] for row in rows]
    model.run(rows[:2])  # finds out how several rows of that shape are run
    calls = []
    run = model.model.run
    monkeypatch.setattr(model.model, "run", lambda inputs: calls.append(inputs) or run(inputs), raising=True)
    results = model.run(rows)
    assert len(calls) == runs
    for expected, found in zip(alone, results.outputs[0], strict=True):
        np.testing.assert_array_equal(found, expected)
