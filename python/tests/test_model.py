# SPDX-License-Identifier: MIT
import os
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import kuiper_infer
import tiny
from kuiper_infer import CancelToken, ErrorCode, KuiperError, Model, RunOptions


@pytest.fixture
def pair(tmp_path):
    return Model(tiny.write(tmp_path, tiny.sum_and_difference()))


def test_runs_a_linear_layer(tmp_path, generator):
    weight = generator.normal(size=(4, 3)).astype(np.float32)
    model = Model(tiny.write(tmp_path, tiny.linear(), {"line.weight": weight}))
    for batch in (2, 5):
        x = generator.normal(size=(batch, 3)).astype(np.float32)
        np.testing.assert_allclose(model(x), x @ weight.T, rtol=1e-5)


def test_inputs_in_order_and_by_name(pair, generator):
    a, b = generator.normal(size=(2, 2, 3)).astype(np.float32)
    for outputs in (pair(a, b), pair({"pnnx_input_1": b, "pnnx_input_0": a}), pair.run([a, b])):
        assert len(outputs) == 2
        np.testing.assert_array_equal(outputs[0], a + b)
        np.testing.assert_array_equal(outputs[1], a - b)
    assert isinstance(pair(a, b), tuple)
    assert isinstance(pair.run([a, b]), list)


def test_describes_inputs_and_outputs(pair, line_reader):
    assert [tuple(each) for each in pair.inputs] == [
        ("pnnx_input_0", "float32", (2, 3)),
        ("pnnx_input_1", "float32", (2, 3)),
    ]
    assert [tuple(each) for each in pair.outputs] == [
        ("pnnx_output_0.0", "float32", (2, 3)),
        ("pnnx_output_0.1", "float32", (2, 3)),
    ]
    reader = Model(line_reader)
    assert reader.inputs[0].shape == (1, 1, 32, -1)
    assert reader.outputs[0].shape == (1, -1, 96)
    assert reader.output_info({"pnnx_input_0": (3, 1, 32, 80)})[0].shape == (3, 20, 96)
    assert reader.output_info([(3, 1, 32, 80)])[0].shape == (3, 20, 96)
    with pytest.raises(KuiperError) as error:
        reader.output_info([(3, 1, 32)])
    assert error.value.code is ErrorCode.SHAPE


def test_wrong_variables_are_errors(line_reader):
    program = (
        f"import kuiper_infer\ntry:\n    kuiper_infer.Model({line_reader!r})\n"
        "except kuiper_infer.KuiperError as error:\n    print(error)"
    )
    for variable in ("KUIPER_ISA", "KUIPER_UNITS", "KUIPER_FUSION"):
        environment = {**os.environ, variable: "foo"}
        result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        assert f"{variable} is 'foo'" in result.stdout


def test_any_byte_of_a_bool_but_zero_is_true(tmp_path):
    model = Model(
        tiny.write(
            tmp_path,
            [
                "pnnx.Input pnnx_input_0 0 1 x #x=(4)bool",
                "torch.sum sum 1 1 x y dim=(0) keepdim=False",
                "pnnx.Output pnnx_output_0 1 0 y",
            ],
        )
    )
    foreign = np.frombuffer(b"\x02\x00\xff\x01", np.bool_)
    assert model(foreign) == 3
    assert foreign.tobytes() == b"\x02\x00\xff\x01"
    assert model(np.array([True, False, False, True])) == 2


TYPES = "float32 float64 float16 int8 int16 int32 int64 uint8 bool complex64 complex128".split()
PNNX_TYPES = "f32 f64 f16 i8 i16 i32 i64 u8 bool c64 c128".split()


@pytest.mark.parametrize(("dtype", "written"), list(zip(TYPES, PNNX_TYPES, strict=True)))
def test_every_element_type_comes_back(tmp_path, generator, dtype, written):
    model = Model(tiny.write(tmp_path, tiny.identity(f"(2,3){written}")))
    assert model.inputs[0].dtype == dtype
    x = generator.integers(0, 2, (2, 3)).astype(dtype)
    y = model(x)
    assert y.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(y, x)


def test_bfloat16_comes_as_float32(tmp_path):
    torch = pytest.importorskip("torch")
    model = Model(tiny.write(tmp_path, tiny.identity("(2,3)bf16")))
    x = torch.tensor([[1.0, 2.5, -3.0], [0.1, 1e30, 0.0]], dtype=torch.bfloat16)
    y = model(x)
    assert y.dtype == np.float32
    np.testing.assert_array_equal(y, x.float().numpy())


