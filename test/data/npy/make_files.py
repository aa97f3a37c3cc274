#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the files of this folder with NumPy, which npy_test.cpp reads or refuses.

    python3 test/data/npy/make_files.py
"""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
READ = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool", "complex64", "complex128"]


def write(name, array, version=None):
    with open(FOLDER / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def main():
    counting = np.arange(6).reshape(2, 3)
    for name in READ:
        write(name, counting.astype(name))
    write("fortran", np.asfortranarray(np.arange(24, dtype="int32").reshape(2, 3, 4)))
    write("version2", counting.astype("float32"), version=(2, 0))
    write("version3", counting.astype("float32"), version=(3, 0))
    write("scalar", np.array(2.5, dtype="float32"))
    write("empty", np.zeros((2, 0, 3), dtype="int64"))
    write("vector", np.arange(5, dtype="int64"))
    write("big_endian", counting.astype(">f4"))
    write("uint16", counting.astype("uint16"))
    write("structured", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
    write("object", np.array([None, 1], dtype=object))
    write("text", np.array(["a", "bc"]))


if __name__ == "__main__":
    main()
