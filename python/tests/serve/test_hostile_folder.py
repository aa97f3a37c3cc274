# SPDX-License-Identifier: MIT
"""A folder of models that holds what nobody should read: the watch goes on, and the service ends when it is told to."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import httpx
import pytest

from kuiper_infer.serve import files, folder
from kuiper_infer.serve.config import ConfigError, read_config
from kuiper_infer.serve.folder import Place, StableFolder

from . import models
from .running_service import Start


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/ptmx")


def bound_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(path.parent)  # names of sockets are short
        try:
            listener.bind(path.name)
        finally:
            os.chdir(here)


@pytest.mark.parametrize("make", [pipe, endless, terminal, bound_socket, Path.mkdir])
def test_only_regular_files_are_read(tmp_path: Path, make) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "config.toml"
    make(path)
    with pytest.raises(OSError):
        files.read_small(path, 100)
    with pytest.raises(OSError, match="expected a regular file"):
        files.require_regular(path)
    with pytest.raises(ConfigError, match="config.toml"):
        read_config(path)


def test_configurations_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ConfigError, match="more than 65536 bytes"):
        read_config(path)
    for text, said in (
        ("a = " + "[" * 20_000, "nested too deeply"),
        ("a = " + "{b = " * 10_000, "nested too deeply"),
        ("threads = " + "9" * 5000, "digits"),
        ("threads = " + "[" * 50 + "]" * 50, "has to be an integer"),
    ):
        path.write_text(text)
        with pytest.raises(ConfigError, match=said) as error:
            read_config(path)
        assert len(str(error.value)) < 1000


def test_the_watch_goes_on_beside_files_that_have_no_end(start: Start, tmp_path: Path) -> None:
    here = tmp_path / "models"
    bad = [(name, make) for name in (folder.PARAM, folder.BIN, folder.CONFIG) for make in (pipe, endless)]
    for number, (name, make) in enumerate(bad):
        models.write(here / f"bad{number}" / "1", models.AFFINE)
        (here / f"bad{number}" / "1" / name).unlink(missing_ok=True)
        make(here / f"bad{number}" / "1" / name)
    models.write(here / "good" / "1", models.AFFINE)
    service = start("--grace-seconds", "100")
    service.wait(lambda: service.metric("kuiper_infer_model_loads_total", result="failure") == len(bad))
    service.wait(lambda: service.infer("good", [[1, 2, 3]]).status_code == 200)
    assert service.log.read_text().count("expected a regular file") == len(bad)
    models.write(here / "later" / "1", models.AFFINE)
    service.wait(lambda: service.infer("later", [[1, 2, 3]]).status_code == 200)
    assert service.infer("bad0", [[1, 2, 3]]).status_code == 503
    begun = time.monotonic()
    assert service.end() == 0
    assert time.monotonic() - begun < 60


def test_names_that_are_no_text_are_left_alone(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "good" / "1", models.AFFINE)
    odd = os.fsencode(tmp_path / "models") + b"/\xff\xfe"
    os.mkdir(odd)
    models.write(Path(os.fsdecode(odd)) / "1", models.AFFINE)
    service = start()
    service.wait(service.ready)
    assert httpx.get(f"{service.url}/v2/models").json() == {"models": ["good"]}
    assert service.metric("kuiper_infer_model_ready") == 1


def test_a_folder_that_cannot_be_read_keeps_its_models_and_not_the_others_from_changing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.write(tmp_path / "closed" / "1", models.AFFINE)
    stable = StableFolder(tmp_path)
    stable.update()
    listed = Path.iterdir

    def iterdir(path: Path):  # type: ignore[no-untyped-def]
        if path.name == "closed":
            raise PermissionError
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    models.write(tmp_path / "open" / "1", models.AFFINE)
    stable.update()
    assert list(stable.update()) == [Place("closed", 1), Place("open", 1)]


def test_a_service_whose_load_never_returns_ends_all_the_same(start: Start, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "stuck.py").write_text(
        "import kuiper_infer.serve.served_model as served\n"
        "import time\n"
        "served.load = lambda root, place: time.sleep(1000)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    models.write(tmp_path / "models" / "m" / "1", models.AFFINE)
    service = start("--grace-seconds", "1", "--import", "stuck")
    time.sleep(1)  # the load has begun
    assert not service.ready()
    begun = time.monotonic()
    assert service.end() == 1
    assert time.monotonic() - begun < 60
    assert "ending without waiting any longer" in service.log.read_text()
