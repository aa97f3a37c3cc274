# SPDX-License-Identifier: MIT
"""DLPack capsules of any contents, as a faulty exporter would make them."""

from __future__ import annotations

import ctypes
from typing import Any

_NAME, _VERSIONED_NAME = b"dltensor", b"dltensor_versioned"
_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

_Extents = ctypes.POINTER(ctypes.c_int64)


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", _Extents),
        ("strides", _Extents),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("manager", ctypes.c_void_p), ("deleter", _Deleter)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", _Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


class Exporter:
    """An object whose `__dlpack__` gives a capsule of float32 numbers, of which the keywords change members.

    `deleted` counts the calls of the deleter.
    """

    def __init__(
        self, values: list[float], extents: list[int] | None, steps: list[int] | None = None, **members: Any
    ) -> None:
        self.memory = (ctypes.c_float * max(len(values), 1))(*values)
        self.extents = None if extents is None else (ctypes.c_int64 * max(len(extents), 1))(*extents)
        self.steps = None if steps is None else (ctypes.c_int64 * len(steps))(*steps)
        self.deleted = 0
        self.version = members.pop("version", None)
        tensor = _Tensor(ctypes.addressof(self.memory), 1, 0, len(extents or ()), 2, 32, 1)
        if self.extents is not None:
            tensor.shape = ctypes.cast(self.extents, _Extents)
        if self.steps is not None:
            tensor.strides = ctypes.cast(self.steps, _Extents)
        self.deleter = _Deleter(self._count)
        if members.pop("without_deleter", False):
            self.deleter = _Deleter()
        for name, value in members.items():
            setattr(tensor, name, value)
        if self.version is None:
            self.managed: _Managed | _Versioned = _Managed(tensor, None, self.deleter)
        else:
            self.managed = _Versioned(*self.version, None, self.deleter, 0, tensor)

    def _count(self, _: int) -> None:
        self.deleted += 1

    def __dlpack__(self) -> object:
        name = _NAME if self.version is None else _VERSIONED_NAME
        return _new(ctypes.addressof(self.managed), name, None)
