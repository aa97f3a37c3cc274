# SPDX-License-Identifier: MIT
"""A job from an object store to an object store: S3 as spoken by moto, a server of another project."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs

from kuiper_infer.batch.storage import Storage

from .helpers import expected_scores, make_pictures, start_job

pytest.importorskip("ray", reason="needs ray")
moto_server = pytest.importorskip("moto.server", reason="needs moto[server]")


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[fs.FileSystem]:
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    system, bucket = fs.FileSystem.from_uri("s3://bucket?allow_bucket_creation=true")
    system.create_dir(bucket)
    yield system
    server.stop()


def test_from_s3_to_s3(s3: fs.FileSystem) -> None:
    pictures = make_pictures(30)
    for shard in range(3):
        part = slice(shard * 10, shard * 10 + 10)
        tensors = pa.FixedShapeTensorArray.from_numpy_ndarray(pictures[part])
        table = pa.table({"id": np.arange(part.start, part.stop), "pixels": tensors})
        pq.write_table(table, f"bucket/in/{shard}.parquet", filesystem=s3)
    for expected in ("now 30 rows", "now 0 rows"):
        job = start_job("s3://bucket/in/*.parquet", "s3://bucket/out")
        said, _ = job.communicate(timeout=40)
        assert job.returncode == 0
        assert expected in said
    output = Storage("s3://bucket/out")
    names = output.files()
    assert names[:3] == ["0.parquet", "1.parquet", "2.parquet"]
    assert [name[:5] for name in names[3:]] == ["_job-"]
    parts = [pq.read_table(io.BytesIO(output.read(f"{shard}.parquet"))) for shard in range(3)]
    table = pa.concat_tables(parts)
    assert table["id"].to_pylist() == list(range(30))
    np.testing.assert_allclose(np.stack(table["pnnx_output_0"].to_numpy()), expected_scores(pictures), rtol=1e-5)


def test_two_jobs_in_one_place(s3: fs.FileSystem) -> None:
    """Equal ones do the work twice, another one is refused, and so is one whose results would be its inputs."""
    for shard in range(3):
        table = pa.table({"id": range(4), "pixels": [[0.5] * 192] * 4})
        pq.write_table(table, f"bucket/two/{shard}.parquet", filesystem=s3)
    jobs = [start_job("s3://bucket/two", "s3://bucket/both") for _ in range(2)]
    for job in jobs:
        job.communicate(timeout=80)
        assert job.returncode == 0
    output = Storage("s3://bucket/both")
    assert [name for name in output.files() if name[0] != "_"] == ["0.parquet", "1.parquet", "2.parquet"]
    assert not [name for name in output.files() if name.startswith("_temporary")]
    for target, more in (("s3://bucket/both", ("--any-shape",)), ("s3://bucket/two/out", ()), ("s3://bucket/two/", ())):
        job = start_job("s3://bucket/two", target, *more)
        job.communicate(timeout=40)
        assert job.returncode == 2
