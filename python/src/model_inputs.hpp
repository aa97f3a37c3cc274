// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include <nanobind/nanobind.h>

#include "borrowed_arrays.hpp"
#include "kuiper_infer/model.hpp"

namespace kuiper_infer::python {

/// Arrays that Python code gave in the order of the model's inputs; messages name the inputs. Throws as
/// BorrowedArrays::Add does, and Error(kInput) if there are more arrays than inputs.
BorrowedArrays BorrowInputs(const Model& model, const nanobind::sequence& given);

/// These arrays by the names of the inputs.
std::map<std::string, NdArray> NamedInputs(const Model& model, const BorrowedArrays& borrowed);

}  // namespace kuiper_infer::python
