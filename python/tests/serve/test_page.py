# SPDX-License-Identifier: MIT
"""The files of the page as they come over HTTP, and the service's options for it."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

import kuiper_infer.serve

from . import models
from .running_service import Service, Start

FILES = sorted(Path(kuiper_infer.serve.__file__).with_name("page").iterdir())
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def path_of(file: Path) -> str:
    return "/" if file.name == "index.html" else f"/page/{file.name}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_file_has_its_type_and_confining_headers(service: Service, file: Path) -> None:
    answer = httpx.get(service.url + path_of(file))
    assert answer.status_code == 200 and answer.content == file.read_bytes()
    assert answer.headers["content-type"] == f"{TYPES[file.suffix]}; charset=utf-8"
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'" and policy["style-src"] == "'self'"
    assert policy["require-trusted-types-for"] == "'script'" and "unsafe" not in str(policy)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-cache"
    again = httpx.get(service.url + path_of(file), headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304 and again.content == b""
    assert httpx.head(service.url + path_of(file)).headers["etag"] == answer.headers["etag"]


def test_the_files_name_only_each_other() -> None:
    names = {file.name for file in FILES}
    texts = {file.name: file.read_text("utf-8") for file in FILES}
    assert not [name for name, text in texts.items() if re.search(r"https?://(?!www\.w3\.org/)", text)]
    imported = {name for text in texts.values() for name in re.findall(r'from "\./([^"]+)"', text)}
    loaded = set(re.findall(r'(?:href|src)="page/([^"]+)"', texts["index.html"]))
    assert imported | loaded | {"index.html"} == names
    makes_html = r"innerHTML|outerHTML|insertAdjacentHTML|\beval\b"
    assert not [name for name, text in texts.items() if re.search(makes_html, text)]


@pytest.mark.parametrize("path", ["page", "page/", "page/absent.js", "page/../options.py", "page/%2e%2e/options.py",
                                  "page/index.html"])  # fmt: skip
def test_there_is_nothing_besides(service: Service, path: str) -> None:
    assert httpx.get(f"{service.url}/{path}").status_code == 404


@pytest.mark.parametrize("option", [["--no-page"], ["--page", "off"]])
def test_a_service_without_the_page(start: Start, tmp_path: Path, option: list[str]) -> None:
    models.write(tmp_path / "models" / "affine" / "1", models.AFFINE)
    service = start(*option)
    service.wait(service.ready)
    assert {httpx.get(service.url + path_of(file)).status_code for file in FILES} == {404}
    assert service.infer("affine", [[1, 2, 3]]).status_code == 200
