// SPDX-License-Identifier: MIT
// Groups of equal slices, compared with a comparison of all pairs.
#include "kernel/sorting/unique.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {
namespace {

struct Problem {
  AxisGeometry geometry;
  int values;  ///< elements are 0 to values - 1
};

class UniqueTest : public testing::TestWithParam<Problem> {
 protected:
  void SetUp() override {
    const AxisGeometry& g = GetParam().geometry;
    data_ = RandomVector<int32_t>(g.size(), 7);
    for (int32_t& x : data_) x = (x + 9) % GetParam().values;
    view_ = {data_.data(), TensorSpec(RuntimeDataType::kTypeInt32, {g.outer, g.extent, g.inner})};
  }
  std::vector<int32_t> Slice(int64_t position) const {
    const AxisGeometry& g = GetParam().geometry;
    std::vector<int32_t> slice;
    for (int64_t outer = 0; outer < g.outer; ++outer) {
      const auto begin = data_.begin() + (outer * g.extent + position) * g.inner;
      slice.insert(slice.end(), begin, begin + g.inner);
    }
    return slice;
  }
  /// Expects each slice to belong to a group whose first slice equals it and whose count includes it.
  void ExpectConsistent(const SliceGroups& groups) const {
    const auto extent = static_cast<std::size_t>(GetParam().geometry.extent);
    ASSERT_EQ(groups.group_of.size(), extent);
    ASSERT_EQ(groups.counts.size(), groups.first.size());
    std::vector<int64_t> counts(groups.counts.size());
    for (std::size_t i = 0; i < extent; ++i) {
      const auto group = static_cast<std::size_t>(groups.group_of[i]);
      ++counts.at(group);
      EXPECT_EQ(Slice(groups.first[group]), Slice(static_cast<int64_t>(i)));
      EXPECT_LE(groups.first[group], static_cast<int64_t>(i));
    }
    EXPECT_EQ(counts, groups.counts);
  }

  std::vector<int32_t> data_;
  ConstArrayView view_;
};

TEST_P(UniqueTest, SortedGroupsAscend) {
  const SliceGroups groups = GroupSorted(GetParam().geometry, view_);
  ExpectConsistent(groups);
  for (std::size_t g = 1; g < groups.first.size(); ++g) {
    EXPECT_LT(Slice(groups.first[g - 1]), Slice(groups.first[g]));
  }
}

TEST_P(UniqueTest, NeighboursKeepTheirOrder) {
  const SliceGroups groups = GroupNeighbours(GetParam().geometry, view_);
  ExpectConsistent(groups);
  EXPECT_TRUE(std::is_sorted(groups.group_of.begin(), groups.group_of.end()));
  for (std::size_t g = 1; g < groups.first.size(); ++g) {
    EXPECT_NE(Slice(groups.first[g] - 1), Slice(groups.first[g]));
  }
}

INSTANTIATE_TEST_SUITE_P(Geometries, UniqueTest,
                         testing::Values(Problem{{1, 0, 1}, 2}, Problem{{1, 1, 1}, 2}, Problem{{1, 40, 1}, 2},
                                         Problem{{1, 40, 1}, 19}, Problem{{2, 30, 1}, 2}, Problem{{1, 30, 3}, 2},
                                         Problem{{2, 25, 2}, 2}, Problem{{3, 25, 2}, 1}));

}  // namespace
}  // namespace kuiper_infer::kernel
