// SPDX-License-Identifier: MIT
#pragma once

#include <benchmark/benchmark.h>

#include "kernel/convolution/convolution.hpp"

namespace kuiper_infer::bench {

/// A convolution computed by oneDNN, in the layouts that oneDNN prefers, for comparison. It is built only if CMake
/// finds oneDNN (Debian's libdnnl-dev); the library itself does not use it.
void RunOneDnn(benchmark::State& state, const kernel::ConvolutionGeometry& geometry, double ceiling);

}  // namespace kuiper_infer::bench
