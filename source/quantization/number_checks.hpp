// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::quantization {

// Both throw Error(kInput) "WHAT holds nan at element 7, expected ...", where the element counts in row-major order.

/// Of an array whose infinities mean something, such as a mask's.
void RequireNoNan(const NdArray& array, const std::string& what);
void RequireFinite(const NdArray& array, const std::string& what);

}  // namespace kuiper_infer::quantization
