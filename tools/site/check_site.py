# SPDX-License-Identifier: MIT
"""Opens the site's pages from their folder in Chromium: `check_site.py FOLDER`.

Each page has to show a heading without a complaint of its scripts and without a request to a server, and the search has to find a word.
"""
import json
import os
import pathlib
import sys
import time

from selenium import webdriver
from selenium.webdriver.common.by import By


def open_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--window-size=1280,900", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # which Chromium does not have for root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))


def faults(browser):
    """What the scripts complained about since the last call, and what the page asked a server for."""
    events = [json.loads(each["message"])["message"] for each in browser.get_log("performance")]
    asked = {each["params"]["request"]["url"] for each in events if each["method"] == "Network.requestWillBeSent"}
    complaints = [each["message"] for each in browser.get_log("browser") if each["level"] != "INFO"]
    return complaints + sorted(url for url in asked if not url.startswith(("file:", "data:", "blob:")))


def search(browser, word):
    browser.find_element(By.CSS_SELECTOR, ".md-search__input").send_keys(word)
    end = time.monotonic() + 60
    while not (found := browser.find_elements(By.CSS_SELECTOR, ".md-search-result__item a")):
        if time.monotonic() > end:
            return []
        time.sleep(0.1)
    return [each.get_attribute("href") for each in found]


def main():
    manual = pathlib.Path(sys.argv[1]).resolve() / "manual"
    pages = [page for page in sorted(manual.rglob("*.html")) if "reference" not in page.relative_to(manual).parts and page.name != "404.html"]
    wrong = []
    browser = open_browser()
    try:
        for page in [*pages, manual / "reference" / "index.html"]:
            browser.get(page.as_uri())
            if "reference" not in page.parts and not browser.find_elements(By.CSS_SELECTOR, "h1"):
                wrong.append(f"{page}: no heading")
            wrong.extend(f"{page}: {fault}" for fault in faults(browser))
        browser.get((manual / "index.html").as_uri())
        if not any("state.html" in link for link in search(browser, "truncate")):
            wrong.append("the search does not find docs/state.md by the word 'truncate'")
    finally:
        browser.quit()
    print("\n".join(wrong) or f"{len(pages) + 1} pages are right, and the search finds")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