def test_reads_contiguous_memory_in_place(generator):
    address = kuiper_infer._core.read_address
    x = generator.normal(size=(4, 5)).astype(np.float32)
    assert address(x) == x.ctypes.data
    x.flags.writeable = False
    assert address(x) == x.ctypes.data
    assert address(x[1:]) == x[1:].ctypes.data
    assert address(x.T) == x.ctypes.data  # a view with strides: what needs it contiguous copies it later
    assert address(memoryview(x)) == x.ctypes.data
    assert address(bytearray(8)) != 0
    shifted = np.zeros(21, np.uint8)[1:].view(np.float32)
    assert address(shifted) != shifted.ctypes.data  # not aligned


def test_reads_tensors_in_place():
    torch = pytest.importorskip("torch")
    x = torch.randn(4, 5)
    assert kuiper_infer._core.read_address(x) == x.data_ptr()


def test_reads_any_layout(pair, generator):
    wide = generator.normal(size=(6, 8)).astype(np.float32)
    views = [wide[:2, :3], wide[1:6:3, ::3], wide[::-1][:2, 2::-1], wide.T[:2, :3], np.asfortranarray(wide[:2, :3])]
    views.append(np.broadcast_to(np.float32(3), (2, 3)))
    bytes_of = np.zeros(25, np.uint8)
    bytes_of[1:] = np.frombuffer(wide[:2, :3].copy().tobytes(), np.uint8)
    views.append(bytes_of[1:].view(np.float32).reshape(2, 3))
    for view in views:
        total, difference = pair(view, np.zeros((2, 3), np.float32))
        np.testing.assert_array_equal(total, view)
        np.testing.assert_array_equal(difference, view)


def test_reads_buffers_without_numpy(tmp_path):
    model = Model(tiny.write(tmp_path, tiny.identity("(3)f32")))
    import array

    np.testing.assert_array_equal(model(array.array("f", [1, 2, 3])), [1, 2, 3])
    np.testing.assert_array_equal(model(memoryview(b"\0" * 12).cast("f")), [0, 0, 0])


def test_outputs_are_the_callers(pair):
    a, b = np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
    first = pair(a, b)[0]
    assert first.flags.writeable and first.flags.c_contiguous and not first.flags.owndata
    first += 5
    second = pair(a, b)[0]
    assert not np.shares_memory(first, second)
    np.testing.assert_array_equal(second, a)
    np.testing.assert_array_equal(first, a + 5)
    np.testing.assert_array_equal(np.from_dlpack(second), a)
    del pair
    np.testing.assert_array_equal(second, a)  # outlives the model


def test_outputs_become_tensors(pair):
    torch = pytest.importorskip("torch")
    a = np.ones((2, 3), np.float32)
    y = pair(a, a)[0]
    assert torch.from_dlpack(y).data_ptr() == y.ctypes.data


def test_empty_arrays(pair):
    nothing = np.zeros((0, 3), np.float32)
    assert pair(nothing, nothing)[0].shape == (0, 3)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ((), "0 arrays are given, the model has 2 inputs: 'pnnx_input_0', 'pnnx_input_1'"),
        (({"pnnx_input_0": np.zeros((2, 3), np.float32)},), "input 'pnnx_input_1' is not given"),
        (({"pnnx_input_0": 0, "pnnx_input_1": 0, "c": 0},), "the model has no input 'c'"),
        ((np.zeros((2, 3)), np.zeros((2, 3))), "input 'pnnx_input_0' is float64 (2,3), expected float32 (2,3)"),
        ((np.zeros(3, np.float32),) * 2, "input 'pnnx_input_0' is float32 (3), expected float32 (2,3)"),
        ((np.zeros((2, 3), np.uint16),) * 2, "unsigned integers of 16 bits"),
    ],
)
def test_wrong_inputs_are_named(pair, given, text):
    with pytest.raises(KuiperError, match=".*") as error:
        pair(*given)
    assert text in str(error.value)
    assert error.value.code is ErrorCode.INPUT


@pytest.mark.parametrize("given", [1.5, "text", [[1.0]], None, np.zeros((2, 3), ">f4"), np.array(["a"]), object()])
def test_what_is_no_array_is_a_type_error(pair, given):
    with pytest.raises(TypeError, match="input 'pnnx_input_0' is .*expected an array of numbers on the CPU"):
        pair(given, given)


