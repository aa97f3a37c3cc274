// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer {

// Kernels read the elements of a bool array as C++ bools, whose bytes are 0 and 1; any other byte is undefined
// behaviour. NumPy and PyTorch read any byte but 0 as true. These functions are called wherever foreign bytes become a
// bool array: inputs of runs, NumPy files, weights, results of operators that a program registers. Arrays are
// row-major; arrays of other types are left alone.

/// Whether each byte of a bool array is 0 or 1.
bool HasBoolBytes(const NdArray& array);

/// Replaces all bytes of a bool array but 0 and 1 by 1, in the array's own memory.
void MakeBoolBytes(const NdArray& array);

}  // namespace kuiper_infer
