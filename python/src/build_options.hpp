// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

#include "kuiper_infer/runtime/build_options.hpp"

namespace kuiper_infer::python {

/// The options of a dictionary by their keywords in Python; what is left out or None is unset. Paths are bytes. Throws
/// Error for a value that the option can't have.
BuildOptions BuildOptionsOf(const nanobind::dict& given);

}  // namespace kuiper_infer::python
