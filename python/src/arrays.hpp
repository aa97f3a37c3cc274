// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::python {

namespace nb = nanobind;

/// A NumPy array on the memory of `array`, which it keeps alive. NumPy has neither bfloat16 nor complex32: arrays of
/// these types become float32 and complex64, which hold the same values. `array` has to be row-major.
using NumpyResult = nb::ndarray<nb::numpy>;
NumpyResult NumpyArray(const NdArray& array);
nb::list NumpyArrays(const std::vector<NdArray>& arrays);

/// Whether NumPy has the element type.
bool HasNumpyType(RuntimeDataType type);

/// A path, which is bytes of any encoding.
std::string PathOf(const nb::bytes& path);

/// A text of a model file, which may hold bytes that are no UTF-8; these become replacement characters.
nb::str Text(const std::string& text);

/// A shape as a tuple of ints.
nb::tuple ShapeTuple(const Shape& shape);

}  // namespace kuiper_infer::python
