# SPDX-License-Identifier: MIT
"""Chromium without a window, driven by Selenium. It notes what pages ask for and what their scripts complain about."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

__all__ = ["Browser", "Keys", "WebElement"]

Found = TypeVar("Found")
PROGRAMS = ("chromium", "chromedriver")
VISIBLE = (
    "[...document.querySelectorAll(arguments[0])].filter((each) => each.checkVisibility({ visibilityProperty: true }))"
)


def missing() -> str | None:
    """Why there is no browser."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"{absent[0]} is not installed: apt-get install chromium chromium-driver" if absent else None


def only(found: list[Found]) -> list[Found]:
    """The list, where it has one element, else an empty one."""
    return found if len(found) == 1 else []


class Browser:
    """A browser, with further arguments of its command line.

    `open` begins a new tab each time, so that no page finds what another one has left.

    Elements and texts are looked up by one script each: a page that draws itself anew in between would leave a test
    with elements that are gone.
    """

    def __init__(self, *more: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        fixed = ("--headless=new", "--window-size=1280,900", "--disable-gpu", "--disable-dev-shm-usage")
        for argument in (*fixed, *more):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # which Chromium does not have for root
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        self.driver.set_script_timeout(20)

    def open(self, url: str) -> None:
        """Opens a page in a new tab and closes the other one."""
        old = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        new = self.driver.current_window_handle
        self.driver.switch_to.window(old)
        self.driver.close()
        self.driver.switch_to.window(new)
        self.driver.get(url)

    def end(self) -> None:
        """Ends the browser."""
        self.driver.quit()

    def all(self, css: str) -> list[WebElement]:
        """The visible elements of a selector."""
        return self.run(f"return {VISIBLE}", css)

    def one(self, css: str) -> WebElement:
        """The only visible element of a selector, for which it waits."""
        return self.until(lambda: only(self.all(css)), f"one {css}")[0]

    def texts(self, css: str) -> list[str]:
        """The texts of the visible elements of a selector, all of one moment."""
        return [text.strip() for text in self.run(f"return {VISIBLE}.map((each) => each.innerText)", css)]

    def labelled(self, label: str) -> WebElement:
        """The control with this label."""
        found = "[...document.querySelectorAll('label')].find((each) => each.textContent === arguments[0])"
        return self.run(f"return {found}.control", label)

    def text(self, css: str) -> str:
        """The text of the only visible element, for which it waits."""
        return self.until(lambda: only(self.texts(css)), f"one {css}")[0]

    def button(self, text: str) -> WebElement:
        """The last visible button with a text, for which it waits."""
        named = f"return {VISIBLE}.filter((each) => each.innerText.trim() === arguments[1])"
        return self.until(lambda: self.run(named, "button", text), f"a button {text!r}")[-1]

    def click(self, element: WebElement) -> None:
        """Clicks an element, which may be under the bars at the window's borders."""
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs a script in the page and returns its result."""
        return self.driver.execute_script(script, *arguments)

    def until(self, look: Callable[[], Found], what: str, seconds: float = 60.0) -> Found:
        """Looks until it finds something, which it returns, and fails where nothing comes."""
        end = time.monotonic() + seconds
        while not (found := look()):
            assert time.monotonic() < end, f"waited {seconds} s in vain for {what}; the page:\n{self.page_text()}"
            time.sleep(0.02)
        return found

    def page_text(self) -> str:
        """All visible text."""
        return self.run("return document.body.innerText")

    def emulate(self, **features: str) -> None:
        """Lets the page find these media features, such as prefers_color_scheme='dark'."""
        found = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": found})

    def complaints(self, failed_requests: bool = False) -> list[str]:
        """Errors and warnings since the last call. Failed requests are a matter of the service, unless asked for."""
        wrong = [each for each in self.driver.get_log("browser") if each["level"] != "INFO"]
        return [each["message"] for each in wrong if failed_requests or each["source"] != "network"]

    def asked(self) -> set[str]:
        """The addresses that pages have asked for since the last call."""
        events = [json.loads(each["message"])["message"] for each in self.driver.get_log("performance")]
        return {each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"}

    def choose_file(self, css: str, path: Path) -> None:
        """Chooses a file as a user of the dialog does. The input may be hidden."""
        self.driver.find_element(By.CSS_SELECTOR, css).send_keys(str(path))
