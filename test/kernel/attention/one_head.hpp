// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/attention/attention.hpp"
#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {

inline constexpr double kScale = 0.3;
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// One head of `length` queries and `columns` keys, stored as parts of wider rows, with a mask that is added.
struct OneHead {
  OneHead(int64_t rows, int64_t keys, int64_t width, int64_t value_width)
      : length(rows),
        columns(keys),
        size(width),
        value_size(value_width),
        pitch(width + 3),
        seed(static_cast<uint32_t>(rows * 31 + keys * 7 + width)),
        q(RandomVector<float>(rows * width, seed)),
        k(RandomVector<float>(keys * pitch, seed + 1)),
        v(RandomVector<float>(keys * value_width, seed + 2)),
        mask(static_cast<std::size_t>(rows * keys)) {
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 1; j < keys; ++j) mask[i * keys + j] = (i * 3 + j) % 5 == 0 ? -kInfinity : 0.25F;
    }
  }

  std::vector<float> Run(AttentionOptions options) const {
    const auto type = RuntimeDataType::kTypeFloat32;
    options.scale = kScale;
    std::vector<float> output(static_cast<std::size_t>(length * value_size));
    AttentionArrays arrays;
    arrays.query = {q.data(), TensorSpec(type, {1, length, size})};
    arrays.key = {k.data(), TensorSpec(type, {1, columns, size}, {0, pitch, 1})};
    arrays.value = {v.data(), TensorSpec(type, {1, columns, value_size})};
    arrays.mask = {mask.data(), TensorSpec(type, {1, length, columns})};
    arrays.output = {output.data(), TensorSpec(type, {1, length, value_size})};
    std::vector<std::byte> workspace(
        AttentionWorkspace(options, arrays.query.spec, arrays.key.spec, arrays.value.spec));
    Attention(options, arrays, workspace.data());
    return output;
  }

  int64_t length, columns, size, value_size, pitch;
  uint32_t seed;
  std::vector<float> q, k, v, mask;
};

/// A head with a NaN in query 0 and in column 4 of value 11, an infinity in query 5; query 7 attends to nothing.
inline OneHead HeadWithNaNAndInfinity() {
  OneHead p(40, 50, 32, 24);
  p.q[3] = std::nanf("");
  p.q[5 * 32 + 7] = kInfinity;
  p.v[11 * 24 + 4] = std::nanf("");
  std::fill_n(p.mask.begin() + 7 * 50, 50, -kInfinity);
  return p;
}

/// Expects NaN and infinity exactly where `expected` has them. `expected` must have finite numbers and other ones.
inline void CheckNotFinite(const std::vector<float>& found, const std::vector<float>& expected) {
  int64_t finite = 0;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << i;
    ASSERT_EQ(std::isinf(found[i]), std::isinf(expected[i])) << i;
    finite += std::isfinite(expected[i]) ? 1 : 0;
  }
  EXPECT_GT(finite, 0);
  EXPECT_LT(finite, static_cast<int64_t>(expected.size()));
}

}  // namespace kuiper_infer::kernel
