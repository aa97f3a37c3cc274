# SPDX-License-Identifier: MIT
"""Opens the site's pages from their folder in Chromium: `check_site.py FOLDER`.

Each page has to show a heading without a complaint of its scripts and without a request to a server, and the search has to find a word.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python" / "tests"))
from serve.page.browser import Browser


def faults(browser):
    """What the page and its scripts complained about since the last call, and what was asked of a server."""
    asked = sorted(url for url in browser.asked() if not url.startswith(("file:", "data:", "blob:", "about:")))
    return browser.complaints(failed_requests=True) + asked


def search(browser, word):
    browser.one(".md-search__input").send_keys(word)
    found = browser.until(lambda: browser.all(".md-search-result__item a"), f"results for {word!r}")
    return [each.get_attribute("href") for each in found]


def main():
    manual = pathlib.Path(sys.argv[1]).resolve() / "manual"
    pages = [page for page in sorted(manual.rglob("*.html")) if "reference" not in page.relative_to(manual).parts and page.name != "404.html"]
    wrong = []
    browser = Browser()
    try:
        for page in [*pages, manual / "reference" / "index.html"]:
            browser.driver.get(page.as_uri())
            if "reference" not in page.parts and not browser.all("h1"):
                wrong.append(f"{page}: no heading")
            wrong.extend(f"{page}: {fault}" for fault in faults(browser))
        browser.driver.get((manual / "index.html").as_uri())
        if not any("state.html" in link for link in search(browser, "truncate")):
            wrong.append("the search does not find docs/state.md by the word 'truncate'")
    finally:
        browser.end()
    print("\n".join(wrong) or f"{len(pages) + 1} pages are right, and the search finds")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
