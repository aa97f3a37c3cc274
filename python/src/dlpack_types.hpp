// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "kuiper_infer/utils/data_type.hpp"
#include "utils/function_ref.hpp"

namespace kuiper_infer::python {

/// Returns the name of an array in messages; called only if a message is made.
using ArrayName = FunctionRef<std::string()>;

/// The element type in DLPack's terms.
nanobind::dlpack::dtype DlpackType(RuntimeDataType type);

/// The element type of the array `name`. Throws Error(kInput) if the library does not have this type.
RuntimeDataType TypeOfDlpack(const nanobind::dlpack::dtype& dtype, ArrayName name);

}  // namespace kuiper_infer::python
