# SPDX-License-Identifier: MIT
"""Jobs that work in one folder at the same time, in processes of their own, leave each other's files alone."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from kuiper_infer import Model
from kuiper_infer.batch import TableModel
from kuiper_infer.batch.claims import claim, claims
from kuiper_infer.batch.groups import group_images
from kuiper_infer.batch.ownership import has_ended, this_process
from kuiper_infer.batch.shards import Shard
from kuiper_infer.batch.storage import TEMPORARY, Storage
from kuiper_infer.batch.worker import Job, process

from .helpers import expected_scores, model_path, read_outputs, start_job, with_package, write_shards

SLOW_WRITER = """
import sys
from kuiper_infer.batch.storage import Storage
with Storage(sys.argv[1]).written_whole("slow") as stream:
    print("open", flush=True)
    sys.stdin.readline()
    stream.write(b"whole")
"""


@pytest.fixture
def writer(tmp_path: pathlib.Path):
    """Another process, which is writing a file `slow` and ends it when it gets a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_WRITER, str(tmp_path)],
        env=with_package(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout and process.stdout.readline() == "open\n"
    yield process
    process.kill()
    process.communicate()


def test_a_file_appears_when_it_is_whole(tmp_path: pathlib.Path) -> None:
    storage = Storage(str(tmp_path))
    with pytest.raises(ZeroDivisionError), storage.written_whole("a/b") as stream:
        stream.write(b"half")
        raise ZeroDivisionError
    assert storage.files() == []
    for text in (b"one", b"two"):
        with storage.written_whole("a/b") as stream, storage.written_whole("a/b") as other:
            other.write(b"never seen")
            stream.write(text)
        assert storage.read("a/b") == text
    assert storage.files() == ["a/b"]
    storage.delete_temporary()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_files_that_a_running_process_writes_stay(tmp_path: pathlib.Path, writer: subprocess.Popen[str]) -> None:
    Storage(str(tmp_path)).delete_temporary()
    writer.communicate("\n", timeout=20)
    assert writer.returncode == 0
    assert (tmp_path / "slow").read_bytes() == b"whole"


def test_files_of_a_killed_process_go(tmp_path: pathlib.Path, writer: subprocess.Popen[str]) -> None:
    assert len(list(tmp_path.glob(f"{TEMPORARY}*"))) == 1
    writer.send_signal(signal.SIGKILL)
    end = time.monotonic() + 10
    while list(tmp_path.iterdir()):  # a zombie at first, since nobody has waited for it
        assert time.monotonic() < end
        Storage(str(tmp_path)).delete_temporary()
        time.sleep(0.01)


def test_files_of_other_machines_go_after_a_day(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / f"{TEMPORARY}another-machine.12.34"
    folder.mkdir()
    (folder / "new").touch()
    (folder / "old").touch()
    os.utime(folder / "old", (time.time() - 25 * 3600,) * 2)
    Storage(str(tmp_path)).delete_temporary()
    assert [path.name for path in folder.iterdir()] == ["new"]


def test_who_has_ended() -> None:
    world, pid, start = this_process().split(".")
    assert not has_ended(this_process())
    assert has_ended(f"{world}.{pid}.{int(start) + 1}")  # its number was given to this one
    assert has_ended(f"{world}.{2**22 + 1}.{start}")  # greater than all numbers of processes
    for unknown in (f"other.{2**22 + 1}.1", "", "x", f"{world}.word.1", world):
        assert not has_ended(unknown)


def test_two_equal_jobs_give_every_row_once(tmp_path: pathlib.Path) -> None:
    pictures = write_shards(tmp_path / "in", 30, 20)
    jobs = [start_job(str(tmp_path / "in"), str(tmp_path / "out")) for _ in range(2)]
    said = [job.communicate(timeout=80)[0] for job in jobs]
    assert [job.returncode for job in jobs] == [0, 0]
    assert all("30 of 30 shards done" in text and "0 failed" in text for text in said)
    rows = sum(int(re.search(r"now (\d+) rows", text)[1]) for text in said)  # type: ignore[index]
    assert 600 <= rows <= 1200  # some are done twice
    table = read_outputs(tmp_path / "out")
    assert table["id"].to_pylist() == list(range(600))
    np.testing.assert_allclose(np.stack(table["pnnx_output_0"].to_numpy()), expected_scores(pictures), rtol=1e-5)
    assert not list((tmp_path / "out").glob(f"{TEMPORARY}*"))


def test_an_output_that_another_job_has_made_meanwhile_stays(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its failed rows, which need not be those of this job: memory may have been short."""
    write_shards(tmp_path / "in", 1, 5)
    output = Storage(str(tmp_path / "out"))
    job = Job(Storage(str(tmp_path / "in")), output, {"pixels": "pnnx_input_0"}, {})
    model = job.table_model(Model(model_path("scorer"), threads=1))
    shard = Shard("a/part-0.parquet", ("a/part-0.parquet",))
    run = TableModel.__call__

    def run_behind_another(*arguments):
        for name in (shard.output, f"_failed/{shard.output}"):
            with output.written_whole(name) as stream:
                stream.write(b"of another job")
        return run(*arguments)

    monkeypatch.setattr(TableModel, "__call__", run_behind_another)
    assert process(shard, job, model).error == ""
    assert output.read(shard.output) == output.read(f"_failed/{shard.output}") == b"of another job"
    output.delete_temporary()
    assert output.files() == ["_failed/a/part-0.parquet", "a/part-0.parquet"]


def test_of_two_different_jobs_at_most_one_works(tmp_path: pathlib.Path) -> None:
    write_shards(tmp_path / "in", 4, 5)
    names = ("one", "two")
    jobs = [start_job(str(tmp_path / "in"), str(tmp_path / "out"), "--name", f"pnnx_output_0={name}") for name in names]
    for job in jobs:
        job.communicate(timeout=80)
    codes = [job.returncode for job in jobs]
    assert sorted(codes) in ([0, 2], [2, 2])
    if 0 in codes:
        assert names[codes.index(0)] in read_outputs(tmp_path / "out").column_names


def _claim_each(folder: str, content: bytes, barrier, rounds: int, results) -> None:
    won = []
    for number in range(rounds):
        output = Storage(f"{folder}/{number}")
        barrier.wait(20)
        try:
            with claim(output, "_job", ".json", content) as others:
                if any(other != content for other in others):
                    raise ValueError
            won.append(number)
        except ValueError:
            pass
    results.put(won)


def test_at_most_one_of_two_claims_stands(tmp_path: pathlib.Path) -> None:
    """At the same moment, a hundred times."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(2), context.Queue()
    arguments = [(str(tmp_path), content, barrier, 100, results) for content in (b"1", b"2")]
    processes = [context.Process(target=_claim_each, args=each) for each in arguments]
    for worker in processes:
        worker.start()
    one, two = (results.get(timeout=40) for _ in processes)
    for worker in processes:
        worker.join(10)
    assert not set(one) & set(two)
    for number in range(100):
        assert len(claims(Storage(f"{tmp_path}/{number}"), "_job")) == (number in one) + (number in two)


def test_groups_made_at_the_same_time(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = Storage(str(tmp_path))
    written_whole = Storage.written_whole

    def group_while_another(images: str, size: int, other_size: int) -> list[list[str]]:
        """Another job makes groups after this one has looked for some and before it keeps its own."""

        def write_second(self: Storage, name: str):
            monkeypatch.setattr(Storage, "written_whole", written_whole)
            group_images(list(images), output, other_size)
            return written_whole(self, name)

        monkeypatch.setattr(Storage, "written_whole", write_second)
        return group_images(list(images), output, size)

    assert group_while_another("abc", 2, 2) == [["a", "b"], ["c"]]
    assert group_while_another("abcde", 2, 2) == [["a", "b"], ["c"], ["d", "e"]]
    with pytest.raises(ValueError, match="two jobs make different groups"):
        group_while_another("abcdefg", 2, 1)
    assert group_images(list("abcdefg"), output, 2)[3:] == [["f"], ["g"]]  # those of the other job stand
