# SPDX-License-Identifier: MIT
"""The options of the program, from the command line and from the environment."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kuiper_infer.serve.options import OPTIONS, Options, read_options, variable
from kuiper_infer.serve.server import Settings


def test_every_setting_has_an_option_and_the_same_default(tmp_path: Path) -> None:
    names = {name.replace("-", "_") for name, *_ in OPTIONS}
    assert {field.name for field in dataclasses.fields(Settings)} <= names
    assert read_options(["--models", str(tmp_path)], {}) == Options(Settings(tmp_path), "info", "text", None)


def test_the_environment_sets_what_the_command_line_leaves_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"KUIPER_SERVE_MODELS": str(tmp_path), "KUIPER_SERVE_HTTP_PORT": "7", "KUIPER_SERVE_GRPC_PORT": "8",
                   "KUIPER_SERVE_ACCESS_LOG": "on", "KUIPER_SERVE_LOG_FORMAT": "json", "KUIPER_SERVE_READY": "all",
                   "KUIPER_SERVE_DRAIN_SECONDS": "1.5", "KUIPER_SERVE_HOST": "",
                   "KUIPER_SERVE_HTTP_PROT": "9",
                   "KUIPER_SERVE_PORT": "tcp://10.0.0.1:80", "KUIPER_SERVE_SERVICE_PORT_HTTP": "8080"}  # fmt: skip
    # Kubernetes sets the last two for a service that is named kuiper-serve; no option has such a name.
    options = read_options(["--grpc-port", "9", "--log-level", "error"], environment)
    wanted = Settings(tmp_path, http_port=7, grpc_port=9, access_log=True, ready="all", drain_seconds=1.5)
    assert options == Options(wanted, "error", "json", None)
    said = "kuiper-serve: KUIPER_SERVE_HTTP_PROT is no option's variable; it is ignored\n"
    assert capsys.readouterr().err == said


def test_the_page_is_left_out_by_a_flag_or_an_option(tmp_path: Path) -> None:
    models = ["--models", str(tmp_path)]
    for arguments, environment in (["--no-page"], {}), (["--page", "off"], {}), ([], {"KUIPER_SERVE_PAGE": "off"}):
        assert read_options([*models, *arguments], environment).settings == Settings(tmp_path, page=False)
    assert read_options([*models, "--no-page"], {"KUIPER_SERVE_PAGE": "on"}).settings.page is False


WRONG = [
    ("page", "no", "'no' is not one of on, off"),
    ("http-port", "65536", "'65536' is not an integer from 0 to 65535"),
    ("grpc-port", "-1", "'-1' is not an integer from 0 to 65535"),
    ("max-requests", "0", "'0' is not an integer of at least 1"),
    ("max-request-bytes", "1e6", "'1e6' is not an integer of at least 1"),
    ("poll-seconds", "0", "'0' is not a positive number of seconds, at most 1000000"),
    ("body-seconds", "nan", "'nan' is not a positive number of seconds"),
    ("drain-seconds", "soon", "'soon' is not a number of seconds"),
    ("access-log", "yes", "'yes' is not one of on, off"),
    ("ready", "some", "'some' is not one of any, all"),
    ("log-format", "xml", "'xml' is not one of text, json"),
    ("log-level", "trace", "'trace' is not one of debug, info, warning, error"),
    ("models", "/nowhere", "/nowhere is not a folder"),
    ("import", "absent_module", "module 'absent_module' can't be imported"),
]


@pytest.mark.parametrize(("name", "value", "said"), WRONG)
def test_a_wrong_value_names_its_option_or_its_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    models = [] if name == "models" else ["--models", str(tmp_path)]
    with pytest.raises(SystemExit) as error:
        read_options([*models, f"--{name}={value}"], {})
    assert error.value.code == 2
    assert f"argument --{name}: {said}" in capsys.readouterr().err
    with pytest.raises(SystemExit) as error:
        read_options(models, {variable(name): value})
    assert error.value.code == 2
    assert f"kuiper-serve: error: {variable(name)}: {said}" in capsys.readouterr().err


def test_the_folder_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        read_options([], {})
    assert "--models or KUIPER_SERVE_MODELS has to name the folder of models" in capsys.readouterr().err
