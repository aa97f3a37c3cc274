// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer::kernel {

// Families of kernels that a build for a few models may lack (`kuiper strip`). CMake defines the macros for the tables
// of kernels, which alone include this file: everything else asks the tables (source/kernel/CMakeLists.txt).

/// Convolutions with a vector of channels from several groups: depthwise and grouped ones. Others compute the same.
constexpr bool kHasChannelwiseKernels = KUIPER_HAS_CHANNELWISE;
/// Products and convolutions of rows of bytes. The float32 kernels compute the same, but for rounding.
constexpr bool kHasInt8Kernels = KUIPER_HAS_INT8;
/// Products by weights that are stored in integers. No other kernel reads these.
constexpr bool kHasIntegerWeightKernels = KUIPER_HAS_INTEGER_WEIGHTS;

}  // namespace kuiper_infer::kernel
