// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::test {

/// Expects log-probabilities to begin with those of `expected`. Those of impossible classes are large numbers, of which
/// float32 keeps about seven digits.
inline void ExpectLogProbabilities(const NdArray& output, const NdArray& expected) {
  for (int64_t i = 0; i < expected.size(); ++i) {
    const float wanted = expected.data<float>()[i];
    ASSERT_NEAR(output.data<float>()[i], wanted, 1e-3 + 1e-5 * std::abs(wanted));
  }
}

}  // namespace kuiper_infer::test
