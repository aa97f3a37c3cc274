# SPDX-License-Identifier: MIT
"""The page that runs models by WebAssembly, in a browser: from a server of static files, and as a single file.

tools/build_wasm.sh builds it.
"""

from __future__ import annotations

import functools
import http.server
import io
import json
import pathlib
import re
import threading
from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("selenium", reason='the tests of the page need selenium: pip install ".[test]"')

from serve.page.browser import Browser, missing

ROOT = pathlib.Path(__file__).parents[2]
WEB = ROOT / "build-wasm/web"
AFFINE = """7767517
3 2
pnnx.Input x 0 1 0 #0=(1,3)f32
pnnx.Expression affine 1 1 0 1 expr=add(mul(@0,2.0),1.0) #0=(1,3)f32 #1=(1,3)f32
pnnx.Output y 1 0 1 #1=(1,3)f32
"""
EMPTY_ARCHIVE = b"PK\5\6" + bytes(18)
MODEL_FILES = ".drop.model input"

if not (WEB / "kuiper.html").exists():
    pytest.skip("the page is not built: tools/build_wasm.sh", allow_module_level=True)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of static files that says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The page's address at a server of static files."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(WEB))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if reason := missing():
        pytest.skip(reason)
    browser = Browser()
    yield browser
    browser.end()


@pytest.fixture(params=["served", "single file"])
def browser(chromium: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser with the page. Its scripts have to complain about nothing, and ask for nothing but its own files."""
    chromium.complaints(), chromium.asked()
    url = served if request.param == "served" else (WEB / "kuiper.html").as_uri()
    chromium.open(url)
    yield chromium
    assert chromium.complaints() == []
    own = (served, "about:", "blob:", "data:") if request.param == "served" else (url, "about:", "blob:", "data:")
    assert {asked for asked in chromium.asked() if not asked.startswith(own)} == set()


def run(browser: Browser) -> None:
    browser.run("document.querySelector('.answer').replaceChildren()")
    browser.button("Run").click()
    browser.until(lambda: browser.run("return document.querySelector('.answer').hasChildNodes()"), "an answer")


def example(browser: Browser, title: str) -> None:
    browser.button(title).click()
    browser.until(lambda: "given as" in browser.page_text(), "the example's picture")
    run(browser)


def load(browser: Browser, folder: pathlib.Path, text: str = AFFINE, archive: bytes = EMPTY_ARCHIVE) -> None:
    (folder / "m.pnnx.param").write_text(text)
    (folder / "m.pnnx.bin").write_bytes(archive)
    browser.choose_file(MODEL_FILES, folder / "m.pnnx.param")
    browser.until(lambda: "the .bin is missing" in browser.page_text(), "the first file")
    browser.choose_file(MODEL_FILES, folder / "m.pnnx.bin")


def test_the_line_reader(browser: Browser) -> None:
    example(browser, "Line reader")
    expected = json.loads((ROOT / "tmp/line_samples.json").read_text())["line_hello.png"]
    assert browser.text(".read") == expected
    assert "Input pnnx_input_0 FP32, 1 × 1 × 32 × ?" in browser.text(".card .facts").replace("\n", " ")


def test_the_detector(browser: Browser) -> None:
    example(browser, "Shape detector")
    names = (ROOT / "tmp/shape_detector.labels.txt").read_text().split()
    rows = [text.split() for text in browser.texts(".answer tbody tr")]
    assert len(rows) >= 10 and {row[0] for row in rows} <= set(names)
    assert all(0.25 <= float(row[1]) <= 1 for row in rows)
    picture = browser.one("canvas.drawn")
    assert (picture.get_attribute("width"), picture.get_attribute("height")) == ("640", "480")


def test_the_segmenter(browser: Browser) -> None:
    example(browser, "Shape segmenter")
    shares = dict(re.findall(r"^(\w+)\s+([\d.]+) %$", "\n".join(browser.texts(".answer tbody tr")), re.M))
    assert shares.keys() == set((ROOT / "tmp/shape_segmenter.labels.txt").read_text().split())
    assert sum(map(float, shares.values())) == pytest.approx(100, abs=0.05)
    assert float(shares["background"]) > 50


def test_where_the_time_goes(browser: Browser) -> None:
    example(browser, "Line reader")
    browser.button("Measure").click()
    browser.driver.switch_to.frame(browser.one("iframe.report"))
    assert browser.text("h1") == "line_reader"
    assert len(browser.driver.find_elements("css selector", "g.node")) > 10
    assert "mean of 20" in browser.text("#cards")
    assert "LSTM" in browser.text("#steps table")
    browser.driver.switch_to.default_content()


def test_a_model_of_one_s_own(browser: Browser, tmp_path: pathlib.Path) -> None:
    load(browser, tmp_path)
    browser.button("Run")
    for field, value in zip(browser.all(".numbers input"), ("1", "-2.5", "3"), strict=True):
        field.clear()
        field.send_keys(value)
    run(browser)
    assert browser.text(".values") == "[[3, -4, 7]]"


def test_an_array_of_numpy(browser: Browser, tmp_path: pathlib.Path) -> None:
    load(browser, tmp_path)
    browser.button("Run")
    browser.one("fieldset select").find_element("xpath", "option[text()='.npy file']").click()
    for array, answer in (
        (np.array([[1.0, 2.0, 4.0]]), "[[3, 5, 9]]"),
        (np.array([[1, 2, 4]], np.int64), "[[3, 5, 9]]"),
        (np.zeros((2, 3), np.float32), "Input x: x.npy is 2 × 3, expected 1 × 3."),
        (np.zeros((3, 1), np.float32).T, "[[1, 1, 1]]"),
    ):
        content = io.BytesIO()
        np.save(content, array)
        (tmp_path / "x.npy").write_bytes(content.getvalue())
        browser.choose_file("fieldset input[type=file]", tmp_path / "x.npy")
        run(browser)
        assert browser.text(".answer .values, .answer .alarm") == answer
    (tmp_path / "x.npy").write_bytes(content.getvalue()[:-1])
    browser.choose_file("fieldset input[type=file]", tmp_path / "x.npy")
    run(browser)
    assert browser.text(".answer .alarm") == "Input x: x.npy: the file is cut: its elements take 12 bytes, it has 11"


def test_what_is_no_model(browser: Browser, tmp_path: pathlib.Path) -> None:
    load(browser, tmp_path, AFFINE.replace("pnnx.Expression", "no.such"))
    browser.until(lambda: browser.texts(".alarm"), "the message")
    assert "no.such" in browser.text(".alarm")
    browser.choose_file(MODEL_FILES, ROOT / "tmp/shapes.png")
    browser.until(lambda: "shapes.png is no file .param or .bin." in browser.page_text(), "the message")
