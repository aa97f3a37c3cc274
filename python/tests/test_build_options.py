# SPDX-License-Identifier: MIT
"""Options of models: Python and the service offer what the library's table has, and the library heeds them."""

import dataclasses
import inspect
import pickle

import numpy as np
import pytest

from kuiper_infer import Model
from kuiper_infer._build_options import TABLE

#: A value of each option that is not the default.
OTHER = {
    "threads": 2,
    "precision": "high",
    "max_memory": 1 << 30,
    "cache": "cache",
    "measure_methods": True,
    "fuse_operators": False,
    "place_results": False,
    "convolution_method": "rows",
    "max_state_length": 100,
    "state_type": "int8",
}


def test_the_model_has_each_option_of_the_table():
    parameters = inspect.signature(Model).parameters
    keywords = {name for name, each in parameters.items() if each.kind is inspect.Parameter.KEYWORD_ONLY}
    assert keywords == {*TABLE, "states"}  # which describes the model
    for name, option in TABLE.items():
        default = parameters[name].default
        assert option.check(default) == default, name
        assert f"`{name}`:" in Model.__doc__ and option.help, name


def test_the_service_has_each_option_that_the_table_offers_there():
    config = pytest.importorskip("kuiper_infer.serve.config")
    parameters = inspect.signature(Model).parameters
    fields = {field.name: field for field in dataclasses.fields(config.ModelConfig)}
    offered = {name for name, option in TABLE.items() if option.in_config}
    assert offered == set(fields) - {"workers", "batching", "limits", "generation"}
    assert config.ModelConfig().model_options() == {name: parameters[name].default for name in offered}


def test_options_go_into_the_library_and_along_with_pickles(line_reader, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert set(OTHER) == set(TABLE)
    model = Model(line_reader, **OTHER)
    image = np.zeros((1, 1, 32, 100), np.float32)
    expected = Model(line_reader)(image)
    for each in (model, pickle.loads(pickle.dumps(model))):
        assert {name: getattr(each, name) for name in TABLE} == OTHER
        np.testing.assert_allclose(each(image), expected, rtol=1e-3, atol=1e-3)
        page = tmp_path / "report.html"
        each.report(page, image, runs=1)
        text = page.read_text()
        for name in ("precision", "convolution_method", "fuse_operators"):
            value = "off" if OTHER[name] is False else OTHER[name]
            assert f'"{name}":"{value}"' in text
    assert (tmp_path / "cache").is_dir()


def test_switches_change_the_program(line_reader):
    image = np.zeros((1, 1, 32, 100), np.float32)
    joined = Model(line_reader).graph_text(image)
    apart = Model(line_reader, fuse_operators=False).graph_text(image)
    assert len(apart.splitlines()) > len(joined.splitlines())
    rows = Model(line_reader, convolution_method="rows").profile(image, runs=1)
    assert any(step.method.startswith("rows") for step in rows)


def test_variables_fill_what_is_unset(line_reader, monkeypatch):
    image = np.zeros((1, 1, 32, 100), np.float32)
    joined = Model(line_reader).graph_text(image)
    monkeypatch.setenv("KUIPER_FUSION", "0")
    assert Model(line_reader).graph_text(image) != joined
    assert Model(line_reader, fuse_operators=True).graph_text(image) == joined
