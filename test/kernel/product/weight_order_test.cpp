// SPDX-License-Identifier: MIT
// Weights that are packed in parts, against the same packed at once.
#include "kernel/product/weight_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/convolution/channelwise/int8_depthwise_order.hpp"
#include "kernel/convolution/channelwise/order.hpp"
#include "kernel/convolution/winograd/int8_weight.hpp"
#include "kernel/convolution/winograd/weight.hpp"
#include "kernel/product/int8/product.hpp"
#include "kernel/product/quantized/product.hpp"
#include "kernel/random_data.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

constexpr int kGuard = 16;
constexpr float kSentinel = 12345;

struct OrderCase {
  const char* name;
  const WeightOrder* order;
  WeightShape shape;
};

// Weights of more than one part, whose last panels are not full.
const OrderCase kCases[] = {
    {"panels", &kPanelOrder, {1, 403, 520, 1}},
    {"panels of windows", &kPanelOrder, {1, 203, 90, 9}},
    {"panels of groups", &kPanelOrder, {12, 37, 50, 9}},
    {"panels of deep rows", &kPanelOrder, {1, 130, 9000, 1}},
    {"matrix", &kMatrixPanelOrder, {1, 403, 521, 1}},
    {"bfloat16 panels", &BFloat16PanelOrder(1), {1, 203, 91, 9}},
    {"bfloat16 panels in pieces", &BFloat16PanelOrder(2), {1, 403, 520, 1}},
    {"bfloat16 panels of groups", &BFloat16PanelOrder(3), {12, 37, 50, 9}},
    {"bfloat16 matrix", &BFloat16MatrixOrder(1), {1, 403, 521, 1}},
    {"bfloat16 matrix in pieces", &BFloat16MatrixOrder(3), {1, 403, 521, 1}},
    {"left", &kLeftPanelOrder, {3, 41, 700, 1}},
    {"channelwise", &kChannelwiseOrder, {300, 2, 4, 49}},
    {"winograd2", &WinogradWeightOrder(2), {1, 203, 90, 9}},
    {"winograd4", &WinogradWeightOrder(4), {1, 70, 133, 9}},
    {"winograd6", &WinogradWeightOrder(6), {1, 203, 90, 9}},
    {"int8", &Int8PanelOrder(), {1, 403, 521, 1}},
    {"int8 windows", &Int8PanelOrder(), {1, 203, 90, 9}},
    {"int8 groups", &Int8PanelOrder(), {12, 37, 50, 9}},
    {"int8 segments", &Int8WindowRowOrder(), {1, 203, 91, 9}},
    {"int8 segments of groups", &Int8WindowRowOrder(), {3, 37, 3, 49}},
    {"int8 depthwise", &Int8DepthwiseOrder(), {300, 1, 1, 49}},
    {"int8 winograd2", &Int8WinogradOrder(2), {1, 203, 91, 9}},
    {"int8 winograd4", &Int8WinogradOrder(4), {1, 203, 91, 9}},
    {"int8 of weights only", &QuantizedPanelOrder(8), {1, 403, 521, 1}},
    {"int4 of weights only", &QuantizedPanelOrder(4), {1, 403, 520, 1}},
    {"no rows", &kPanelOrder, {1, 0, 7, 1}},
    {"no depth", &kPanelOrder, {1, 70, 0, 1}},
};

/// Random numbers such as the order takes.
std::vector<float> RandomWeight(const WeightOrder& order, const WeightShape& shape) {
  std::vector<float> weight = RandomVector<float>(shape.size(), 1);
  if (order.integers()) {
    const float most = order.type == RuntimeDataType::kTypeInt8 ? 128 : 8;
    for (float& x : weight) x = std::floor(x * most);
  }
  return weight;
}

class WeightOrderTest : public testing::TestWithParam<OrderCase> {};

TEST_P(WeightOrderTest, PartsMakeTheWhole) {
  const auto& [name, order, shape] = GetParam();
  const std::vector<float> weight = RandomWeight(*order, shape);
  const std::size_t floats = static_cast<std::size_t>(order->bytes(shape)) / sizeof(float);
  std::vector<float> expected(floats + kGuard, kSentinel);
  order->pack(shape, {0, order->rows(shape)}, weight.data(), expected.data());
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    for (const bool copies : {false, true}) {
      SCOPED_TRACE(testing::Message() << threads << " threads, " << (copies ? "copied" : "in place"));
      std::vector<float> packed(floats + kGuard, kSentinel);
      const auto read = [&](int64_t first, int64_t count, float* part) {
        std::copy_n(weight.data() + first, count, part);
      };
      if (copies) {
        PackInParts(*order, shape, read, packed.data());
      } else {
        PackWhole(*order, shape, weight.data(), packed.data());
      }
      EXPECT_EQ(std::memcmp(packed.data(), expected.data(), packed.size() * sizeof(float)), 0);
    }
  }
  if (order->unpack == nullptr) return;
  std::vector<float> unpacked(weight.size());
  order->unpack(shape, expected.data(), unpacked.data());
  EXPECT_EQ(unpacked, weight);
}

TEST_P(WeightOrderTest, FaultsOfPartsPassThrough) {
  const auto& [name, order, shape] = GetParam();
  if (order->rows(shape) == 0) return;  // there is no part
  const ThreadScope scope(2);
  std::vector<float> packed(static_cast<std::size_t>(order->bytes(shape)) / sizeof(float));
  const auto read = [](int64_t, int64_t, float*) { throw std::runtime_error("no such part"); };
  EXPECT_THROW(PackInParts(*order, shape, read, packed.data()), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Orders, WeightOrderTest, testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

/// The transform of one window, by its formula: U = G g G', with a row of G for m = 2.
TEST(WinogradWeightTest, IsTheFormulasTransform) {
  constexpr double kG[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  const WeightShape shape{1, 5, 3, 9};
  const std::vector<float> weight = RandomVector<float>(shape.size(), 2);
  const WeightOrder& order = WinogradWeightOrder(2);
  std::vector<float> packed(static_cast<std::size_t>(order.bytes(shape)) / sizeof(float));
  PackWhole(order, shape, weight.data(), packed.data());
  const WeightShape plane{1, 5, 3, 1};
  const std::size_t plane_floats = packed.size() / 16;
  for (int p = 0; p < 16; ++p) {
    std::vector<float> transformed(15);
    kPanelOrder.unpack(plane, packed.data() + p * plane_floats, transformed.data());
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
