# SPDX-License-Identifier: MIT
"""The examples of docs/batch.md, run as they stand there."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from .helpers import DATA, expected_scores, make_pictures, with_package

PAGE = DATA.parents[3] / "docs" / "batch.md"
COUNT = 40


def example(heading: str) -> str:
    section = PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return code


def prepare(folder: pathlib.Path) -> None:
    """Rows in `in`, and a model."""
    for kind in ("param", "bin"):
        shutil.copy(DATA / f"scorer.pnnx.{kind}", folder / f"m.pnnx.{kind}")
    (folder / "in").mkdir()
    flat = make_pictures(COUNT).reshape(COUNT, -1)
    for shard in range(2):
        part = slice(shard * COUNT // 2, (shard + 1) * COUNT // 2)
        pixels = pa.array(list(flat[part]), pa.list_(pa.float32()))
        table = pa.table({"id": np.arange(part.start, part.stop), "pixels": pixels})
        pq.write_table(table, folder / "in" / f"{shard}.parquet")


def run_example(heading: str, folder: pathlib.Path) -> None:
    """Runs an example as a program."""
    prepare(folder)
    (folder / "example.py").write_text(example(heading))
    subprocess.run(
        [sys.executable, "example.py"],
        cwd=folder,
        env={**with_package(), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        check=True,
        timeout=80,
    )


def check(folder: pathlib.Path, column: str) -> None:
    table = pq.read_table(folder).sort_by("id")
    assert table["id"].to_pylist() == list(range(COUNT))
    scores = np.stack(table[column].to_numpy())
    np.testing.assert_allclose(scores, expected_scores(make_pictures(COUNT)), rtol=1e-5)


def needs(*packages: str) -> None:
    for package in packages:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"needs {package}")


def test_ray_data(tmp_path: pathlib.Path, cluster: None) -> None:
    prepare(tmp_path)
    text = example("Ray Data").replace('"in"', f'"{tmp_path}/in"').replace('"ray-out"', f'"{tmp_path}/ray-out"')
    exec(text.replace('"m.pnnx.param"', f'"{tmp_path}/m.pnnx.param"'), {})  # its workers run in other folders
    check(tmp_path / "ray-out", "pnnx_output_0")


def test_spark(tmp_path: pathlib.Path) -> None:
    needs("pyspark")
    if shutil.which("java") is None:
        pytest.skip("needs a Java virtual machine")
    run_example("Spark", tmp_path)
    check(tmp_path / "spark-out", "score")


def test_dask(tmp_path: pathlib.Path) -> None:
    needs("dask", "pandas")
    run_example("Dask", tmp_path)
    check(tmp_path / "dask-out", "score")
