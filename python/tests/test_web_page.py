# SPDX-License-Identifier: MIT
"""The page that runs models by WebAssembly, in a browser: from a server of static files, and as a single file.

tools/build_wasm.sh builds it.
"""

from __future__ import annotations

import io
import json
import pathlib
import re
from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("selenium", reason='the tests of the page need selenium: pip install ".[test]"')

from serve.page.browser import Browser, missing
from serve.page.static_files import serving

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
CAMERA = "--use-fake-device-for-media-stream"  # a test picture that moves
CONSENT = "--use-fake-ui-for-media-stream"
NO_HTTPS = "kuiper.test"  # a name of this machine that isn't one for browsers, which trust `localhost` alone

if not (WEB / "kuiper.html").exists():
    pytest.skip("the page is not built: tools/build_wasm.sh", allow_module_level=True)


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The page's address at a server of static files."""
    with serving(WEB) as url:
        yield url


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if reason := missing():
        pytest.skip(reason)
    browser = Browser(CAMERA, CONSENT, f"--host-resolver-rules=MAP {NO_HTTPS} 127.0.0.1")
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
    browser.click(browser.button("Run"))
    browser.until(lambda: browser.run("return document.querySelector('.answer').hasChildNodes()"), "an answer")


def example(browser: Browser, title: str) -> None:
    browser.click(browser.button(title))
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
    browser.click(browser.button("Measure"))
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


def start_camera(browser: Browser, title: str) -> None:
    """Loads an example and waits for three answers. The page then has `tracks`, those of the camera."""
    browser.run("document.querySelector('.answer')?.classList.add('old')")
    browser.click(browser.button(title))
    loaded = "return document.querySelector('.answer:not(.old)') && !document.querySelector('.preview').hidden"
    browser.until(lambda: browser.run(loaded), "the example's picture")
    browser.run(
        "window.frames_shown = 0; const answers = new MutationObserver(() => ++window.frames_shown);"
        "answers.observe(document.querySelector('.answer'), { childList: true })"
    )
    browser.click(browser.button("Start the camera"))
    browser.until(lambda: shown_frames(browser) >= 3, "three frames")
    browser.run("window.tracks = document.querySelector('video').srcObject.getTracks()")
    assert states(browser) == ["live"]


def shown_frames(browser: Browser) -> int:
    return browser.run("return window.frames_shown")


def states(browser: Browser) -> list[str]:
    return browser.run("return window.tracks.map((track) => track.readyState)")


def ended(browser: Browser) -> bool:
    """Whether the camera is off, and no frame comes any more."""
    before = shown_frames(browser)
    browser.run("return new Promise((resolve) => setTimeout(resolve, 300))")
    return states(browser) == ["ended"] and shown_frames(browser) == before


def test_the_camera(browser: Browser) -> None:
    start_camera(browser, "Shape detector")
    assert "The camera runs." in browser.text(".camera")
    assert re.match(r"Answered in [\d.]+ m?s\.$", browser.text(".answer > .meta:first-child"))
    look = "return document.querySelector('.preview').toDataURL()"
    first = browser.run(look)
    browser.until(lambda: browser.run(look) != first, "another frame")
    drawn = "const { width, height } = document.querySelector('.answer canvas.drawn'); return [width, height]"
    assert browser.run(drawn) == [640, 480]
    assert browser.run("return document.activeElement.innerText") == "Stop the camera"
    browser.click(browser.button("Stop the camera"))
    assert ended(browser)
    assert "The camera is off." in browser.text(".camera")
    shown = shown_frames(browser)
    browser.click(browser.button("Start the camera"))
    browser.until(lambda: shown_frames(browser) > shown, "frames after another start")


def test_boxes_of_what_the_camera_sees(browser: Browser) -> None:
    """Here the camera shows the example's picture, so that it finds what the detector finds in the picture's file."""
    example(browser, "Shape detector")
    objects = "return [...document.querySelectorAll('.answer tbody tr')].map((row) => row.cells[0].innerText).sort()"
    expected = browser.run(objects)
    assert len(expected) >= 10
    browser.run(
        "const preview = document.querySelector('.preview'); const shown = document.createElement('canvas');"
        "[shown.width, shown.height] = [preview.width, preview.height]; const context = shown.getContext('2d');"
        "context.drawImage(preview, 0, 0); const kept = context.getImageData(0, 0, shown.width, shown.height);"
        "setInterval(() => context.putImageData(kept, 0, 0), 30);"
        "navigator.mediaDevices.getUserMedia = async () => shown.captureStream()"
    )
    start_camera(browser, "Shape detector")
    browser.click(browser.button("Stop the camera"))
    assert browser.run(objects) == expected


