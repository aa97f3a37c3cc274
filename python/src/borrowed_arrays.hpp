// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "dlpack_types.hpp"
#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::python {

/// Arrays that Python code gave, readable as NdArrays as long as this object lives. It is made, and ends, with the GIL.
class BorrowedArrays {
 public:
  /// Reads an object that has the buffer protocol or DLPack (on the CPU) in place. An array is copied if it is not
  /// aligned to its element's size, or if it is an array of bools with bytes other than 0 and 1, which become true.
  /// Throws nb::type_error for any other object, and Error(kInput) for element types that the library does not have and
  /// for impossible shapes.
  const NdArray& Add(nanobind::handle object, ArrayName name);

  const std::vector<NdArray>& arrays() const { return arrays_; }

 private:
  std::vector<std::shared_ptr<const void>> owners_;
  std::vector<NdArray> arrays_;
};

}  // namespace kuiper_infer::python
