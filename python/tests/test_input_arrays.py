# SPDX-License-Identifier: MIT
"""What models read in place, copy or refuse: any buffer, DLPack's exporters, and those that misbehave."""

import array
import ctypes
import mmap
import sys

import numpy as np
import pytest

import tiny
from dlpack_capsules import Exporter
from kuiper_infer import ErrorCode, KuiperError, Model, _core

VALUES = np.array([[1, 0, 1], [1, 1, 0]])
TYPES = {
    "f32": ctypes.c_float,
    "f64": ctypes.c_double,
    "i8": ctypes.c_byte,
    "i16": ctypes.c_short,
    "i32": ctypes.c_int,
    "i64": ctypes.c_longlong,
    "u8": ctypes.c_ubyte,
    "bool": ctypes.c_bool,
}


def of_type(written: str, rank: int) -> Model:
    """A model that gives its input, of any shape of that rank."""
    shape = "(" + ",".join("?" * rank) + ")" + written
    return Model(tiny.param(tiny.identity(shape)), tiny.archive({}))


def of_rank(rank: int) -> Model:
    return of_type("f32", rank)


def refusal(given: object, rank: int = 1) -> str:
    """The text of the exception that the model raises for the input, which has to be named."""
    with pytest.raises((KuiperError, TypeError), match="input 'pnnx_input_0'") as error:
        of_rank(rank)(given)
    return str(error.value)


@pytest.mark.parametrize("written", TYPES)
def test_arrays_of_ctypes(written):
    element = TYPES[written]
    flat = (element * 6)(*VALUES.flat)
    nested = ((element * 3) * 2).from_buffer(flat)
    np.testing.assert_array_equal(of_type(written, 1)(flat), VALUES.flat)
    np.testing.assert_array_equal(of_type(written, 2)(nested), VALUES)
    np.testing.assert_array_equal(of_type(written, 3)(((element * 3) * 2 * 1).from_buffer(flat)), VALUES[None])
    np.testing.assert_array_equal(of_type(written, 0)(element(1)), 1)
    assert of_type(written, 2)(((element * 0) * 5)()).shape == (5, 0)
    assert _core.read_address(nested) == ctypes.addressof(nested)
    np.testing.assert_array_equal(of_type(written, 2)(memoryview(nested)), VALUES)


def test_long_of_ctypes():
    element = ctypes.c_long
    written = {4: "i32", 8: "i64"}[ctypes.sizeof(element)]
    np.testing.assert_array_equal(of_type(written, 1)((element * 2)(3, -4)), [3, -4])


class Structure(ctypes.Structure):
    _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_int)]


class Packed(ctypes.Structure):
    _layout_ = "ms"
    _pack_ = 1
    _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_byte)]


class Union(ctypes.Union):
    _fields_ = [("a", ctypes.c_float), ("b", ctypes.c_int)]


class Wide(ctypes.Union):
    """264 bits, which are 8 in a byte."""

    _fields_ = [("a", ctypes.c_byte * 33)]


class Nothing(ctypes.Structure):
    _fields_ = []


@pytest.mark.parametrize("element", [Structure, Packed, Union, Wide, Nothing, ctypes.c_longdouble, ctypes.c_char])
def test_other_elements_of_ctypes_are_refused(element):
    for given in (element(), (element * 3)(), (element * 0)(), ((element * 3) * 2)()):
        assert "elements of the format" in refusal(given)


@pytest.mark.parametrize("element", [ctypes.c_ushort, ctypes.c_uint, ctypes.c_ulonglong])
def test_wide_unsigned_integers_are_refused(element):
    assert "unsigned integers of" in refusal((element * 3)())


def test_other_byte_orders_are_refused():
    assert "format '>f'" in refusal((ctypes.c_float.__ctype_be__ * 3)())
    assert "format '>f'" in refusal(np.zeros(3, ">f4"))
    np.testing.assert_array_equal(of_rank(1)(np.ones(3, "<f4")), [1, 1, 1])


