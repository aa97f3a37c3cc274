# SPDX-License-Identifier: MIT
"""A browser and a service with a model of each kind, for the tests of the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import tiny_decoder

from . import models
from .running_service import Service

pytest.importorskip("selenium", reason='the tests of the page need selenium: pip install ".[test]"')

from . import browser as browsers

HOSTILE = "<img/src=x/onerror=document.title='owned'>"


@pytest.fixture(scope="session")
def chromium() -> Iterator[browsers.Browser]:
    """A browser for all tests, without which they are left out."""
    reason = browsers.missing()
    if reason is not None:
        pytest.skip(reason)
    browser = browsers.Browser()
    yield browser
    browser.end()


@pytest.fixture
def browser(chromium: browsers.Browser, shown: Service) -> Iterator[browsers.Browser]:
    """The browser. Scripts have to complain about nothing, and pages to ask only their own service."""
    chromium.complaints(), chromium.asked()
    chromium.emulate(prefers_color_scheme="light")
    yield chromium
    assert chromium.complaints() == []
    foreign = {url for url in chromium.asked() if not url.startswith((shown.url, "about:", "blob:", "data:"))}
    assert foreign == set()


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service whose page is looked at."""
    folder = tmp_path_factory.mktemp("shown")
    write_models(folder / "models")
    service = Service(folder / "models", folder / "log", "--reports", "on")
    service.wait(service.ready)
    yield service
    assert service.end() == 0
    assert "Traceback" not in service.log.read_text()


def write_models(folder: Path) -> None:
    """Writes a model of each kind."""
    models.write(folder / "affine" / "1", models.AFFINE)
    models.write(folder / "broken" / "1", "no model")
    models.write(folder / "colours" / "1", models.COLOURS)
    models.write(folder / "hostile" / "1", models.AFFINE.replace(" x 0", f" {HOSTILE} 0"))
    models.write(folder / "pair" / "1", models.PAIR)
    endless_decoder(folder / "chatty" / "1")


def endless_decoder(folder: Path) -> None:
    """A decoder whose answers end when there is no more room. Many of its tokens are markup."""
    tiny_decoder.write(folder, "threads = 1\n")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    tokenizer["model"]["vocab"] = {(HOSTILE + name if name in "0123456789" else name): number for name, number in vocabulary.items()}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    template = "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}"
    settings = {"bos_token": None, "eos_token": None, "chat_template": template}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
