# SPDX-License-Identifier: MIT
"""The examples of docs/serving.md do what the page says."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from kuiper_infer.serve.config import ModelConfig, read_config

from . import models
from .running_service import Start

PAGE = (Path(__file__).parents[3] / "docs" / "serving.md").read_text()
EXAMPLES = re.findall(r"```sh\n([^`]*)```\n```json\n([^`]*)\n```", PAGE)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_examples(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE)
    service = start()
    service.wait(service.ready)
    assert len(EXAMPLES) >= 6
    for command, answer in EXAMPLES:
        here = command.replace("localhost:8080", service.http)
        assert here != command
        run = subprocess.run(["bash", "-c", here], check=True, capture_output=True, text=True, timeout=30)
        assert run.stdout == answer


def test_the_configuration_shown_is_the_default(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert tomllib.loads(shown)["batching"] == {"max_size": 1, "max_wait_ms": 0.0}
    path = tmp_path / "config.toml"
    path.write_text(shown)
    assert read_config(path) == ModelConfig()
    path.write_text(shown.replace("# max_memory", "max_memory"))
    assert read_config(path).max_memory == 500_000_000


def test_the_metrics_named_are_there(start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE)
    service = start()
    service.wait(service.ready)
    assert service.infer("affine", [[1, 2, 3]]).status_code == 200
    of_all_models, _, _ = PAGE.partition("Language models have these besides")
    named = re.findall(r"^\| `(kuiper_infer_\w+)`", of_all_models, re.MULTILINE)
    assert len(named) == 7
    for name in named:
        suffix = "_count" if name.endswith(("_seconds", "_requests")) else ""
        assert service.metric(name + suffix) > 0 or name == "kuiper_infer_queue_length"