def test_bytes_and_what_holds_them():
    for given in (b"\1\2\3", bytearray(b"\1\2\3"), memoryview(b"\1\2\3"), array.array("B", [1, 2, 3])):
        np.testing.assert_array_equal(of_type("u8", 1)(given), [1, 2, 3])
    assert of_type("u8", 1)(b"").shape == (0,)
    with mmap.mmap(-1, 4096) as mapped:
        mapped[:3] = b"\1\2\3"
        np.testing.assert_array_equal(of_type("u8", 1)(mapped)[:4], [1, 2, 3, 0])


def test_memory_views():
    numbers = array.array("f", range(6))
    view = memoryview(numbers)
    for given, expected in [
        (view[1:4], [1, 2, 3]),
        (view[::-1], [5, 4, 3, 2, 1, 0]),
        (view[4::-2], [4, 2, 0]),
        (view[6:], []),
        (view.cast("B").cast("f"), range(6)),
    ]:
        np.testing.assert_array_equal(of_rank(1)(given), expected)
    np.testing.assert_array_equal(of_rank(2)(view.cast("B").cast("f", [2, 3])), [[0, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(of_rank(0)(view[2:3].cast("B").cast("f", [])), 2)
    released = memoryview(numbers)
    released.release()
    refusal(released)


def test_what_lies_at_no_multiple_of_its_size():
    records = np.zeros(6, [("a", "f4"), ("b", "i1")])
    records["a"] = range(6)
    np.testing.assert_array_equal(of_rank(1)(records["a"]), range(6))
    np.testing.assert_array_equal(of_rank(1)(records["a"][::-2]), [5, 3, 1])
    shifted = np.zeros(25, np.uint8)[1:].view(np.float32)
    shifted[:] = range(6)
    np.testing.assert_array_equal(of_rank(1)(shifted[::-1]), range(5, -1, -1))
    refusal(records)


def test_many_axes():
    for rank in (33, 64):
        np.testing.assert_array_equal(of_rank(rank)(np.full((1,) * rank, 2, np.float32)), np.full((1,) * rank, 2))
    shifted = np.zeros(5, np.uint8)[1:].view(np.float32)
    assert of_rank(64)(shifted.reshape((1,) * 64)).ndim == 64
    assert "65 axes, expected at most 64" in refusal(Exporter([1], [1] * 65))


def test_arrays_that_only_seem_to_be_large():
    """Those that are repeated along an axis are copied row-major; where that takes too much, the input is named."""
    one = np.float32(1)
    assert "cannot allocate" in refusal(np.broadcast_to(one, (1 << 20, 1 << 20)), 2)
    endless = np.lib.stride_tricks.as_strided(np.zeros(1, np.float32), (1 << 60,), (0,))
    assert "cannot allocate" in refusal(endless)
    limited = Model(tiny.param(tiny.identity("(?,?)f32")), tiny.archive({}), max_memory=1 << 20)
    with pytest.raises(KuiperError, match="input 'pnnx_input_0'") as error:
        limited(np.broadcast_to(one, (1 << 10, 1 << 10)))
    assert error.value.code is ErrorCode.RESOURCE


def test_every_byte_but_0_is_true():
    model = of_type("bool", 1)
    bytes_of = np.array([0, 1, 2, 255], np.uint8)
    for given in (bytes_of.view(bool), memoryview(bytes_of).cast("?"), (ctypes.c_bool * 4).from_buffer(bytes_of)):
        np.testing.assert_array_equal(model(given).view(np.uint8), [0, 1, 1, 1])
    np.testing.assert_array_equal(model(bytes_of.view(bool)[::-2]).view(np.uint8), [1, 1])


def test_tensors_with_marks():
    """PyTorch conjugates and negates by a mark, which DLPack does not have."""
    torch = pytest.importorskip("torch")
    x = torch.tensor([1 + 2j, 3 - 1j])
    np.testing.assert_array_equal(of_type("c64", 1)(x.conj()), [1 - 2j, 3 + 1j])
    np.testing.assert_array_equal(of_rank(1)(x.conj().imag), [-2, 1])
    np.testing.assert_array_equal(of_rank(1)(torch.ones(3, requires_grad=True)), [1, 1, 1])
    np.testing.assert_array_equal(of_rank(2)(torch.nn.Parameter(torch.ones(2, 3)).T[::2]), np.ones((2, 2)))
    np.testing.assert_array_equal(of_rank(2)(torch.ones(1, 1).expand(4, 5)), np.ones((4, 5)))
    for refused in (torch.ones(3).to_sparse(), torch.ones(3, device="meta"), torch.ones(3).to(torch.float8_e4m3fn)):
        refusal(refused)


@pytest.mark.parametrize("version", [None, (1, 0), (1, 7)])
def test_exporters_of_dlpack(version):
    for exporter, expected in [
        (Exporter([1, 2, 3], [3], version=version), [1, 2, 3]),
        (Exporter([1, 2, 3], [3], [1], version=version), [1, 2, 3]),
        (Exporter([1, 2, 3, 4], [2], [2], version=version), [1, 3]),
        (Exporter([1, 2, 3], [2], byte_offset=4, version=version), [2, 3]),
        (Exporter([], [0], data=None, version=version), []),
    ]:
        np.testing.assert_array_equal(of_rank(1)(exporter), expected)
        assert exporter.deleted == 1
    np.testing.assert_array_equal(of_rank(0)(Exporter([7], None, version=version)), 7)
    np.testing.assert_array_equal(of_rank(1)(Exporter([7], [1], without_deleter=True, version=version)), [7])


@pytest.mark.parametrize("version", [None, (1, 0)])
@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({"ndim": -1}, "-1 axes"),
        ({"ndim": 3, "shape": ctypes.POINTER(ctypes.c_int64)()}, "3 axes without extents"),
        ({"data": None}, "without memory"),
        ({"lanes": 2}, "convert it first"),
        ({"bits": 4}, "numbers of 4 bits"),
        ({"code": 77}, "numbers of 32 bits"),
        ({"device_type": 2}, "on a device of DLPack's type 2, expected the CPU"),
    ],
)
def test_faulty_exporters_of_dlpack(version, members, text):
    exporter = Exporter([1, 2, 3], [3], version=version, **members)
    assert text in refusal(exporter)
    assert exporter.deleted == 1


def test_impossible_shapes_and_versions_of_dlpack():
    assert "negative extent" in refusal(Exporter([1], [-3]))
    assert "more elements than can be counted" in refusal(Exporter([1], [1 << 40, 1 << 40]))
    assert "more bytes than can be counted" in refusal(Exporter([1], [1 << 62]))
    newer = Exporter([1], [1], version=(2, 0))
    assert "DLPack 2.0, expected version 1" in refusal(newer)
    assert newer.deleted == 1


class Giving:
    """`__dlpack__` gives or raises what it is told to."""

    def __init__(self, result: object) -> None:
        self.result = result

    def __dlpack__(self, **_: object) -> object:
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


def test_broken_methods():
    used = np.ones(3, np.float32).__dlpack__()
    of_rank(1)(used)
    for result in (42, None, used, ValueError("mine"), BufferError("mine"), TypeError("mine")):
        assert "expected" in refusal(Giving(result))
    with pytest.raises(TypeError) as error:
        of_rank(1)(Giving(ValueError("mine")))
    assert str(error.value.__cause__) == "mine"
    for passes in (KeyboardInterrupt, SystemExit):
        with pytest.raises(passes):
            of_rank(1)(Giving(passes()))
    for given in (np.ndarray, Giving, object(), type("", (), {"__dlpack__": None})()):
        refusal(given)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have __buffer__ since Python 3.12")
def test_broken_buffers():
    class Giving:
        def __init__(self, result):
            self.result = result

        def __buffer__(self, flags):
            return self.result() if callable(self.result) else self.result

    np.testing.assert_array_equal(of_rank(1)(Giving(memoryview(array.array("f", [1, 2])))), [1, 2])
    for result in (42, None, lambda: 1 / 0):
        refusal(Giving(result))
