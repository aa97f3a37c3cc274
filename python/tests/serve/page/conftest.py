# SPDX-License-Identifier: MIT
"""A browser and a service with a model of each kind, for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ..running_service import Service, serving

pytest.importorskip("selenium", reason='the tests of the page need selenium: pip install ".[test]"')

from . import browser as browsers
from .shown_models import write_models


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
    chromium.open("about:blank")  # the page of the test before asks its own service as long as it is open
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
    with serving(folder, "--reports", "on") as service:
        yield service
