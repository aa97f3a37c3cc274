// SPDX-License-Identifier: MIT
#include "kernel/indexing/embedding.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

TEST(LookUpRows, CopiesRowsForBothIndexTypes) {
  const std::vector<float> table{0, 1, 10, 11, 20, 21};
  const std::vector<int64_t> wide{2, 0, 2};
  const std::vector<int32_t> narrow{2, 0, 2};
  const std::vector<float> expected{20, 21, 0, 1, 20, 21};
  std::vector<float> out(6);
  EXPECT_EQ(LookUpRows(wide.data(), 3, table.data(), 3, 8, out.data()), -1);
  EXPECT_EQ(out, expected);
  out.assign(6, 0);
  EXPECT_EQ(LookUpRows(narrow.data(), 3, table.data(), 3, 8, out.data()), -1);
  EXPECT_EQ(out, expected);
}

TEST(LookUpRows, ReportsIndicesOutOfRange) {
  const std::vector<float> table{0, 1};
  std::vector<float> out(2, -1);
  const std::vector<int64_t> above{1, 2};
  EXPECT_EQ(LookUpRows(above.data(), 2, table.data(), 2, 4, out.data()), 1);
  const std::vector<int64_t> below{-1, 0};
  EXPECT_EQ(LookUpRows(below.data(), 2, table.data(), 2, 4, out.data()), 0);
  EXPECT_EQ(LookUpRows(above.data(), 0, table.data(), 2, 4, out.data()), -1);
}

// Values of torch.nn.functional.embedding_bag.
TEST(ReduceBags, SumMeanMax) {
  const std::vector<float> table{1, -1, 2, -2, 4, -4};
  const std::vector<int64_t> indices{0, 1, 2, 2};
  const std::vector<int64_t> begins{0, 2, 2, 4};
  std::vector<float> out(6);
  ReduceBags<float>(BagMode::kSum, indices.data(), begins.data(), 3, nullptr, -1, table.data(), 2, out.data());
  EXPECT_EQ(out, (std::vector<float>{3, -3, 0, 0, 8, -8}));
  ReduceBags<float>(BagMode::kMean, indices.data(), begins.data(), 3, nullptr, -1, table.data(), 2, out.data());
  EXPECT_EQ(out, (std::vector<float>{1.5, -1.5, 0, 0, 4, -4}));
  ReduceBags<float>(BagMode::kMax, indices.data(), begins.data(), 3, nullptr, -1, table.data(), 2, out.data());
  EXPECT_EQ(out, (std::vector<float>{2, -1, 0, 0, 4, -4}));
  const std::vector<float> factors{10, 100, 0.5, 0.25};
  ReduceBags<float>(BagMode::kSum, indices.data(), begins.data(), 3, factors.data(), 2, table.data(), 2, out.data());
  EXPECT_EQ(out, (std::vector<float>{210, -210, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace kuiper_infer::kernel
