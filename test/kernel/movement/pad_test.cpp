// SPDX-License-Identifier: MIT
#include "kernel/movement/pad.hpp"

#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "kernel/random_data.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Returns torch.arange(n) padded by (begin, end); -1 stands for the constant.
std::vector<int64_t> PadRow(PadMode mode, int64_t n, int64_t begin, int64_t end) {
  std::vector<int64_t> from(static_cast<std::size_t>(n));
  std::iota(from.begin(), from.end(), 0);
  std::vector<int64_t> to(static_cast<std::size_t>(n + begin + end), 99);
  const int64_t value = -1;
  const RuntimeDataType type = RuntimeDataType::kTypeInt64;
  Pad(mode, {begin}, mode == PadMode::kConstant ? &value : nullptr, {from.data(), TensorSpec(type, {n})},
      {to.data(), TensorSpec(type, {n + begin + end})});
  return to;
}

using Row = std::vector<int64_t>;

// The expected values are those of torch.nn.functional.pad.
TEST(Pad, RowsEqualPyTorch) {
  EXPECT_EQ(PadRow(PadMode::kConstant, 3, 2, 1), (Row{-1, -1, 0, 1, 2, -1}));
  EXPECT_EQ(PadRow(PadMode::kReflect, 4, 3, 2), (Row{3, 2, 1, 0, 1, 2, 3, 2, 1}));
  EXPECT_EQ(PadRow(PadMode::kReplicate, 3, 2, 3), (Row{0, 0, 0, 1, 2, 2, 2, 2}));
  EXPECT_EQ(PadRow(PadMode::kCircular, 4, 2, 3), (Row{2, 3, 0, 1, 2, 3, 0, 1, 2}));
  EXPECT_EQ(PadRow(PadMode::kReplicate, 1, 2, 1), (Row{0, 0, 0, 0}));
}

TEST(Pad, NegativeAmountsCrop) {
  EXPECT_EQ(PadRow(PadMode::kConstant, 5, -1, -2), (Row{1, 2}));
  EXPECT_EQ(PadRow(PadMode::kConstant, 5, -2, 2), (Row{2, 3, 4, -1, -1}));
  EXPECT_EQ(PadRow(PadMode::kConstant, 2, -3, 4), (Row{-1, -1, -1}));
  EXPECT_EQ(PadRow(PadMode::kConstant, 3, -3, 0), Row{});
  EXPECT_EQ(PadRow(PadMode::kReflect, 4, -1, 2), (Row{1, 2, 3, 2, 1}));
  EXPECT_EQ(PadRow(PadMode::kReflect, 4, 2, -1), (Row{2, 1, 0, 1, 2}));
  EXPECT_EQ(PadRow(PadMode::kReplicate, 4, -1, 2), (Row{1, 2, 3, 3, 3}));
  EXPECT_EQ(PadRow(PadMode::kCircular, 4, -1, 2), (Row{1, 2, 3, 1, 2}));
  EXPECT_EQ(PadRow(PadMode::kCircular, 4, 2, -1), (Row{1, 2, 0, 1, 2}));
}

TEST(Pad, EmptyInputsGiveTheConstant) { EXPECT_EQ(PadRow(PadMode::kConstant, 0, 1, 2), (Row{-1, -1, -1})); }

TEST(Pad, RankZeroIsCopied) {
  const float from = 3;
  float to = 0;
  const TensorSpec spec(RuntimeDataType::kTypeFloat32, {});
  Pad(PadMode::kConstant, {}, &from, {&from, spec}, {&to, spec});
  EXPECT_EQ(to, 3);
}

struct PadCase {
  Shape shape, begin, end;
};

template <class T>
void CheckAllAxes(RuntimeDataType type, const PadCase& c, PadMode mode, bool transposed) {
  Shape out = c.shape;
  for (std::size_t axis = 0; axis < out.size(); ++axis) out[axis] += c.begin[axis] + c.end[axis];
  SCOPED_TRACE(ShapeString(c.shape) + " to " + ShapeString(out) + " mode " + std::to_string(static_cast<int>(mode)));
  const auto source = RandomVector<T>(ElementCount(c.shape), 5);
  std::vector<T> target(static_cast<std::size_t>(ElementCount(out)));
  const auto strides = [&](const Shape& shape) {
    if (!transposed) return RowMajorStrides(shape);
    Strides reversed = RowMajorStrides(Shape(shape.rbegin(), shape.rend()));
    return Strides(reversed.rbegin(), reversed.rend());
  };
  const TensorSpec from(type, c.shape, strides(c.shape));
  const TensorSpec to(type, out, strides(out));
  const T value = T(7);
  Pad(mode, c.begin, &value, {source.data(), from}, {target.data(), to});
  const Strides count = RowMajorStrides(out);
  for (int64_t i = 0; i < ElementCount(out); ++i) {
    int64_t from_offset = 0;
    int64_t to_offset = 0;
    bool outside = false;
    for (std::size_t axis = 0; axis < out.size(); ++axis) {
      const int64_t index = i / count[axis] % out[axis];
      const int64_t at = PadSource(mode, index, c.shape[axis], c.begin[axis], c.end[axis]);
      outside = outside || at < 0;
      from_offset += at * from.strides[axis];
      to_offset += index * to.strides[axis];
    }
    ASSERT_EQ(target[to_offset], outside ? value : source[from_offset]) << "element " << i;
  }
}

TEST(Pad, AllAxesAnyStridesAnyWidth) {
  const PadCase cases[] = {{{5, 7}, {1, 2}, {2, 3}},
                           {{2, 3, 17}, {0, 1, 0}, {0, 2, 16}},
                           {{2, 3, 4, 9}, {0, 0, 2, 8}, {1, 0, 3, 1}},
                           {{4, 6, 33}, {-1, 2, -3}, {2, -1, 4}}};
  for (const PadCase& c : cases) {
    for (const PadMode mode : {PadMode::kConstant, PadMode::kReflect, PadMode::kReplicate, PadMode::kCircular}) {
      for (const bool transposed : {false, true}) {
        CheckAllAxes<float>(RuntimeDataType::kTypeFloat32, c, mode, transposed);
        CheckAllAxes<int8_t>(RuntimeDataType::kTypeInt8, c, mode, transposed);
        CheckAllAxes<double>(RuntimeDataType::kTypeFloat64, c, mode, transposed);
      }
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
