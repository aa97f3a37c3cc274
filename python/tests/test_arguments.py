# SPDX-License-Identifier: MIT
"""Numbers, texts and paths on their way into C++: each is taken, or refused by its name."""

import os
import pickle
import shutil

import numpy as np
import pytest

import tiny
from kuiper_infer import CancelToken, KuiperError, Model, RunOptions, register, vision

PICTURE = np.zeros((8, 9, 3), np.uint8)
X = np.zeros((1, 3), np.float32)
INFINITY = float("inf")


@pytest.fixture
def model(tmp_path):
    return Model(tiny.write(tmp_path, tiny.identity("(?,3)f32")))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"threads": -1}, "threads is -1, expected 0 or more"),
        ({"threads": 1 << 40}, "threads is 1099511627776, expected 0 or more, at most"),
        ({"threads": 1.0}, "threads is 1.0, expected an int"),
        ({"threads": "2"}, "threads is '2', expected an int"),
        ({"max_memory": 0}, "max_memory is 0, expected 1 or more"),
        ({"max_memory": 1 << 70}, "max_memory is 1180591620717411303424"),
        ({"max_memory": 1e9}, "max_memory is 1000000000.0, expected an int"),
        ({"precision": None}, 'precision is None, expected "highest", "high" or "medium"'),
        ({"precision": ["high"]}, 'precision is .*high.*, expected "highest"'),
        ({"threads": None}, "threads is None, expected an int"),
        ({"measure_methods": 1}, "measure_methods is 1, expected True or False"),
        ({"measure_methods": None}, "measure_methods is None, expected True or False"),
        ({"fuse_operators": "off"}, "fuse_operators is 'off', expected True, False or None"),
        ({"place_results": 0}, "place_results is 0, expected True, False or None"),
        ({"convolution_method": "magic"}, 'convolution_method is \'magic\', expected .*"rows".* or "auto"'),
        ({"convolution_method": 3}, "convolution_method is 3, expected"),
        ({"cache": 3}, "cache is int, expected a path"),
        ({"cache": "a\0b"}, "cache is .*NUL character"),
        ({"cache": "\ud800"}, "cache is .*surrogates"),
        ({"bin": 3}, "bin is int, expected a path"),
        ({"bin": "a\0"}, "bin is .*NUL character"),
    ],
)
def test_options_of_models(line_reader, arguments, text):
    with pytest.raises((TypeError, ValueError), match=text):
        Model(line_reader, **arguments)


def test_integers_of_numpy(line_reader):
    assert Model(line_reader, threads=np.int64(2)).threads == 2
    assert Model(line_reader).output_info([np.array([1, 1, 32, 80])])[0].shape == (1, 20, 96)


@pytest.mark.parametrize(
    ("param", "text"),
    [
        (None, "param is NoneType, expected a path"),
        (bytearray(b"x"), "param is bytearray, expected a path"),
        ("a\0.param", "param is .*NUL character"),
        ("\ud800.param", "param is .*surrogates"),
        ("x.onnx", "an ONNX model, expected a .pnnx.param file: `pnnx FILE.onnx` writes one"),
        ("x.PT", "a file of PyTorch's, .*kuiper_infer.export"),
        ("x.safetensors", "a file of weights alone, .*kuiper_infer.export"),
        ("x.pnnx.bin", "the weights of a model, .*it lies beside them"),
        ("x.txt", "expected NAME.param: .*or give bin, too"),
        ("", "expected NAME.param"),
    ],
)
def test_what_is_no_param_file(param, text):
    with pytest.raises((TypeError, ValueError), match=text):
        Model(param)


def test_paths_of_any_bytes(line_reader, tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff\xfe"
    os.mkdir(folder)
    for extension in (".param", ".bin"):
        shutil.copy(line_reader.removesuffix(".param") + extension, folder + b"/\xe9" + os.fsencode(extension))
    param = os.fsdecode(folder + b"/\xe9.param")
    image = np.zeros((1, 1, 32, 64), np.float32)
    expected = Model(line_reader)(image)
    for path in (param, type(tmp_path)(param)):
        model = Model(path, cache=os.fsdecode(folder + b"/cache\xff"))
        np.testing.assert_array_equal(model(image), expected)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model))(image), expected)
    assert os.path.isdir(folder + b"/cache\xff")
    with pytest.raises(KuiperError, match="\ufffd.*absent.param: cannot be opened"):
        Model(os.fsdecode(folder + b"/absent.param"))
    with pytest.raises(KuiperError, match="\ufffd.*cannot be opened"):
        vision.read(os.fsdecode(folder + b"/absent.png"))


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([(1 << 64, 3)], "an extent of input 'pnnx_input_0' is 18446744073709551616"),
        ([(-1, 3)], r"the shape of input 'pnnx_input_0' is \(-1, 3\), expected no negative extent"),
        ([(1.0, 3)], "an extent of input 'pnnx_input_0' is 1.0, expected an int"),
        ([5], "the shape of input 'pnnx_input_0' is 5, expected a sequence of ints"),
        ([None], "the shape of input 'pnnx_input_0' is None"),
        (["ab"], "an extent of input 'pnnx_input_0' is 'a'"),
        ([(1 << 62, 1 << 62)], "more elements than can be counted"),
        (5, "the inputs are int, expected a list"),
        ({"x": (1, 3)}, "input 'pnnx_input_0' is not given; the model has no input 'x', it has 'pnnx_input_0'"),
        ([], "0 arrays are given, the model has 1 inputs: 'pnnx_input_0'"),
    ],
)
def test_shapes(model, given, text):
    with pytest.raises((TypeError, ValueError, KuiperError), match=text):
        model.output_info(given)


