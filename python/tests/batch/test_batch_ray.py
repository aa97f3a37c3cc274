# SPDX-License-Identifier: MIT
"""kuiper_infer.ray: models in Ray Data."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

from .helpers import expected_scores, model_path, write_shards

ray_data = pytest.importorskip("ray.data", reason="needs ray[data]")
pytestmark = pytest.mark.usefixtures("cluster")


def test_a_dataset_goes_through_actors(tmp_path: pathlib.Path) -> None:
    from kuiper_infer.ray import predict

    pictures = write_shards(tmp_path, 4, 25)
    dataset = ray_data.read_parquet(str(tmp_path))
    scored = predict(
        dataset,
        model_path("scorer"),
        columns={"pixels": "pnnx_input_0"},
        outputs={"pnnx_output_0": "score"},
        keep=["id"],
        batch_size=8,
    )
    rows = sorted(scored.take_all(), key=lambda row: row["id"])
    assert [row["id"] for row in rows] == list(range(100))
    np.testing.assert_allclose([row["score"] for row in rows], expected_scores(pictures), rtol=1e-5)


def test_failing_rows() -> None:
    from kuiper_infer.ray import Predictor

    arguments: dict[str, Any] = {"columns": {"x": "pnnx_input_0"}, "outputs": {"pnnx_output_0": "y"}}
    rows = np.empty(2, object)
    rows[:] = [np.zeros((3, 8, 8), np.float32), np.zeros(5, np.float32)]
    done = Predictor(model_path("scorer"), **arguments, errors="column")({"x": rows})
    assert done["error"][0] == ""
    assert "shape (5,)" in done["error"][1]
    assert done["y"].shape == (2, 4)
    assert np.isnan(done["y"][1]).all()
    with pytest.raises(ValueError, match=r"row 1 of a batch: .*shape \(5,\)"):
        Predictor(model_path("scorer"), **arguments)({"x": rows})


def test_numbers_that_do_not_fit_the_input() -> None:
    from kuiper_infer.ray import Predictor

    predictor = Predictor(model_path("scorer"), columns={"x": "pnnx_input_0"}, errors="column")
    done = predictor({"x": np.full((1, 3, 8, 8), 1e300)})
    assert "column 'x': input 'pnnx_input_0': the float64 number 1e+300 at [0,0,0] is outside" in done["error"][0]


def test_an_actor_has_as_many_threads_as_cpus() -> None:
    """Ray says by OMP_NUM_THREADS how many threads an actor may use; the engine takes no more."""

    class Count:
        def __init__(self) -> None:
            from kuiper_infer import Model

            self.model = Model(model_path("scorer"))

        def __call__(self, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
            import os
            import time

            pictures = np.zeros((16, 3, 512, 512), np.float32)
            self.model(pictures)
            processor, wall = time.process_time(), time.perf_counter()
            for _ in range(5):
                self.model(pictures)
            used = (time.process_time() - processor) / (time.perf_counter() - wall)
            return {"threads": np.array([int(os.environ["OMP_NUM_THREADS"])]), "used": np.array([used])}

    actors = ray_data.ActorPoolStrategy(size=1)
    (row,) = ray_data.range(1).map_batches(Count, compute=actors, num_cpus=1).take_all()
    assert row["threads"] == 1
    assert row["used"] < 1.2
