#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes the pictures of the service's page, and of the page of build-wasm/web, for tools/draw_pictures.py.

    build-python/venv/bin/python tools/page_pictures.py docs/pictures/page_web.webp ...

The names of the files to write begin with page_chat, page_model or page_web, and end with _dark for the dark colours. Needs Chromium and its
driver; for the service's page the models that `tools/get_model.py` fetches as smollm2 and efficientnet_lite0, for the other one
what `tools/build_wasm.sh` makes.
"""
import contextlib
import io
import json
import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "tmp" / "models"
sys.path.insert(0, str(ROOT / "python" / "tests"))

QUESTION = "Give me three reasons to go for a walk, each in one sentence."


def write_models(folder):
    """Copies the models as the service wants them."""
    for name in ("efficientnet_lite0", "smollm2"):
        version = folder / name / "1"
        version.mkdir(parents=True)
        for ending in ("param", "bin"):
            shutil.copy(MODELS / f"{name}.pnnx.{ending}", version / f"model.pnnx.{ending}")
    from tiny_decoder import TEMPLATE
    shutil.copy(MODELS / "smollm2.tokenizer.json", version / "tokenizer.json")
    settings = {"bos_token": "<|im_start|>", "eos_token": "<|im_end|>", "chat_template": TEMPLATE}
    (version / "tokenizer_config.json").write_text(json.dumps(settings))


def show_chat(browser, url):
    browser.open(url)
    browser.one(".composer textarea").send_keys(QUESTION)
    browser.run("for (const name of ['Temperature', 'Seed']) "
                "[...document.querySelectorAll('label')].find((each) => each.textContent === name).control.value = '0'")
    browser.button("Send").click()
    done = "return document.querySelector('.message.assistant:not(.writing)') !== null"
    browser.until(lambda: browser.run(done), "the answer", 120)


def show_model(browser, url):
    browser.open(f"{url}/#models/efficientnet_lite0/1")
    browser.button("Run")
    browser.choose_file(".drop input", MODELS / "chelsea.png")
    browser.choose_file("#class-names", MODELS / "imagenet_classes.txt")
    browser.until(lambda: "given as 224" in browser.page_text(), "the picture")
    browser.click(browser.button("Run"))
    browser.until(lambda: len(browser.all(".answer tbody tr")) == 10, "the classes")
    browser.run("document.activeElement.blur(); document.querySelector('[aria-label=\"Run it\"]').scrollIntoView()")


def show_web(browser, url):
    browser.open((ROOT / "build-wasm/web/kuiper.html").as_uri())
    browser.button("Shape detector").click()
    browser.until(lambda: "given as" in browser.page_text(), "the picture")
    browser.click(browser.button("Run"))
    browser.until(lambda: browser.all(".answer tbody tr"), "the boxes")
    browser.run("document.activeElement.blur()")


SHOWN = {"page_chat": (show_chat, 560), "page_model": (show_model, 1180), "page_web": (show_web, 1560)}


def take(browser, url, picture):
    """Takes a picture of the page, with the pixels that fit its height."""
    from PIL import Image
    show, height = SHOWN[picture.stem.removesuffix("_dark")]
    size = {"width": 1100, "height": height, "deviceScaleFactor": 1, "mobile": False}
    scheme = "dark" if picture.stem.endswith("_dark") else "light"
    browser.run("location.href = 'about:blank'")
    show(browser, url)
    browser.emulate(prefers_color_scheme=scheme)
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.run("const sheet = new CSSStyleSheet(); sheet.replaceSync('html { scrollbar-width: none }'); "
                "document.adoptedStyleSheets = [sheet];")
    browser.run("const place = document.querySelector('[aria-label=\"Run it\"]'); if (place) place.scrollIntoView();")
    Image.open(io.BytesIO(browser.driver.get_screenshot_as_png())).convert("RGB").save(picture, quality=88, method=6)


@contextlib.contextmanager
def running_service():
    """The address of a service with the models."""
    from serve.running_service import Service
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_models(folder / "models")
        service = Service(folder / "models", folder / "log", "--ready", "all")
        service.wait(service.ready, 60)
        yield service.url
        service.end()


def main(pictures):
    from serve.page.browser import Browser
    of_service = any(not picture.stem.startswith("page_web") for picture in pictures)
    browser = Browser()
    with running_service() if of_service else contextlib.nullcontext() as url:
        for picture in pictures:
            take(browser, url, picture)
    browser.end()


if __name__ == "__main__":
    main([pathlib.Path(picture) for picture in sys.argv[1:]])
