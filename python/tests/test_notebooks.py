# SPDX-License-Identifier: MIT
"""What notebooks show: tables in HTML whose text is escaped."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

import tiny
from kuiper_infer import Model
from kuiper_infer._comparison import ComparedOutput, Comparison, Departure
from kuiper_infer._pytorch.difference import difference

HOSTILE = "</td><script>alert(1)</script>"


class Page(HTMLParser):
    """The tables and paragraphs of a text of HTML, which has to close what it opens and hold no other elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.paragraphs: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attrs):
        assert tag in {"table", "thead", "tbody", "tr", "th", "td", "p", "b"}
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
        if tag == "p":
            self.paragraphs.append("")

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if "p" in self._open:
            self.paragraphs[-1] += data
        else:
            self.rows[-1][-1] += data


def shown(item) -> Page:
    return Page(item._repr_html_())


@pytest.fixture
def hostile(tmp_path):
    """A model whose output and operator have names that are markup."""
    lines = [line.replace("line 1", f"{HOSTILE} 1").replace("pnnx_output_0", f"{HOSTILE}y") for line in tiny.linear()]
    return Model(tiny.write(tmp_path, lines, {f"{HOSTILE}.weight": np.ones((4, 3), np.float32)}))


def test_model(hostile, line_reader):
    page = shown(hostile)
    assert page.rows[1:] == [
        ["input", "pnnx_input_0", "float32", "(2,3)"],
        ["output", f"{HOSTILE}y", "float32", "(2,4)"],
    ]
    assert hostile.param in page.paragraphs[0]
    assert shown(Model(line_reader)).rows[1][3] == "(1,1,32,?)"


def test_info(hostile):
    page = shown(hostile.info())
    assert [len(row) for row in page.rows] == [4, 4, 4]
    assert "parameters: 12" in page.paragraphs
    assert any("nn.Linear" in line for line in page.paragraphs)


def test_profile(hostile, line_reader):
    profile = hostile.profile(np.ones((2, 3), np.float32), runs=1)
    page = shown(profile)
    assert page.rows[0] == ["ms", "share", "GFLOP/s", "GB/s", "step"]
    assert len(page.rows) == 1 + len(profile) and HOSTILE in page.rows[1][4]
    assert page.paragraphs == [str(profile).splitlines()[-1]]
    longer = Model(line_reader).profile(np.zeros((1, 1, 32, 100), np.float32), runs=1)
    times = [float(row[0]) for row in shown(longer).rows[1:]]
    assert times == sorted(times, reverse=True) and len(times) == min(20, len(longer))


def test_comparison():
    zeros, ones = np.zeros(3, np.float32), np.ones(3, np.float32)
    equal = ComparedOutput("float32", (3,), difference(ones, ones), True)
    wrong = ComparedOutput("float32", (3,), difference(ones, zeros), False)
    page = shown(Comparison((equal,), rtol=1e-3))
    assert page.rows[1] == ["0", "float32", "(3,)", "equal", "equal"] and not page.paragraphs
    departure = Departure(HOSTILE, "nn.Linear", "3", "x = <b>", difference(ones, zeros))
    page = shown(Comparison((equal, wrong), rtol=1e-3, departure=departure, note="a & b"))
    assert page.rows[2][3] == "departs" and "PyTorch's is 0.0" in page.rows[2][4]
    assert HOSTILE in page.paragraphs[0] and "x = <b>" in page.paragraphs[0] and page.paragraphs[1] == "a & b"
