// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

/// Taps of a wide dilation that meet only padding are left out, and the remaining taps keep their weights. Each case
/// has kernel, dilation and padding for a row of 12 pixels, whose sums the test computes.
TEST(OuterTapsTest, WideDilations) {
  struct Case {
    int kernel, dilation, padding;
  };
  for (const auto& [kernel, dilation, padding] :
       {Case{3, 12, 12}, {3, 11, 11}, {5, 7, 14}, {5, 12, 24}, {3, 24, 24}, {5, 12, 30}, {4, 9, 20}}) {
    SCOPED_TRACE(std::to_string(kernel) + " " + std::to_string(dilation) + " " + std::to_string(padding));
    constexpr int kChannels = 16;
    constexpr int kWidth = 12;
    auto source = std::make_unique<pnnx::Graph>();
    pnnx::Operand* input = AddInput(*source, 0, {1, kChannels, 1, kWidth});
    pnnx::Operand* result = AddConvolution(*source, "a", input, kChannels, kernel);
    pnnx::Operator* op = result->producer;
    op->params["kernel_size"] = std::vector<int>{1, kernel};
    op->params["dilation"] = std::vector<int>{1, dilation};
    op->params["padding"] = std::vector<int>{0, padding};
    std::vector<float> weight(kChannels * kChannels * kernel);
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<float>(i * 7 % 13) / 8 - 0.7F;
    op->attrs["weight"] = pnnx::Attribute({kChannels, kChannels, 1, kernel}, weight);
    const int positions = kWidth + 2 * padding - dilation * (kernel - 1);
    ASSERT_GT(positions, 0);
    result->shape = {1, kChannels, 1, positions};
    const std::vector<float> bias = op->attrs["bias"].get_float32_data();
    AddOutput(*source, 0, result);
    RuntimeGraph graph(std::move(source));
    graph.Build();
    const NdArray x(RuntimeDataType::kTypeFloat32, {1, kChannels, 1, kWidth});
    for (int i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i * 5 % 23) / 8 - 1;
    graph.set_input("pnnx_input_0", x);
    graph.Run();
    const NdArray found = graph.outputs().front().Contiguous();
    ASSERT_EQ(found.shape(), (Shape{1, kChannels, 1, positions}));
    for (int o = 0; o < kChannels; ++o) {
      for (int position = 0; position < positions; ++position) {
        double sum = bias[o];
        for (int c = 0; c < kChannels; ++c) {
          for (int tap = 0; tap < kernel; ++tap) {
            const int at = position - padding + tap * dilation;
            if (at < 0 || at >= kWidth) continue;
            sum += static_cast<double>(x.data<float>()[c * kWidth + at]) * weight[(o * kChannels + c) * kernel + tap];
          }
        }
        ASSERT_NEAR(found.data<float>()[o * positions + position], sum, 1e-4) << o << " at " << position;
      }
    }
  }
}

}  // namespace
}  // namespace kuiper_infer
