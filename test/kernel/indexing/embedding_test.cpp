// SPDX-License-Identifier: MIT
#include "kernel/indexing/embedding.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/integer_formats.hpp"
#include "kernel/product/integer_weights/kernel.hpp"
#include "utils/half.hpp"

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

TEST(LookUpNumbers, MakesFloatsOfStoredIntegers) {
  const std::vector<float> scales{2, 10, 0.5F, 100};
  const std::vector<int32_t> indices{1, 0, 1};
  std::vector<float> out(12);
  const std::vector<uint8_t> bytes{1, 2, 3, 0xFF, 4, 5, 0x80, 6};
  EXPECT_EQ(LookUpNumbers(indices.data(), 3, {&kInt8GroupFormat, bytes.data(), scales.data(), 2, 4, 2}, out.data()),
            -1);
  EXPECT_EQ(out, (std::vector<float>{2, 2.5F, -12800, 600, 2, 4, 30, -10, 2, 2.5F, -12800, 600}));
  const std::vector<uint8_t> halves{0x98, 0xF0, 0x7A, 0x8C};
  EXPECT_EQ(LookUpNumbers(indices.data(), 3, {&kInt4Format, halves.data(), scales.data(), 2, 4, 2}, out.data()), -1);
  EXPECT_EQ(out, (std::vector<float>{1, -0.5F, 400, 0, 0, 2, -80, 70, 1, -0.5F, 400, 0}));
  const std::vector<float> scales_and_minimums{2, 10, 0.5F, -1, 1, 0, 100, 3};
  const QuantizedTable asymmetric{&kInt4AsymmetricFormat, halves.data(), scales_and_minimums.data(), 2, 4, 2};
  EXPECT_EQ(LookUpNumbers(indices.data(), 3, asymmetric, out.data()), -1);
  EXPECT_EQ(out, (std::vector<float>{10, 7, 1203, 803, 26, 28, -1, 6.5F, 10, 7, 1203, 803}));
  const std::vector<int64_t> faulty{0, 2};
  EXPECT_EQ(LookUpNumbers(faulty.data(), 2, {&kInt8GroupFormat, bytes.data(), scales.data(), 2, 4, 2}, out.data()), 1);
}

/// Rows from panels equal those from the same integers as they are stored, with parameters in float32 and in float16.
class PackedTableTest : public testing::TestWithParam<FormatCase> {};

TEST_P(PackedTableTest, EqualsTheStoredTable) {
  const WeightFormat& format = *GetParam().format;
  const PackedLayout& layout = KernelOf(IntegerWeightKernels(UsedIsa()), format).Layout(Arrangement::kWindows);
  ASSERT_TRUE(layout.UnpacksRows());
  for (const auto& [rows, width, groups] : {std::array<int64_t, 3>{1, 2, 1}, {150, 10, 5}, {67, 30, 3}}) {
    const WeightShape shape{1, rows, width};
    std::vector<float> integers(static_cast<std::size_t>(shape.size()));
    for (std::size_t i = 0; i < integers.size(); ++i) {
      integers[i] = static_cast<float>(GetParam().least + static_cast<int>(i * 37 % 16));
    }
    std::vector<uint8_t> stored(static_cast<std::size_t>(format.StoredBytes(shape.size())));
    format.encode(integers.data(), shape.size(), stored.data());
    std::vector<uint8_t> packed(static_cast<std::size_t>(layout.Bytes(shape)));
    PackWhole(layout, shape, integers.data(), packed.data());
    std::vector<float> parameters(static_cast<std::size_t>(rows * groups * format.ParameterCount()));
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = 0.25F * static_cast<float>(i % 50 + 1);
    const std::vector<Float16> halves(parameters.begin(), parameters.end());
    const std::vector<int64_t> indices{rows - 1, 0, rows / 2};
    std::vector<float> expected(static_cast<std::size_t>(3 * width));
    std::vector<float> found(expected.size());
    QuantizedTable table{&format, stored.data(), parameters.data(), rows, width, groups};
    EXPECT_EQ(LookUpNumbers(indices.data(), 3, table, expected.data()), -1);
    table.integers = packed.data();
    table.layout = &layout;
    EXPECT_EQ(LookUpNumbers(indices.data(), 3, table, found.data()), -1);
    EXPECT_EQ(found, expected);
    found.assign(found.size(), 0);
    table.parameters = halves.data();
    table.halves = true;
    EXPECT_EQ(LookUpNumbers(indices.data(), 3, table, found.data()), -1);
    EXPECT_EQ(found, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, PackedTableTest, IntegerFormats(), FormatName);

// The expected values are those of torch.nn.functional.embedding_bag.
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
