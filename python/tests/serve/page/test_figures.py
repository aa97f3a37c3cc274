# SPDX-License-Identifier: MIT
"""Live figures on the page, the way there by keyboard, and both colour schemes, in a browser."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from .. import models
from ..running_service import Service, Start
from .browser import Browser, Keys


def figure(browser: Browser, title: str) -> str:
    cards = [text.split("\n") for text in browser.texts("figcaption")]
    return next(lines[1] for lines in cards if lines[0] == title)


def test_figures_follow_what_happens(browser: Browser, shown: Service) -> None:
    browser.open(f"{shown.url}/#figures")
    browser.until(lambda: figure(browser, "Requests") == "0 /s", "the first figures")
    ended = threading.Event()

    def ask() -> None:
        while not ended.is_set():
            assert shown.infer("affine", [[1, 2, 3]]).status_code == 200

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        browser.until(lambda: float(figure(browser, "Requests").split()[0]) > 5, "requests")
        browser.until(lambda: "ms" in figure(browser, "Time of a run"), "the time of a run")
    finally:
        ended.set()
        asking.join()
    assert figure(browser, "Memory").endswith("MiB") and "cores" in figure(browser, "Processor")
    table = browser.text("table")
    assert "affine" in table and "chatty" in table
    browser.until(lambda: figure(browser, "Requests") == "0 /s", "the end")


def test_a_service_that_has_gone(chromium: Browser, start: Start, tmp_path: Path) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE)
    service = start()
    service.wait(service.ready)
    chromium.open(f"{service.url}/#figures")
    chromium.one(".charts")
    assert service.end() == 0
    said = "The metrics can't be read. The service can't be reached."
    chromium.until(lambda: said in chromium.page_text(), "an error")
    assert len(chromium.all(".alarm")) == 1
    assert "No model" not in chromium.page_text()
    assert chromium.complaints() == []


def test_a_service_without_language_models(chromium: Browser, start: Start) -> None:
    service = start()
    service.wait(service.ready)
    chromium.open(service.url)
    chromium.until(lambda: "No model here generates text." in chromium.page_text(), "the message")
    assert chromium.all(".composer") == []
    chromium.run("location.hash = '#models'")
    chromium.until(lambda: "No model answers yet." in chromium.page_text(), "the message")
    assert chromium.complaints() == []


TABBABLE = """
const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]');
return [...all].filter((each) => !each.disabled && each.checkVisibility() && each.tabIndex >= 0);
"""


@pytest.mark.parametrize("view", ["chat", "models", "models/colours/1", "models/pair/1", "figures"])
def test_the_keyboard_reaches_everything(browser: Browser, shown: Service, view: str) -> None:
    browser.open(f"{shown.url}/#{view}")
    browser.until(lambda: len(browser.run(TABBABLE)) > 5, "the view")
    wanted = browser.run(TABBABLE)
    reached = []
    for _ in range(len(wanted) + 3):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(browser.driver.switch_to.active_element)
    missed = [each.get_attribute("outerHTML")[:80] for each in wanted if each not in reached]
    assert missed == []
    named = [each for each in wanted if each.accessible_name or each.tag_name == "summary"]
    assert named == wanted


def test_the_keyboard_alone_asks_and_runs(browser: Browser, shown: Service) -> None:
    browser.open(shown.url)
    browser.one(".composer textarea")
    browser.driver.switch_to.active_element.send_keys(Keys.TAB)
    assert browser.driver.switch_to.active_element.text == "Skip to the content"
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "main"
    browser.run("document.querySelector('[data-view=models]').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: bool(browser.all("td a")), "the models")
    assert browser.run("return document.activeElement.id") == "main"
    browser.run("[...document.querySelectorAll('td a')].find((each) => each.textContent === 'affine').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(lambda: bool(browser.all(".numbers input")), "the form")
    browser.all(".numbers input")[0].send_keys("5", Keys.ENTER)
    browser.until(lambda: bool(browser.all(".values")), "the answer")
    assert browser.text(".values").startswith("[[")


def test_light_and_dark(browser: Browser, shown: Service) -> None:
    colours = []
    for scheme in ("light", "dark"):
        browser.emulate(prefers_color_scheme=scheme)
        browser.open(shown.url)
        browser.emulate(prefers_color_scheme=scheme)
        browser.one(".composer textarea")
        style = "const { backgroundColor, color } = getComputedStyle(document.body); return [backgroundColor, color]"
        colours.append(browser.run(style))
    (light, ink), (dark, bright) = colours
    brightness = lambda text: sum(int(word) for word in text.strip("rgb()").split(","))  # noqa: E731
    assert brightness(light) > 600 > brightness(ink) and brightness(dark) < 150 < brightness(bright)


def test_nothing_is_wider_than_a_telephone(browser: Browser, shown: Service) -> None:
    for view in ("chat", "models", "models/colours/1", "figures"):
        browser.open(f"{shown.url}/#{view}")
        telephone = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True}
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", telephone)
        browser.until(lambda: len(browser.run(TABBABLE)) > 5, "the view")
        assert browser.run("return document.scrollingElement.scrollWidth") <= 400, view
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
