// SPDX-License-Identifier: MIT
// Weights that are packed in parts, compared with weights packed at once.
#include "kernel/product/packed_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/convolution/channelwise/int8_depthwise_layout.hpp"
#include "kernel/convolution/channelwise/layout.hpp"
#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/convolution/winograd/weight.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/integer_formats.hpp"
#include "kernel/product/integer_weights/kernel.hpp"
#include "kernel/random_data.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kGuard = 16;
constexpr float kSentinel = 12345;

struct LayoutCase {
  const char* name;
  const PackedLayout* layout;
  WeightShape shape;
};

const ProductKernel& Floats() { return Float32Kernel(UsedIsa()); }
const ProductKernel& Split(int pieces) { return BFloat16KernelOf(MatrixUnit::kNone, pieces); }
const ProductKernel& Bytes() { return Int8KernelOf(Int8Unit::kPortable); }
const PackedLayout* Windows(const ProductKernel& kernel) { return &kernel.Layout(Arrangement::kWindows); }
const PackedLayout* Integers(const WeightFormat& format) {
  return Windows(KernelOf(IntegerWeightKernels(UsedIsa()), format));
}
const PackedLayout* WindowRows(const ProductKernel& kernel) { return &kernel.Layout(Arrangement::kWindowRows); }
const PackedLayout* Matrix(const ProductKernel& kernel) { return &kernel.Layout(Arrangement::kMatrix); }

// Weights of more than one part, whose last panels are not full.
const LayoutCase kCases[] = {
    {"panels", Windows(Floats()), {1, 403, 520, 1}},
    {"panels of windows", Windows(Floats()), {1, 203, 90, 9}},
    {"panels of groups", Windows(Floats()), {12, 37, 50, 9}},
    {"panels of deep rows", Windows(Floats()), {1, 130, 9000, 1}},
    {"matrix", Matrix(Floats()), {1, 403, 521, 1}},
    {"bfloat16 panels", Windows(Split(1)), {1, 203, 91, 9}},
    {"bfloat16 panels in pieces", Windows(Split(2)), {1, 403, 520, 1}},
    {"bfloat16 panels of groups", Windows(Split(3)), {12, 37, 50, 9}},
    {"bfloat16 matrix", Matrix(Split(1)), {1, 403, 521, 1}},
    {"bfloat16 matrix in pieces", Matrix(Split(3)), {1, 403, 521, 1}},
    {"left", &LeftPanelLayout(), {3, 41, 700, 1}},
    {"channelwise", &LayoutChannelwise(Floats()), {300, 2, 4, 49}},
    {"winograd2", &LayoutWinograd<2>(Floats()), {1, 203, 90, 9}},
    {"winograd4", &LayoutWinograd<4>(Floats()), {1, 70, 133, 9}},
    {"winograd6", &LayoutWinograd<6>(Floats()), {1, 203, 90, 9}},
    {"int8", Windows(Bytes()), {1, 403, 521, 1}},
    {"int8 windows", Windows(Bytes()), {1, 203, 90, 9}},
    {"int8 groups", Windows(Bytes()), {12, 37, 50, 9}},
    {"int8 segments", WindowRows(Bytes()), {1, 203, 91, 9}},
    {"int8 segments of groups", WindowRows(Bytes()), {3, 37, 3, 49}},
    {"int8 depthwise", &LayoutInt8Depthwise(Bytes()), {300, 1, 1, 49}},
    {"int8 winograd2", &LayoutInt8Winograd<2>(Bytes()), {1, 203, 91, 9}},
    {"int8 winograd4", &LayoutInt8Winograd<4>(Bytes()), {1, 203, 91, 9}},
    {"int8 of weights only", Integers(kInt8GroupFormat), {1, 403, 521, 1}},
    {"asymmetric int8 of weights only", Integers(kInt8AsymmetricFormat), {1, 403, 521, 1}},
    {"int4 of weights only", Integers(kInt4Format), {1, 403, 520, 1}},
    {"asymmetric int4 of weights only", Integers(kInt4AsymmetricFormat), {1, 403, 520, 1}},
    {"no rows", Windows(Floats()), {1, 0, 7, 1}},
    {"no depth", Windows(Floats()), {1, 70, 0, 1}},
};

