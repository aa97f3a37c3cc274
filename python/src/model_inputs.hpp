// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

#include "borrowed_arrays.hpp"
#include "kuiper_infer/model.hpp"

namespace kuiper_infer::python {

/// Arrays that Python code gave in the order of the model's inputs, whose names messages use. Throws as
/// BorrowedArrays::Add does, and Error(kInput) where there are more than inputs.
BorrowedArrays BorrowInputs(const Model& model, const nanobind::sequence& given);

}  // namespace kuiper_infer::python
