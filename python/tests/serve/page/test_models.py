# SPDX-License-Identifier: MIT
"""Models on the page, in a browser: what they are, forms that run them, and reports."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest

from ..running_service import Service
from .browser import Browser, Keys
from .shown_models import HOSTILE

Image = pytest.importorskip("PIL.Image", reason='needs the package pillow: pip install ".[test]"')

DROP = """
const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
const transfer = new DataTransfer();
transfer.items.add(new File([bytes], arguments[1]));
const event = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
document.querySelector('.drop').dispatchEvent(event);
"""


def open_model(browser: Browser, service: Service, name: str) -> None:
    browser.open(f"{service.url}/#models/{name}/1")
    browser.button("Run")


def run(browser: Browser) -> None:
    browser.run("document.querySelector('.answer').replaceChildren()")
    browser.button("Run").click()
    browser.until(lambda: browser.run("return document.querySelector('.answer').hasChildNodes()"), "an answer")


def picture(colour: tuple[int, int, int], size: tuple[int, int] = (40, 20)) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", size, colour).save(content, "PNG")
    return content.getvalue()


def test_the_list_of_models(browser: Browser, shown: Service) -> None:
    browser.open(f"{shown.url}/#models")
    browser.until(lambda: len(browser.all("table")) == 2, "two tables")
    ready, others = browser.all("table")
    rows = {each.text.split()[0]: each.text for each in ready.find_elements("css selector", "tbody tr")}
    assert rows.keys() == {"affine", "chatty", "colours", "hostile", "pair"}
    assert "x FP32, ? × 3" in rows["affine"].replace("\n", " ") and "highest" in rows["affine"]
    assert "61.8 thousand" in rows["chatty"] and rows["chatty"].endswith("text")
    assert "broken" in others.text and "not in the expected format" in others.text


def test_what_a_model_is(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "pair")
    told = browser.text(".card .facts").replace("\n", " ")
    for fact in ("Input a FP32, ? × 2", "Output twice INT64, ? × 2", "Precision highest", "Memory of a run 128 B"):
        assert fact in told
    assert browser.text("h1") == "pair version 1"


def test_a_model_that_is_not_there(browser: Browser, shown: Service) -> None:
    browser.open(f"{shown.url}/#models/absent/1")
    assert browser.text(".alarm") == "there is no model 'absent/1'"
    browser.open(f"{shown.url}/#models/%")
    browser.one(".composer")


def test_numbers_in_fields(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "affine")
    for field, value in zip(browser.all(".numbers input"), ("1", "-2.5", "3"), strict=True):
        field.clear()
        field.send_keys(value)
    run(browser)
    assert browser.text(".values") == "[[3, -4, 7]]"
    assert "Answered in" in browser.text(".answer > .meta")
    browser.all(".numbers input")[1].clear()
    run(browser)
    assert browser.text(".answer .alarm") == "Input x: number 2 is missing."


def choose(browser: Browser, way: str, text: str = "") -> None:
    for select in browser.all("fieldset > .field > select"):
        select.find_element("xpath", f"option[text()='{way}']").click()
    for area in browser.all("fieldset textarea"):
        area.clear()
        area.send_keys(text)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("[[1, 2, 3], [4, 5, 6]]", "[[3, 5, 7],\n [9, 11, 13]]"),
        ("[1, 2, 3, 4, 5, 6]", "[[3, 5, 7],\n [9, 11, 13]]"),
        ("[1e30, 0, 0.1]", "[[2.0000000e+30, 1, 1.2]]"),
        ("[1, 2]", "Input x: 2 numbers don't fill -1 × 3."),
        ("[[1, 2]]", "Input x: The lists are 1 × 2, expected ? × 3."),
        ("[[1, 2], [3]]", "Input x: The lists inside a list differ in length."),
        ('["1", 2, 3]', 'Input x: "1" is no number.'),
        ("[1, 2", "Input x: This is no JSON"),
        ("", "Input x: This is no JSON"),
    ],
)
def test_numbers_as_json(browser: Browser, shown: Service, text: str, answer: str) -> None:
    open_model(browser, shown, "affine")
    choose(browser, "JSON", text)
    run(browser)
    found = browser.text(".answer .values, .answer .alarm")
    assert found.startswith(answer) or float(found.strip("[]").split(",")[0]) == pytest.approx(2e30)


def test_two_inputs_of_different_types(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "pair")
    for field, value in zip(browser.all(".numbers input"), ("0.5", "2", "9007199254740991", "-1"), strict=True):
        field.clear()
        field.send_keys(value)
    run(browser)
    assert [each.text for each in browser.all(".values")] == ["[[1.5, 3]]", "[[18014398509481982, -2]]"]
    browser.all(".numbers input")[3].send_keys(".5")
    run(browser)
    assert browser.text(".answer .alarm") == "Input b: -1.5 is no whole number."


def test_what_the_service_refuses_is_shown(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "affine")
    choose(browser, "Random")
    field = browser.one("[aria-label='Run it'] .fields input")
    field.clear()
    field.send_keys("9000000")
    run(browser)
    assert "the service's limit" in browser.text(".answer .alarm")


def test_a_picture_is_classified(browser: Browser, shown: Service, tmp_path: Path) -> None:
    names, file = tmp_path / "names.txt", tmp_path / "green.png"
    names.write_text("red\ngreen\nblue\n")
    file.write_bytes(picture((20, 200, 60)))
    open_model(browser, shown, "colours")
    run(browser)
    assert browser.text(".answer .alarm") == "Input picture: there is no picture."
    browser.choose_file(".drop input", file)
    browser.until(lambda: "40 × 20, given as 8 × 8." in browser.page_text(), "the picture")
    browser.choose_file("#class-names", names)
    run(browser)
    rows = [each.text.split() for each in browser.all(".answer tbody tr")]
    assert [row[0] for row in rows] == ["green", "blue", "red"]
    assert float(rows[0][1]) == pytest.approx(200 / 255, abs=2e-3)
    browser.run(DROP, base64.b64encode(picture((250, 10, 0))).decode(), "red.png")
    red = "return document.querySelector('canvas').getContext('2d').getImageData(4, 4, 1, 1).data[0]"
    browser.until(lambda: browser.run(red) == 250, "red")
    run(browser)
    assert browser.all(".answer tbody tr")[0].text.startswith("red")


def test_a_picture_s_normalisation(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "colours")
    browser.run(DROP, base64.b64encode(picture((51, 102, 204))).decode(), "x.png")
    browser.until(lambda: "given as 8 × 8" in browser.page_text(), "the picture")
    browser.one(".choices").find_element("xpath", ".//option[text()='ImageNet']").click()
    run(browser)
    found = [float(word) for word in browser.text(".values").strip("[]").split(",")]
    wanted = (np.array([51, 102, 204]) / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    assert found == pytest.approx(wanted, abs=1e-4)
    browser.one(".choices summary").click()
    divisor = browser.all(".choices details input")[0]
    divisor.clear()
    divisor.send_keys("0")
    run(browser)
    assert browser.text(".answer .alarm") == "Input picture: nothing can be divided by 0."


def test_what_is_no_picture(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "colours")
    browser.run(DROP, base64.b64encode(b"no picture").decode(), f"{HOSTILE}.png")
    browser.until(lambda: "is no picture that this browser reads" in browser.page_text(), "the message")
    assert HOSTILE in browser.text(".drop .meta")


def test_names_of_a_model_stay_text(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "hostile")
    run(browser)
    assert HOSTILE in browser.text(".card .facts") and HOSTILE in browser.text("legend:has(+ .field)")
    assert browser.run("return document.querySelectorAll('main img').length") == 0
    assert browser.driver.title == "Models · KuiperInfer"


def test_a_report(browser: Browser, shown: Service) -> None:
    open_model(browser, shown, "hostile")
    browser.button("Measure").click()
    browser.until(lambda: bool(browser.all("a[target=_blank]")), "the report")
    browser.driver.switch_to.frame(browser.one("iframe.report"))
    assert browser.text("h1") == "model"
    assert len(browser.driver.find_elements("css selector", "g.node")) == 3
    heads = "[...document.querySelectorAll('#steps th button')].find((each) => each.textContent.startsWith('operator'))"
    browser.run(f"{heads}.focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.run(f"return {heads}.parentElement.ariaSort") == "ascending"
    browser.one("#steps tr.link").send_keys(Keys.ENTER)
    browser.until(lambda: "step" in browser.text(".details"), "the step in the graph")
    browser.driver.switch_to.default_content()
    assert browser.driver.title == "Models · KuiperInfer"