/// Returns random numbers that the layout can hold.
std::vector<float> RandomWeight(const PackedLayout& layout, const WeightShape& shape) {
  std::vector<float> weight = RandomVector<float>(shape.size(), 1);
  if (layout.packs_integers()) {
    const auto most = static_cast<float>(1 << (layout.format.bits - 1));
    const float least = layout.format.asymmetric ? most : 0;
    for (float& x : weight) x = std::floor(x * most) + least;
  }
  return weight;
}

class PackedLayoutTest : public testing::TestWithParam<LayoutCase> {};

TEST_P(PackedLayoutTest, PartsMakeTheWhole) {
  const auto& [name, layout, shape] = GetParam();
  const std::vector<float> weight = RandomWeight(*layout, shape);
  const std::size_t floats = static_cast<std::size_t>(layout->Bytes(shape)) / sizeof(float);
  std::vector<float> expected(floats + kGuard, kSentinel);
  layout->Pack(shape, {0, layout->Rows(shape)}, weight.data(), expected.data());
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const bool copies : {false, true}) {
      SCOPED_TRACE(testing::Message() << threads << " threads, " << (copies ? "copied" : "in place"));
      std::vector<float> packed(floats + kGuard, kSentinel);
      const auto read = [&](int64_t first, int64_t count, float* part) {
        std::copy_n(weight.data() + first, count, part);
      };
      if (copies) {
        PackInParts(*layout, shape, read, packed.data());
      } else {
        PackWhole(*layout, shape, weight.data(), packed.data());
      }
      EXPECT_EQ(std::memcmp(packed.data(), expected.data(), packed.size() * sizeof(float)), 0);
    }
  }
  if (!layout->Reversible()) return;
  std::vector<float> unpacked(weight.size());
  layout->Unpack(shape, expected.data(), unpacked.data());
  EXPECT_EQ(unpacked, weight);
}

TEST_P(PackedLayoutTest, FaultsOfPartsPassThrough) {
  const auto& [name, layout, shape] = GetParam();
  if (layout->Rows(shape) == 0) return;  // there is no part
  const ThreadScope scope(2);
  std::vector<float> packed(static_cast<std::size_t>(layout->Bytes(shape)) / sizeof(float));
  const auto read = [](int64_t, int64_t, float*) { throw std::runtime_error("no such part"); };
  EXPECT_THROW(PackInParts(*layout, shape, read, packed.data()), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Layouts, PackedLayoutTest, testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// The transform of one window by its formula: U = G g G', with the matrix G for m = 2.
TEST(WinogradWeightTest, IsTheFormulasTransform) {
  constexpr double kG[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  const WeightShape shape{1, 5, 3, 9};
  const std::vector<float> weight = RandomVector<float>(shape.size(), 2);
  const PackedLayout& layout = LayoutWinograd<2>(Floats());
  std::vector<float> packed(static_cast<std::size_t>(layout.Bytes(shape)) / sizeof(float));
  PackWhole(layout, shape, weight.data(), packed.data());
  const WeightShape plane{1, 5, 3, 1};
  const std::size_t plane_floats = packed.size() / 16;
  for (int p = 0; p < 16; ++p) {
    std::vector<float> transformed(15);
    Floats().Layout(Arrangement::kWindows).Unpack(plane, packed.data() + p * plane_floats, transformed.data());
    for (int64_t k = 0; k < 15; ++k) {
      double sum = 0;
      for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 3; ++x) sum += kG[p / 4][y] * kG[p % 4][x] * weight[9 * k + 3 * y + x];
      }
      EXPECT_NEAR(transformed[k], sum, 1e-6) << "plane " << p << ", window " << k;
    }
  }
}

}  // namespace
}  // namespace kuiper_infer::kernel