@pytest.mark.parametrize("title", ["Line reader", "Shape segmenter"])
def test_the_camera_of_other_models(browser: Browser, title: str) -> None:
    start_camera(browser, title)
    browser.click(browser.button("Stop the camera"))
    assert ended(browser)
    assert browser.texts(".alarm") == []


def test_what_else_stops_the_camera(browser: Browser, tmp_path: pathlib.Path) -> None:
    start_camera(browser, "Shape detector")
    browser.click(browser.button("Run"))
    browser.button("Start the camera")
    assert ended(browser)

    start_camera(browser, "Shape detector")
    browser.choose_file(".picture input[type=file]", ROOT / "tmp/line_hello.png")
    browser.button("Start the camera")
    assert ended(browser)

    start_camera(browser, "Shape detector")
    browser.labelled("Given as").find_element("xpath", "option[text()='Random']").click()
    browser.button("Start the camera")
    assert ended(browser)

    start_camera(browser, "Shape detector")
    browser.click(browser.button("Shape segmenter"))
    browser.until(lambda: browser.texts("h1") == ["shape_segmenter.pnnx.param"], "the other example")
    assert ended(browser)

    start_camera(browser, "Shape detector")
    load(browser, tmp_path)
    browser.until(lambda: browser.texts("h1") == ["m.pnnx.param"], "the other model")
    assert ended(browser)
    assert "camera" not in browser.page_text()


def test_a_camera_that_fails(browser: Browser) -> None:
    """One that is unplugged while it runs, and one whose pictures the model refuses."""
    start_camera(browser, "Shape detector")
    browser.run("window.tracks[0].stop(); window.tracks[0].dispatchEvent(new Event('ended'))")
    browser.button("Start the camera")
    assert ended(browser) and "The camera has gone." in browser.text(".camera")

    start_camera(browser, "Shape detector")
    browser.run("document.querySelector('.picture summary').click()")
    browser.run("arguments[0].value = 'x'", browser.labelled("Divide by"))
    browser.button("Start the camera")
    assert ended(browser)
    assert browser.text(".answer .alarm") == 'Input pnnx_input_0: "Divide by" has to be a number.'


def test_a_stop_before_the_browser_has_asked(browser: Browser) -> None:
    browser.click(browser.button("Shape detector"))
    browser.until(lambda: "given as" in browser.page_text(), "the example's picture")
    browser.run(
        "const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices); window.tracks = [];"
        "navigator.mediaDevices.getUserMedia = async (wish) => {"
        "  await new Promise((resolve) => { window.consent = resolve; });"
        "  const stream = await ask(wish); window.tracks = stream.getTracks(); return stream; }"
    )
    browser.click(browser.button("Start the camera"))
    assert "Waiting for the camera" in browser.text(".camera")
    browser.click(browser.button("Stop the camera"))
    browser.run("window.consent()")
    browser.until(lambda: states(browser) == ["ended"], "the camera's end")
    assert "The camera is off." in browser.text(".camera")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((CAMERA, f"{CONSENT}=deny"), "The camera is not allowed. The browser's settings for this page may allow it."),
        ((CONSENT,), "There is no camera."),
    ],
)
def test_no_camera(chromium: Browser, served: str, arguments: tuple[str, ...], told: str) -> None:
    other = Browser(*arguments)
    try:
        other.open(served)
        example(other, "Shape detector")
        other.click(other.button("Start the camera"))
        other.until(lambda: told in other.text(".camera"), "the reason")
        other.button("Start the camera")
        run(other)
        assert other.texts(".answer tbody tr")
        assert other.complaints() == []
    finally:
        other.end()


def test_a_page_without_https(chromium: Browser, served: str) -> None:
    """Browsers hide cameras from pages that others may have changed on their way. All else works."""
    chromium.complaints()
    chromium.open(served.replace("127.0.0.1", NO_HTTPS))
    example(chromium, "Shape detector")
    assert "Browsers give the camera only to pages by https or from this machine." in chromium.page_text()
    assert "Start the camera" not in chromium.texts("button")
    assert chromium.texts(".answer tbody tr")
    assert chromium.complaints() == []
