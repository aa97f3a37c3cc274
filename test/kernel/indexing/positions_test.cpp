// SPDX-License-Identifier: MIT
#include "kernel/indexing/positions.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

TEST(PositionsTest, FirstOnesThenTheFill) {
  const bool flags[] = {false, true, false, true, false, true};
  std::vector<int64_t> found(8, -5);
  FirstPositions({2, 3}, flags, 4, 7, found.data());
  EXPECT_EQ(found, (std::vector<int64_t>{0, 1, 1, 0, 1, 2, 7, 7}));
}

TEST(PositionsTest, NoMoreThanAskedFor) {
  const bool flags[] = {true, true, true};
  std::vector<int64_t> found(3, -5);
  FirstPositions({3}, flags, 2, 7, found.data());
  EXPECT_EQ(found, (std::vector<int64_t>{0, 1, -5}));
}

TEST(PositionsTest, ANumberHasAPositionWithoutAxes) {
  const bool flag = true;
  int64_t untouched = -5;
  FirstPositions({}, &flag, 3, 7, &untouched);
  EXPECT_EQ(untouched, -5);
}

}  // namespace
}  // namespace kuiper_infer::kernel
