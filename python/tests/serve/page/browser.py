# SPDX-License-Identifier: MIT
"""Chromium without a window, driven by Selenium. It notes what pages ask for and what their scripts complain about."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

__all__ = ["Browser", "Keys", "WebElement"]

PROGRAMS = ("chromium", "chromedriver")


def missing() -> str | None:
    """Why there is no browser."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"{absent[0]} is not installed: apt-get install chromium chromium-driver" if absent else None


class Browser:
    """A browser; `open` begins a new tab each time, so that no page finds what another one has left."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for argument in ("--headless=new", "--window-size=1280,900", "--disable-gpu", "--disable-dev-shm-usage"):
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
        return [each for each in self.driver.find_elements(By.CSS_SELECTOR, css) if each.is_displayed()]

    def one(self, css: str) -> WebElement:
        """The only visible element of a selector, for which it waits."""
        self.until(lambda: len(self.all(css)) == 1, f"one {css}")
        return self.all(css)[0]

    def labelled(self, label: str) -> WebElement:
        """The control with this label."""
        found = "[...document.querySelectorAll('label')].find((each) => each.textContent === arguments[0])"
        return self.run(f"return {found}.control", label)

    def text(self, css: str) -> str:
        """The text of the only visible element."""
        return self.one(css).text

    def button(self, text: str) -> WebElement:
        """The last visible button with a text, for which it waits."""
        self.until(lambda: any(each.text == text for each in self.all("button")), f"a button {text!r}")
        return [each for each in self.all("button") if each.text == text][-1]

    def click(self, element: WebElement) -> None:
        """Clicks an element, which may be under the bars at the window's borders."""
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        element.click()

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs a script in the page and returns its result."""
        return self.driver.execute_script(script, *arguments)

    def until(self, happened: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
        """Waits until something has happened, and fails where it does not."""
        end = time.monotonic() + seconds
        while not happened():
            assert time.monotonic() < end, f"waited {seconds} s in vain for {what}; the page:\n{self.page_text()}"
            time.sleep(0.02)

    def page_text(self) -> str:
        """All visible text."""
        return self.driver.find_element(By.TAG_NAME, "body").text

    def emulate(self, **features: str) -> None:
        """Lets the page find these media features, such as prefers_color_scheme='dark'."""
        found = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": found})

    def complaints(self) -> list[str]:
        """Errors and warnings since the last call, without failed requests: those are a matter of the service."""
        logged = self.driver.get_log("browser")
        return [each["message"] for each in logged if each["source"] != "network" and each["level"] != "INFO"]

    def asked(self) -> set[str]:
        """The addresses that pages have asked for since the last call."""
        events = [json.loads(each["message"])["message"] for each in self.driver.get_log("performance")]
        return {each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"}

    def choose_file(self, css: str, path: Path) -> None:
        """Chooses a file as a user of the dialog does. The input may be hidden."""
        self.driver.find_element(By.CSS_SELECTOR, css).send_keys(str(path))
