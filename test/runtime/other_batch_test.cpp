// SPDX-License-Identifier: MIT
// A program of the classic interface that feeds another batch than the exported one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/data/tensor.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

/// Returns a network for images of 8x8 pixels. If `head`, it ends like a detector, with a view that has the exported
/// batch.
RuntimeGraph Network(bool head) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddConvolution(*source, "conv", AddInput(*source, 0, {1, 3, 8, 8}), 6, 3);
  if (head) {
    x = AddUnary(*source, "Tensor.view", "view", {x});
    x->producer->params["shape"] = std::vector<int>{1, 3, 2, 64};
    x->shape = {1, 3, 2, 64};
  }
  AddOutput(*source, 0, x);
  RuntimeGraph graph(std::move(source));
  graph.Build("pnnx_input_0", "pnnx_output_0");
  return graph;
}

std::vector<sftensor> Images(int count) {
  std::vector<sftensor> images;
  for (int i = 0; i < count; ++i) {
    images.push_back(std::make_shared<ftensor>(3, 8, 8));
    images.back()->Fill(static_cast<float>(i));
  }
  return images;
}

TEST(OtherBatchTest, RunsWhereNoOperatorHoldsTheBatch) {
  RuntimeGraph graph = Network(false);
  EXPECT_EQ(graph.Forward(Images(8)).size(), 8);
}

TEST(OtherBatchTest, IsAnErrorThatNamesTheOperatorWhereOneDoes) {
  RuntimeGraph graph = Network(true);
  const std::vector<sftensor> images = Images(8);
  // docs/porting.md quotes the text.
  EXPECT_EQ(
      ErrorText(ErrorCode::kShape, [&] { graph.Forward(images); }),
      "operator 'view' (Tensor.view): an array of shape (8,6,8,8) cannot be reshaped to (1,3,2,64): found 3072 "
      "elements, expected 384; input 'pnnx_input_0' is (8,3,8,8), the export had (1,3,8,8): for other sizes export "
      "with a second set of inputs (inputs2=...)");
  // The graph can be used again, with one image after the other.
  for (const sftensor& image : images) EXPECT_EQ(graph.Forward({image}).size(), 1);
}

}  // namespace
}  // namespace kuiper_infer
