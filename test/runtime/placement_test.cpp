// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/product_kernels.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "planning/passes.hpp"
#include "runtime/graph_building.hpp"

namespace kuiper_infer {
namespace {

pnnx::Operand* AddCat(pnnx::Graph& graph, const std::vector<pnnx::Operand*>& inputs, int axis = 1) {
  pnnx::Operand* result = AddUnary(graph, "torch.cat", "cat", inputs);
  result->producer->params["dim"] = axis;
  result->shape[static_cast<std::size_t>(axis)] = 0;
  for (const pnnx::Operand* input : inputs) {
    result->shape[static_cast<std::size_t>(axis)] += input->shape[static_cast<std::size_t>(axis)];
  }
  return result;
}

/// Expects `placed` operands to be written directly into a concatenation.
void CheckPlaced(const BuildNetwork& build, int64_t placed) {
  if (!kernel::HasProductKernels(UsedUnits()))
    GTEST_SKIP() << "the kernels that write with gaps are not made for this CPU";
  CheckAgainstKept({2, 8, 6, 10}, build, [=](RuntimeGraph& graph, const NdArray& x) {
    EXPECT_EQ(CountPlaced(PlanGraph(graph.get_topo_queues(), {x.spec()}, false, {})), placed);
  });
}

pnnx::Operand* AddPool(pnnx::Graph& graph, const std::string& name, pnnx::Operand* x) {
  pnnx::Operand* result = AddUnary(graph, "nn.MaxPool2d", name, {x});
  result->producer->params["kernel_size"] = std::vector<int>{3, 3};
  result->producer->params["stride"] = std::vector<int>{1, 1};
  result->producer->params["padding"] = std::vector<int>{1, 1};
  return result;
}

TEST(PlacementTest, ConvolutionsAndPoolsWriteIntoTheConcatenation) {
  CheckPlaced(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddUnary(graph, "nn.SiLU", "silu", {AddConvolution(graph, "a", x, 17, 3)});
        pnnx::Operand* b = AddPool(graph, "b", a);
        pnnx::Operand* c = AddConvolution(graph, "c", b, 9, 1);
        return AddConvolution(graph, "d", AddCat(graph, {c, a, b}), 16, 3);
      },
      3);
}

/// A concatenation of both halves of an array and of arrays computed from one half, like C2f of the YOLO family.
TEST(PlacementTest, PiecesOfOneArrayStayTogether) {
  CheckPlaced(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 32, 1);
        const auto [half, other] = AddHalves(graph, "chunk", a);
        pnnx::Operand* b = AddConvolution(graph, "b", other, 16, 3);
        return AddUnary(graph, "nn.ReLU", "relu", {AddCat(graph, {half, other, b})});
      },
      2);
}

/// Concatenations that grow. The smaller ones are views of the last one.
TEST(PlacementTest, ConcatenationsOfConcatenatedPieces) {
  CheckPlaced(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
        pnnx::Operand* b = AddConvolution(graph, "b", a, 8, 3);
        pnnx::Operand* first = AddUnary(graph, "torch.cat", "first", {a, b});
        first->producer->params["dim"] = 1;
        first->shape[1] = 24;
        pnnx::Operand* c = AddConvolution(graph, "c", first, 8, 1);
        pnnx::Operand* all = AddCat(graph, {a, b, c});
        return AddConvolution(graph, "d", all, 16, 1);
      },
      3);
}

/// The residual must be complete when the convolution that adds it runs. Here it is part of a concatenation, and it is
/// written after the other part.
TEST(PlacementTest, AdditionsWaitForPieces) {
  CheckPlaced(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* early = AddConvolution(graph, "early", x, 16, 3);
        pnnx::Operand* sum = AddConvolution(graph, "sum", early, 16, 1);
        pnnx::Operand* late = AddConvolution(graph, "late", sum, 16, 3);
        pnnx::Operand* cat = AddCat(graph, {early, late});
        const auto [half, other] = AddHalves(graph, "chunk", cat);
        pnnx::Operand* tail = AddConvolution(graph, "tail", other, 16, 1);
        pnnx::Operand* whole = AddExpression(graph, "add", "add(@0,@1)", {AddConvolution(graph, "e", x, 16, 1), half});
        return AddExpression(graph, "last", "add(@0,@1)", {whole, tail});
      },
      2);
}

/// A part whose step takes over an addition after the other part was placed, with other arrays in between.
TEST(PlacementTest, StepsThatTakeOverAnAdditionLater) {
  for (const bool first : {false, true}) {
    CheckPlaced(
        [=](pnnx::Graph& graph, pnnx::Operand* x) {
          // This step needs the most memory, so that the longer lifetime of the concatenation costs none.
          pnnx::Operand* wide = AddConvolution(graph, "wide", x, 400, 1);
          pnnx::Operand* early = AddConvolution(graph, "early", wide, 16, 3);
          pnnx::Operand* a = AddConvolution(graph, "a", early, 16, 3);
          pnnx::Operand* b = AddConvolution(graph, "b", AddConvolution(graph, "c", early, 48, 1), 16, 3);
          pnnx::Operand* d = AddConvolution(graph, "d", AddConvolution(graph, "e", b, 48, 1), 16, 3);
          pnnx::Operand* sum = AddExpression(graph, "sum", "add(@0,@1)", {a, early});
          pnnx::Operand* cat = first ? AddCat(graph, {sum, b, d}) : AddCat(graph, {d, b, sum});
          return AddConvolution(graph, "last", cat, 16, 1);
        },
        3);
  }
}

TEST(PlacementTest, AnArrayThatIsJoinedTwiceIsCopiedOnce) {
  CheckPlaced(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* a = AddConvolution(graph, "a", x, 16, 3);
        return AddCat(graph, {a, a});
      },
      0);
}

TEST(PlacementTest, OtherAxesAreCopied) {
  CheckPlaced(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        return AddCat(graph, {AddConvolution(graph, "a", x, 16, 3), AddConvolution(graph, "b", x, 16, 1)}, 2);
      },
      0);
}

/// A cut-out of an image has all channels, but another place in memory.
TEST(PlacementTest, CutImagesAreCopied) {
  CheckPlaced(
      [](pnnx::Graph& graph, pnnx::Operand* x) {
        pnnx::Operand* cut = AddUnary(graph, "Tensor.slice", "cut", {AddConvolution(graph, "a", x, 16, 3)});
        cut->producer->params["dim"] = 2;
        cut->producer->params["start"] = 1;
        cut->producer->params["end"] = 5;
        cut->producer->params["step"] = 1;
        cut->shape[2] = 4;
        pnnx::Operand* again = AddUnary(graph, "Tensor.slice", "again", {AddConvolution(graph, "b", x, 16, 1)});
        again->producer->params = cut->producer->params;
        again->shape[2] = 4;
        return AddCat(graph, {cut, again});
      },
      0);
}

}  // namespace
}  // namespace kuiper_infer
