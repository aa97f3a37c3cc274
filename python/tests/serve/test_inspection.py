# SPDX-License-Identifier: MIT
"""What a service tells about the inside of its models."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import httpx
import pytest

from . import models
from .running_service import Service, serving

PATH = "/v2/models/affine/report"


def test_a_model_is_described(service: Service) -> None:
    info = httpx.get(f"{service.url}/v2/models/affine/info").json()
    assert info["name"] == "affine" and info["version"] == "3"
    assert info["precision"] == "highest" and info["workers"] == 2 and info["batch_sizes"] == [8, 4, 2, 1]
    assert info["parameters"] == 0 and info["run_bytes"] > 0 and info["generates_text"] is False
    assert info["operators"]["pnnx.Expression"] == 1 and info["warnings"] == []
    assert httpx.get(f"{service.url}/v2/models/affine/versions/1/info").json()["version"] == "1"
    assert httpx.get(f"{service.url}/v2/models/absent/info").status_code == 404


def test_there_are_no_reports_unless_they_are_wanted(service: Service) -> None:
    assert httpx.get(service.url + PATH).status_code == 404
    assert "report" not in httpx.get(f"{service.url}/v2").json()["extensions"]


@pytest.fixture(scope="module")
def reporting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("reporting")
    models.write(folder / "models" / "affine" / "1", models.AFFINE)
    models.write(folder / "models" / "free" / "1", models.AFFINE.replace("(1,3)", "(?,3)"))
    models.write(folder / "models" / "slow" / "1", models.slow(), "[limits]\ntimeout_seconds = 1.0\n")
    with serving(folder, "--reports", "on", "--ready", "all") as service:
        yield service


def steps(answer: httpx.Response) -> list[dict]:
    assert answer.status_code == 200, answer.text
    return json.loads(answer.text.partition('id="data">')[2].partition("</script>")[0])["steps"]


def test_a_report(reporting: Service) -> None:
    answer = httpx.get(reporting.url + PATH)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert [step["shape"] for step in steps(answer)] == [[1, 3]]
    assert str(reporting.folder) not in answer.text
    assert [step["shape"] for step in steps(httpx.get(f"{reporting.url}{PATH}?x=5,3"))] == [[5, 3]]
    free = httpx.get(f"{reporting.url}/v2/models/free/versions/1/report?x=2,3")
    assert [step["shape"] for step in steps(free)] == [[2, 3]]
    assert httpx.get(f"{reporting.url}/v2").json()["extensions"][-1] == "report"


WRONG = [
    ("affine/report?y=1,3", 400, "the model has no input 'y'"),
    ("affine/report?x=1,x", 400, "the shape of input 'x' is '1,x', expected extents"),
    ("affine/report?x=1,-3", 400, "expected extents"),
    ("affine/report?x=" + ",".join(["1"] * 65), 400, "expected extents"),
    ("slow/report?x=2,3", 400, "the matrices (2,3) and (2,3) don't fit"),
    ("affine/report?x=100000000,3", 413, "the inputs of these shapes have 1200000000 bytes, the model takes 67108864"),
    ("affine/report?x=999999999999999999,999999999999999999", 413, "the model takes 67108864"),
    ("affine/report?x=0,999999999999999999,999999999999999999", 400, "input 'x': array is too big"),
    ("free/report", 400, "the shape of input 'x' is None, expected extents"),
    ("absent/report", 404, "there is no model 'absent'"),
]


@pytest.mark.parametrize(("path", "status", "said"), WRONG)
def test_a_wrong_question(reporting: Service, path: str, status: int, said: str) -> None:
    answer = httpx.get(f"{reporting.url}/v2/models/{path}")
    assert answer.status_code == status, answer.text
    assert said in answer.json()["error"]


def test_pages_of_other_sites_get_none(reporting: Service) -> None:
    for site in ("cross-site", "same-site"):
        assert httpx.get(reporting.url + PATH, headers={"Sec-Fetch-Site": site}).status_code == 400
    assert httpx.get(reporting.url + PATH, headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_a_report_ends_at_the_deadline_and_is_the_only_one(reporting: Service) -> None:
    """The slow model's ten runs take longer than a second, each of them less."""
    statuses: list[int] = []
    asks = [threading.Thread(target=lambda: statuses.append(
        httpx.get(f"{reporting.url}/v2/models/slow/report", timeout=30).status_code)) for _ in range(2)]  # fmt: skip
    for ask in asks:
        ask.start()
    for ask in asks:
        ask.join()
    assert sorted(statuses) == [429, 504]
    assert httpx.get(reporting.url + PATH).status_code == 200