def test_shapes_of_inputs_whose_names_are_no_text():
    lines = [line.replace("pnnx_input_0", "NAME") for line in tiny.identity("(?,3)f32")]
    model = Model(tiny.param(lines).replace(b"NAME", b"\xff\xfe"), tiny.archive({}))
    assert model.output_info([(5, 3)])[0].shape == (5, 3)
    assert model.output_info({model.inputs[0].name: (5, 3)})[0].shape == (5, 3)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"input": X}, "input 'pnnx_input_0' is not given; the model has no input 'input', it has 'pnnx_input_0'"),
        ({"input": X, "pnnx_input_0": X}, "the model has no input 'input', it has 'pnnx_input_0'"),
        ({1: X}, "the model has no input 1, it has 'pnnx_input_0'"),
        ({}, "input 'pnnx_input_0' is not given"),
        ({str(i): X for i in range(100)}, "no input '0', .* and 92 more, it has 'pnnx_input_0'"),
        (X, "the inputs are ndarray, expected a list"),
        ((x for x in [X]), "the inputs are generator, expected a list"),
        ("x", "the inputs are str, expected a list"),
        ([X, X], "2 arrays are given, the model has 1 inputs: 'pnnx_input_0'"),
    ],
)
def test_inputs(model, given, text):
    with pytest.raises((TypeError, KuiperError), match=text):
        model.run(given)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"threads": 1 << 33}, "threads is 8589934592"),
        ({"threads": 1.5}, "threads is 1.5, expected an int"),
        ({"deadline": "soon"}, "deadline is 'soon', expected a number"),
        ({"deadline": float("nan")}, "deadline is nan"),
        ({"deadline": 10**400}, "deadline is 1000.*expected a number"),
        ({"cancel": 5}, "cancel is 5, expected a CancelToken"),
        ({"progress": 5}, "progress is 5, expected a function"),
    ],
)
def test_options_of_runs(arguments, text):
    with pytest.raises((TypeError, ValueError), match=text):
        RunOptions(**arguments)


def test_deadlines_of_any_size(model):
    for deadline in (INFINITY, 1e300, np.float32(1e20)):
        assert model(X, options=RunOptions(deadline=deadline, cancel=CancelToken())).shape == (1, 3)
    reader = Model(tiny.param(tiny.doubled()[:1] + ["nn.ReLU r 1 1 x y", "pnnx.Output o 1 0 y"]), tiny.archive({}))
    for deadline in (-INFINITY, -1e300, 0):
        with pytest.raises(KuiperError, match="deadline has passed"):
            reader(X, options=RunOptions(deadline=deadline))
    with pytest.raises(TypeError, match="options is dict, expected RunOptions"):
        model(X, options={"threads": 1})


@pytest.mark.parametrize("runs", [0, -1, 1.5, 1 << 40, "3"])
def test_numbers_of_runs(model, runs):
    with pytest.raises((TypeError, ValueError), match=f"runs is {runs!r}"):
        model.profile(X, runs=runs)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: vision.resize(PICTURE, 1 << 70, 3), "height is 1180591620717411303424"),
        (lambda: vision.resize(PICTURE, 2.5, 3), "height is 2.5, expected an int"),
        (lambda: vision.resize(PICTURE, 3, 3, "nearest"), "found 'nearest', expected one of Interpolation"),
        (lambda: vision.resize_shorter_side(PICTURE, 1 << 62), "expected 1 to 16777216 a side"),
        (lambda: vision.crop(PICTURE, 1 << 63, 0, 3, 3), "top is 9223372036854775808"),
        (lambda: vision.crop(PICTURE, (1 << 63) - 1, 0, 3, 3), "reaches out"),
        (lambda: vision.letterbox(PICTURE, 32, 32, 300), "filling is 300"),
        (lambda: vision.to_tensor(PICTURE, divisor=float("nan")), "divisor is nan"),
        (lambda: vision.to_tensor(PICTURE, divisor=0), "divisor is 0"),
        (lambda: vision.to_tensor(PICTURE, std=(0, 1, 1)), "deviation 0 for channel 0"),
        (lambda: vision.to_tensor(PICTURE, mean=(1, INFINITY, 1)), "mean inf"),
        (lambda: vision.to_tensor(PICTURE, mean=(1, 2)), "mean has 2 numbers, expected 3"),
        (lambda: vision.to_tensor(PICTURE, source=3), "found 3, expected one of ColorOrder"),
        (lambda: vision.read("a\0b"), "source is .*NUL character"),
        (lambda: vision.read(5), "source is int, expected a path"),
        (lambda: register(5)(abs), "type is 5, expected text"),
        (lambda: register("a\0b")(abs), "type is .*expected text without NUL"),
        (lambda: register("a\ud800")(abs), "type is .*surrogates"),
    ],
)
def test_pictures_and_operators(call, text):
    with pytest.raises((TypeError, ValueError, KuiperError), match=text):
        call()
