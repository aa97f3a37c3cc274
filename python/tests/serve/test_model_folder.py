# SPDX-License-Identifier: MIT
"""Configurations and the scan of the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from kuiper_infer.serve import folder
from kuiper_infer.serve.config import ConfigError, ModelConfig, read_config
from kuiper_infer.serve.folder import Place, StableFolder
from kuiper_infer.serve.served_model import load

from . import models


def test_no_configuration_gives_the_defaults(tmp_path: Path) -> None:
    assert read_config(tmp_path / "config.toml") == ModelConfig()


def test_a_configuration_is_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("threads = 3\nmax_memory = 1000\n[batching]\nmax_wait_ms = 2.5\n[limits]\nmax_queue = 7\n")
    config = read_config(path)
    assert (config.threads, config.max_memory, config.workers) == (3, 1000, 0)
    assert (config.batching.max_wait_ms, config.batching.max_size, config.limits.max_queue) == (2.5, 1, 7)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("thread = 1", "'thread' is not known; known are threads, workers"),
        ("threads = -1", "'threads' is -1, expected 0 or more"),
        ("max_memory = 0", "'max_memory' is 0, expected 1 or more"),
        ("precision = 'exact'", '\'precision\' is \'exact\', expected "highest", "high" or "medium"'),
        ("fuse_operators = 1", "'fuse_operators' has to be true or false, found 1"),
        ("convolution_method = 'magic'", "'convolution_method' is 'magic', expected "),
        ("cache = 'folder'", "'cache' is not known"),
        ("threads = 1.5", "'threads' has to be an integer, found 1.5"),
        ("threads = true", "'threads' has to be an integer, found True"),
        ("precision = 1", "'precision' has to be a string, found 1"),
        ("batching = 3", "'batching' has to be a table [batching], found 3"),
        ("[batching]\nsize = 3", "'batching.size' is not known; known are batching.max_size"),
        ("[batching]\nmax_wait_ms = nan", "'batching.max_wait_ms' has to be in 0 to 10000, found nan"),
        ("[limits]\nmax_queue = 0", "'limits.max_queue' has to be in 1 to inf, found 0"),
        ("threads = ", "Invalid value"),
        ("\xff", "codec can't decode"),
    ],
)
def test_a_wrong_configuration_names_file_key_and_expectation(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError) as error:
        read_config(path)
    assert str(error.value).startswith(f"{path}: ")
    assert said in str(error.value)


def test_a_scan_finds_whole_versions_only(tmp_path: Path) -> None:
    models.write(tmp_path / "a" / "1", models.AFFINE)
    models.write(tmp_path / "a" / "12", models.AFFINE)
    models.write(tmp_path / "b" / "2", models.AFFINE)
    for other in ("a/x", "a/01", "a/-1", "a/.3", ".hidden/1"):
        models.write(tmp_path / other, models.AFFINE)
    models.write(tmp_path / "half" / "1", models.AFFINE)
    (tmp_path / "half" / "1" / folder.BIN).unlink()
    (tmp_path / "file").write_text("")
    assert list(folder.scan(tmp_path)[0]) == [Place("a", 1), Place("a", 12), Place("b", 2)]


def test_a_change_counts_when_two_scans_agree(tmp_path: Path) -> None:
    stable = StableFolder(tmp_path)
    param = models.write(tmp_path / "a" / "1", models.AFFINE)
    place = Place("a", 1)
    assert stable.update() == {}
    first = stable.update()
    assert list(first) == [place]
    with param.open("a") as file:  # a copy that goes on
        for _ in range(3):
            file.write("\n")
            file.flush()
            assert stable.update() == first
    changed = stable.update()
    assert changed[place] != first[place]
    (tmp_path / "a" / "1" / folder.CONFIG).write_text("threads = 1")
    assert stable.update() == changed
    assert stable.update()[place] != changed[place]
    param.unlink()
    assert list(stable.update()) == [place]
    assert stable.update() == {}


def test_the_options_of_a_configuration_reach_the_model(tmp_path: Path) -> None:
    said = {"threads": 2, "measure_methods": True, "fuse_operators": False, "convolution_method": "rows"}
    text = 'threads = 2\nmeasure_methods = true\nfuse_operators = false\nconvolution_method = "rows"\n'
    models.write(tmp_path / "affine" / "1", models.AFFINE, text)
    engine = load(tmp_path, Place("affine", 1)).engine
    assert {name: getattr(engine, name) for name in said} == said
    assert (engine.place_results, engine.precision, engine.max_memory, engine.cache) == (None, "highest", None, None)
