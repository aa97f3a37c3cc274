# SPDX-License-Identifier: MIT
import gc
import pathlib
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tiny
from kuiper_infer import ErrorCode, KuiperError, Model, register


def around(operator: str, result: str = "y") -> list[str]:
    """x (2,3) -> the operator, which makes y -> twice as much."""
    return [
        "pnnx.Input pnnx_input_0 0 1 x #x=(2,3)f32",
        operator,
        f"pnnx.Expression double 1 1 {result} z expr=mul(@0,2)",
        "pnnx.Output pnnx_output_0 1 0 z",
    ]


def load(lines, weights=None):
    return Model(tiny.param(lines), tiny.archive(weights or {}))


X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_weights_and_parameters_come_by_name():
    @register("test.Wave")
    def wave(x, *, amplitude, frequency, offsets, kind):
        assert kind == "sine" and offsets == [1, 2]
        return amplitude * np.sin(np.float32(frequency) * x)

    weights = {"mine.amplitude": np.float32([1, 2, 3])}
    line = "test.Wave mine 1 1 x y frequency=0.5 offsets=(1,2) kind=sine @amplitude=(3)f32"
    model = load(around(line), weights)
    np.testing.assert_allclose(model(X), 2 * np.float32([1, 2, 3]) * np.sin(X / 2), rtol=1e-6)
    assert model.outputs[0].shape == (2, 3)


def test_shapes_are_planned_ahead():
    @register("test.Sum", shapes=lambda shape, axis: [extent for i, extent in enumerate(shape) if i != axis])
    def total(x, *, axis):
        return x.sum(axis)

    model = load(around("test.Sum mine 1 1 x y axis=1"))
    assert model.outputs[0].shape == (2,)
    assert model.output_info([(7, 3)])[0].shape == (7,)
    np.testing.assert_array_equal(model(X), 2 * X.sum(1))


def test_several_outputs_of_other_types():
    @register("test.Sorted", shapes=lambda shape: [shape, shape], dtypes=["float32", "int64"])
    def ordered(x):
        order = np.argsort(-x, axis=-1)
        return np.take_along_axis(x, order, -1), order

    lines = around("test.Sorted mine 1 2 x y i")
    lines.insert(-1, "prim::TupleConstruct pair 2 1 z i both")
    lines[-1] = "pnnx.Output pnnx_output_0 1 0 both"
    values, order = load(lines)(X)
    np.testing.assert_array_equal(values, 2 * X[:, ::-1])
    np.testing.assert_array_equal(order, [[2, 1, 0]] * 2)
    assert order.dtype == np.int64


def test_python_errors_are_the_cause():
    @register("test.Broken")
    def broken(x):
        raise LookupError("no such anchor")

    with pytest.raises(
        KuiperError, match=r"operator 'mine' \(test.Broken\): its layer failed: LookupError: no such anchor$"
    ) as error:
        load(around("test.Broken mine 1 1 x y"))(X)
    assert error.value.code is ErrorCode.ARGUMENT
    assert isinstance(error.value.__cause__, LookupError)


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (np.zeros((3, 2), np.float32), r"its result 0 is float32 \(3,2\), announced was float32 \(2,3\)"),
        (np.zeros((2, 3)), r"its result 0 is float64 \(2,3\), announced was float32 \(2,3\)"),
        ((X, X), r"its result 1 is float32 \(2,3\), announced was no such one"),
        ((), "it gave 0 results, announced were 1"),
        ("text", "its result 0 is str, expected an array"),
        (None, "its result 0 is NoneType"),
    ],
)
def test_wrong_results_are_named(result, text):
    register("test.Wrong")(lambda x: result)
    with pytest.raises(KuiperError, match=text):
        load(around("test.Wrong mine 1 1 x y"))(X)


def test_results_may_have_any_layout():
    register("test.Turned")(lambda x: np.asfortranarray(x)[:, ::-1])
    np.testing.assert_array_equal(load(around("test.Turned mine 1 1 x y"))(X), 2 * X[:, ::-1])


def test_wrong_shapes_are_named_when_the_model_is_loaded():
    for shapes, dtypes in [(lambda _: (2, -3), None), (lambda _: [(2,), (3,)], None), (lambda _: (2,), "bfloat16")]:
        register("test.Shapes", shapes=shapes, dtypes=dtypes)(lambda x: x)
        with pytest.raises(KuiperError, match="operator 'mine'"):
            load(around("test.Shapes mine 1 1 x y"))


def test_types_of_the_library_cannot_be_registered():
    with pytest.raises(KuiperError, match="registered already"):
        register("nn.ReLU")(lambda x: x)


def test_registering_again_replaces():
    register("test.Again")(lambda x: x + 1)
    model = load(around("test.Again mine 1 1 x y"))
    np.testing.assert_array_equal(model(X), 2 * (X + 1))
    register("test.Again")(lambda x: x + 2)
    np.testing.assert_array_equal(model(X), 2 * (X + 2))


def test_arrays_may_be_kept():
    kept = []

    @register("test.Keeps")
    def keeps(x):
        kept.append(x)
        return x

    model = load(around("test.Keeps mine 1 1 x y"))
    for i in range(4):
        model(X + i)
    del model
    for i, array in enumerate(kept):
        np.testing.assert_array_equal(array, X + i)


def test_threads_call_it_at_once():
    register("test.Threads")(lambda x: x * 3)
    model = load(around("test.Threads mine 1 1 x y"))
    inputs = [X + i for i in range(200)]
    with ThreadPoolExecutor(8) as pool:
        for i, y in enumerate(pool.map(model, inputs)):
            np.testing.assert_array_equal(y, 6 * inputs[i])


def test_models_let_their_weights_go():
    class Array(np.ndarray):
        pass

    seen = []

    @register("test.Weight")
    def weighted(x, *, w):
        if not seen:
            seen.append(weakref.ref(w))
        return x * w

    model = load(around("test.Weight mine 1 1 x y @w=(3)f32"), {"mine.w": np.float32([1, 2, 3])})
    model(X)
    assert seen[0]() is not None
    del model
    gc.collect()
    assert seen[0]() is None


def test_a_program_ends_with_operators_alive():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import tiny, numpy as np, kuiper_infer\n"
        "kuiper_infer._core.warn_of_leaks()\n"
        "kuiper_infer.register('test.End')(lambda x: x)\n"
        "lines = tiny.identity(); lines[1:] = ['test.End mine 1 1 x y', 'pnnx.Output pnnx_output_0 1 0 y']\n"
        "model = kuiper_infer.Model(tiny.param(lines), tiny.archive({}))\n"
        "print(model(np.zeros((1, 3), np.float32)).shape)\n"
    )
    folder = str(pathlib.Path(tiny.__file__).parent)
    ended = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "(1, 3)\n", "")
