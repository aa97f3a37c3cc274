// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/product_kernels.hpp"

namespace kuiper_infer::kernel {

/// A format whose integers kernels read, with the range of its numbers.
struct FormatCase {
  const WeightFormat* format;
  int least;
  int most;
};

/// All of these formats, as the parameter of a suite.
inline auto IntegerFormats() {
  return testing::Values(FormatCase{&kInt8GroupFormat, -128, 127}, FormatCase{&kInt8AsymmetricFormat, 0, 255},
                         FormatCase{&kInt4Format, -8, 7}, FormatCase{&kInt4AsymmetricFormat, 0, 15});
}

inline std::string FormatName(const testing::TestParamInfo<FormatCase>& info) {
  return "int" + std::to_string(info.param.format->bits) + (info.param.format->asymmetric ? "_asymmetric" : "");
}

/// The kernel among these that reads the format. If there is none, the test fails.
inline const ProductKernel& KernelOf(const std::vector<const ProductKernel*>& kernels, const WeightFormat& format) {
  for (const ProductKernel* kernel : kernels) {
    if (&kernel->format == &format) return *kernel;
  }
  ADD_FAILURE() << "no kernel reads " << format.name;
  return Float32Kernel(UsedIsa());
}

}  // namespace kuiper_infer::kernel