@pytest.mark.parametrize("precision", ["high", "medium"])
def test_levels_of_precision(line_reader, generator, precision):
    image = generator.standard_normal((1, 1, 32, 100), np.float32)
    expected = Model(line_reader)(image)
    model = pickle.loads(pickle.dumps(Model(line_reader, precision=precision)))
    assert model.precision == precision
    np.testing.assert_allclose(model(image), expected, atol=0 if precision == "high" else 0.05 * expected.std(), rtol=0)


def test_wrong_arguments_of_the_model(line_reader, tmp_path):
    for wrong in ({"threads": -1}, {"precision": "low"}, {"max_memory": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Model(line_reader, **wrong)
    with pytest.raises(ValueError, match="threads is -1"):
        RunOptions(threads=-1)
    with pytest.raises(ValueError, match="give bin, too"):
        Model("model.txt")
    with pytest.raises(TypeError, match="as bytes"):
        Model(b"7767517")
    with pytest.raises(TypeError, match="as bytes"):
        Model(line_reader, b"")
    with pytest.raises(KuiperError, match="cannot be opened") as error:
        Model(tmp_path / "absent.param")
    assert error.value.code is ErrorCode.FILE
    with pytest.raises(KuiperError) as error:
        Model(line_reader, max_memory=10_000)
    assert error.value.code is ErrorCode.RESOURCE


def test_every_unsupported_operator_is_named():
    lines = tiny.identity()
    lines[1:1] = ["my.First one 1 1 x a", "my.Second two 1 1 a b"]
    lines[-1] = "pnnx.Output pnnx_output_0 1 0 b"
    with pytest.raises(KuiperError, match="my.First.*my.Second") as error:
        Model(tiny.param(lines), tiny.archive({}))
    assert error.value.code is ErrorCode.UNSUPPORTED


def test_a_number_spread_over_an_array_is_an_array():
    lines = [
        "pnnx.Input pnnx_input_0 0 1 x #x=(?,?)i64",
        "torch.full_like threes 1 1 x y dtype=None fill_value=3 $input=x #x=(?,?)i64 #y=(?,?)i64",
        "pnnx.Expression least 2 1 x y z expr=add(minimum(@0,@1),1) #x=(?,?)i64 #y=(?,?)i64 #z=(?,?)i64",
        "pnnx.Output pnnx_output_0 1 0 z",
    ]
    x = np.arange(10).reshape(2, 5)
    np.testing.assert_array_equal(Model(tiny.param(lines), tiny.archive({}))(x), np.minimum(x, 3) + 1)


def test_names_that_are_no_text():
    lines = [line.replace("pnnx_input_0", "NAME") for line in tiny.identity()]
    model = Model(tiny.param(lines).replace(b"NAME", b"\xff\xfe"), tiny.archive({}))
    assert model.inputs[0].name == "\ufffd\ufffd"
    x = np.ones((1, 3), np.float32)
    np.testing.assert_array_equal(model({model.inputs[0].name: x}), x)
    with pytest.raises(KuiperError, match="\ufffd"):
        model(x.astype(np.int32))
    assert model.profile(x, runs=1).seconds > 0


def test_models_from_bytes(line_reader, generator):
    contents = [open(path, "rb").read() for path in (line_reader, line_reader.replace(".param", ".bin"))]
    x = generator.normal(size=(1, 1, 32, 64)).astype(np.float32)
    model = Model(*contents)
    np.testing.assert_array_equal(model(x), Model(line_reader)(x))
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(model)
    with pytest.raises(KuiperError):
        Model(contents[0], contents[1][:-100])


def _shape_of(model, x):
    return model(x)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_models_go_to_other_processes(line_reader, generator, method):
    x = generator.normal(size=(1, 1, 32, 64)).astype(np.float32)
    model = Model(line_reader, threads=2)
    expected = model(x)
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        np.testing.assert_array_equal(pool.submit(_shape_of, model, x).result(60), expected)
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.param, copy.bin, copy.threads) == (model.param, model.bin, 2)


def test_errors_can_be_pickled():
    error = pickle.loads(pickle.dumps(KuiperError("text", ErrorCode.SHAPE)))
    assert (str(error), error.code) == ("text", ErrorCode.SHAPE)


def test_threads_share_a_model(line_reader, generator):
    model = Model(line_reader, threads=1)
    images = [generator.normal(size=(1, 1, 32, 32 + 4 * i)).astype(np.float32) for i in range(12)]
    expected = [model(image) for image in images]
    with ThreadPoolExecutor(8) as pool:
        for found, wanted in zip(pool.map(model, images * 20), expected * 20, strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_the_gil_is_released(line_reader, generator):
    model = Model(line_reader, threads=1)
    x = generator.normal(size=(64, 1, 32, 400)).astype(np.float32)
    model(x)
    done = threading.Event()
    ticks = []

    def count():
        while not done.wait(0.001):
            ticks.append(time.monotonic())

    counter = threading.Thread(target=count)
    counter.start()
    start = time.monotonic()
    model(x)
    end = time.monotonic()
    done.set()
    counter.join()
    assert sum(start < tick < end for tick in ticks) >= 3, f"in {end - start:.3f} s"


def test_run_options(line_reader, generator):
    model = Model(line_reader)
    x = generator.normal(size=(1, 1, 32, 64)).astype(np.float32)
    expected = model(x)
    with pytest.raises(KuiperError) as error:
        model(x, options=RunOptions(deadline=time.monotonic() - 1))
    assert error.value.code is ErrorCode.DEADLINE
    for deadline in (time.monotonic() + 60, float("inf")):
        np.testing.assert_array_equal(model(x, options=RunOptions(deadline=deadline, threads=1)), expected)
    token = CancelToken()
    token.cancel()
    assert token.cancelled
    with pytest.raises(KuiperError) as error:
        model(x, options=RunOptions(cancel=token))
    assert error.value.code is ErrorCode.CANCELLED
    token.reset()
    steps = []
    np.testing.assert_array_equal(
        model(x, options=RunOptions(cancel=token, progress=lambda *step: steps.append(step))), expected
    )
    assert [step[0] for step in steps] == list(range(1, steps[0][1] + 1))
    assert any(type == "nn.LSTM" for _, _, _, type in steps)

    def fail(*_):
        raise ArithmeticError("mine")

    with pytest.raises(ArithmeticError, match="mine"):
        model(x, options=RunOptions(progress=fail))
    np.testing.assert_array_equal(model(x), expected)


def test_cancels_a_run_under_way(line_reader, generator):
    model = Model(line_reader, threads=1)
    x = generator.normal(size=(64, 1, 32, 400)).astype(np.float32)
    token = CancelToken()
    with pytest.raises(KuiperError) as error:
        model(x, options=RunOptions(cancel=token, progress=lambda done, *_: token.cancel() if done == 3 else None))
    assert error.value.code is ErrorCode.CANCELLED


def test_a_cache_gives_the_same(line_reader, tmp_path, generator):
    x = generator.normal(size=(1, 1, 32, 64)).astype(np.float32)
    expected = Model(line_reader)(x)
    for _ in range(2):
        np.testing.assert_array_equal(Model(line_reader, cache=tmp_path)(x), expected)
    assert any(tmp_path.iterdir())


def test_the_program_is_the_same(line_reader, tmp_path):
    run = [sys.executable, "-m", "kuiper_infer"]
    shown = subprocess.run([*run, "info", line_reader], capture_output=True, text=True)
    assert shown.returncode == 0 and "nn.LSTM" in shown.stdout
    np.save(tmp_path / "x.npy", np.zeros((1, 1, 32, 64), np.float32))
    files = ["--param", line_reader, "--bin", line_reader.replace(".param", ".bin")]
    done = subprocess.run([*run, "run", *files, "--input", tmp_path / "x.npy", "--output-dir", tmp_path])
    assert done.returncode == 0
    x = np.zeros((1, 1, 32, 64), np.float32)
    np.testing.assert_array_equal(np.load(tmp_path / "out0.npy"), Model(line_reader)(x))
    wrong = subprocess.run([*run, "info", tmp_path / "absent.param"], capture_output=True, text=True)
    assert wrong.returncode == 1 and wrong.stderr.startswith("error: ") and wrong.stderr.count("\n") == 1
    assert subprocess.run([*run, "nonsense"], capture_output=True).returncode == 2
    assert subprocess.run([*run, "--version"], capture_output=True, text=True).stdout.split()[-1] == (
        kuiper_infer.__version__
    )
