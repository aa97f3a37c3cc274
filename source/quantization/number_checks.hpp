// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::quantization {

// Both functions throw Error(kInput) "WHAT holds nan at element 7, expected ...", which counts elements in row-major
// order.

/// For arrays that may hold infinities, such as masks.
void RequireNoNan(const NdArray& array, const std::string& what);
void RequireFinite(const NdArray& array, const std::string& what);

}  // namespace kuiper_infer::quantization
