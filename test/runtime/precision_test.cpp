// SPDX-License-Identifier: MIT
// BuildOptions::precision in whole graphs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/product/uses_pieces.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

std::vector<float> Numbers(int count, int salt) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = (static_cast<float>((i * 37 + salt) % 101) / 101 - 0.5F) / 3;
  }
  return values;
}

RuntimeGraph Built(std::unique_ptr<pnnx::Graph> source, Precision precision, bool fuses = true) {
  RuntimeGraph graph(std::move(source));
  BuildOptions options;
  options.precision = precision;
  if (!fuses) options.fuse_operators = false;
  graph.set_build_options(options);
  graph.Build();
  return graph;
}

/// Self-attention of two heads over (1, 20, 32), perhaps behind layer normalisation, then a linear layer.
RuntimeGraph MakeTransformer(Precision precision, bool normalizes, bool fuses) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 20, 32});
  if (normalizes) {
    x = AddUnary(*source, "nn.LayerNorm", "norm", {x});
    x->producer->params["normalized_shape"] = std::vector<int>{32};
    x->producer->params["elementwise_affine"] = false;
    x->producer->params["eps"] = 1e-5F;
  }
  x = AddUnary(*source, "nn.MultiheadAttention", "attention", {x});
  pnnx::Operator* op = x->producer;
  op->params["num_heads"] = 2;
  op->params["embed_dim"] = 32;
  op->params["batch_first"] = true;
  op->attrs["in_proj_weight"] = pnnx::Attribute({96, 32}, Numbers(96 * 32, 1));
  op->attrs["in_proj_bias"] = pnnx::Attribute({96}, Numbers(96, 2));
  op->attrs["out_proj.weight"] = pnnx::Attribute({32, 32}, Numbers(32 * 32, 3));
  op->attrs["out_proj.bias"] = pnnx::Attribute({32}, Numbers(32, 4));
  x = AddUnary(*source, "nn.Linear", "linear", {x});
  x->shape[2] = 40;
  x->producer->params["bias"] = false;
  x->producer->attrs["weight"] = pnnx::Attribute({40, 32}, Numbers(40 * 32, 5));
  AddOutput(*source, 0, x);
  return Built(std::move(source), precision, fuses);
}

RuntimeGraph MakeAttention(Precision precision) { return MakeTransformer(precision, false, true); }

/// Two heads of 40 queries, keys and values, 32 numbers each, all three made of one input.
RuntimeGraph MakeHeads(Precision precision) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 2, 40, 32});
  AddOutput(*source, 0, AddUnary(*source, "F.scaled_dot_product_attention", "attention", {x, x, x}));
  return Built(std::move(source), precision);
}

/// Two matrices, each times itself.
RuntimeGraph MakeMatmul(Precision precision) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {2, 64, 64});
  AddOutput(*source, 0, AddUnary(*source, "torch.matmul", "matmul", {x, x}));
  return Built(std::move(source), precision);
}

/// An LSTM of two directions over 9 steps.
RuntimeGraph MakeRecurrent(Precision precision) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddUnary(*source, "nn.LSTM", "lstm", {AddInput(*source, 0, {9, 2, 32})});
  x->shape[2] = 80;
  pnnx::Operator* op = x->producer;
  op->params["input_size"] = 32;
  op->params["hidden_size"] = 40;
  op->params["num_layers"] = 1;
  op->params["bias"] = false;
  op->params["bidirectional"] = true;
  for (const char* suffix : {"_l0", "_l0_reverse"}) {
    op->attrs[std::string("weight_ih") + suffix] = pnnx::Attribute({160, 32}, Numbers(160 * 32, 1));
    op->attrs[std::string("weight_hh") + suffix] = pnnx::Attribute({160, 40}, Numbers(160 * 40, 2));
  }
  AddOutput(*source, 0, x);
  return Built(std::move(source), precision);
}

/// A convolution over few channels, one over more, and one of 1x1 windows.
RuntimeGraph MakeGraph(Precision precision, bool fuses = true) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddConvolution(*source, "few", AddInput(*source, 0, {1, 3, 12, 32}), 40, 5);
  x = AddConvolution(*source, "many", x, 48, 5);
  x = AddConvolution(*source, "point", x, 64, 1);
  AddOutput(*source, 0, AddUnary(*source, "nn.ReLU", "relu", {x}));
  return Built(std::move(source), precision, fuses);
}

NdArray Input() {
  const NdArray x(RuntimeDataType::kTypeFloat32, {1, 3, 12, 32});
  for (int64_t i = 0; i < x.size(); ++i) x.data<float>()[i] = static_cast<float>(i * 5 % 23) / 8 - 1.37F;
  return x;
}

NdArray ResultOf(RuntimeGraph& graph, const NdArray& input) {
  graph.set_input(graph.input_names().front(), input);
  graph.Run();
  return graph.outputs().front();
}

int RoundingSteps(RuntimeGraph& graph) {
  int count = 0;
  for (const auto& step : graph.Profile()) count += step.method.find("bfloat16") != std::string::npos ? 1 : 0;
  return count;
}

double LargestDifference(const NdArray& a, const NdArray& b) {
  double largest = 0;
  double squares = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a.data<float>()[i]) - b.data<float>()[i]));
    squares += static_cast<double>(b.data<float>()[i]) * b.data<float>()[i];
  }
  return largest / std::sqrt(squares / static_cast<double>(a.size()));
}

/// A level of precision: the number of bfloat16 pieces of each factor, and the largest difference from float32 in the
/// results of the two graphs.
struct Level {
  Precision precision;
  int pieces;
  double most;
};
// Factors of one piece have relative errors of up to 1/512. The tolerance is for the largest of 24,576 results after
// three layers.
constexpr Level kLevels[] = {
    {Precision::kHighest, 3, 1e-5}, {Precision::kHigh, 2, 2e-4}, {Precision::kMedium, 1, 5e-2}};

TEST(PrecisionTest, ConvolutionsUsePiecesWhereThatIsFaster) {
  for (const auto& [precision, pieces, most] : kLevels) {
    SCOPED_TRACE(pieces);
    RuntimeGraph exact = MakeGraph(Precision::kHighest);
    RuntimeGraph graph = MakeGraph(precision);
    const double difference = LargestDifference(ResultOf(graph, Input()), ResultOf(exact, Input()));
    const auto suits = [pieces = pieces](int64_t columns, int64_t depth) {
      return UsesPieces(pieces, 12 * 32, columns, depth);
    };
    const bool faster = suits(40, 75) || suits(48, 1000) || suits(64, 48);
    EXPECT_EQ(RoundingSteps(graph) > 0, faster);
    if (pieces == 1) {
      EXPECT_EQ(difference > 1e-5, faster);
    }
    EXPECT_LE(difference, faster ? most : 0);
  }
}

/// Builds a graph at both levels and compares the results. Expects `steps` steps to round if that is faster.
void ExpectRounding(RuntimeGraph (*make)(Precision), const Shape& shape, int steps) {
  RuntimeGraph exact = make(Precision::kHighest);
  RuntimeGraph medium = make(Precision::kMedium);
  const NdArray input(RuntimeDataType::kTypeFloat32, shape);
  const std::vector<float> numbers = Numbers(static_cast<int>(input.size()), 6);
  std::copy(numbers.begin(), numbers.end(), input.data<float>());
  const double difference = LargestDifference(ResultOf(medium, input), ResultOf(exact, input));
  const bool faster = UsesPieces(1, 256, 256, 256);
  EXPECT_EQ(RoundingSteps(medium), faster ? steps : 0);
  EXPECT_EQ(difference > 1e-5, faster);
  EXPECT_LT(difference, 5e-2);
}

TEST(PrecisionTest, MediumRoundsLinearLayersAndProjectionsOfAttention) {
  ExpectRounding(MakeAttention, {1, 20, 32}, 2);
}

TEST(PrecisionTest, MediumRoundsQueriesKeysAndValues) { ExpectRounding(MakeHeads, {1, 2, 40, 32}, 1); }

TEST(PrecisionTest, MediumRoundsComputedMatrices) { ExpectRounding(MakeMatmul, {2, 64, 64}, 1); }

TEST(PrecisionTest, MediumRoundsRecurrentLayers) { ExpectRounding(MakeRecurrent, {9, 2, 32}, 1); }

double BytesOf(RuntimeGraph& graph) {
  double bytes = 0;
  for (const auto& step : graph.Profile()) bytes += step.bytes;
  return bytes;
}

/// If all readers of a convolution's output round it, the output is stored as bfloat16 in half of the memory, and the
/// results have the same bits.
TEST(PrecisionTest, ArraysBetweenConvolutionsAreStoredRounded) {
  RuntimeGraph medium = MakeGraph(Precision::kMedium);
  RuntimeGraph highest = MakeGraph(Precision::kHighest);
  const NdArray found = ResultOf(medium, Input());
  ResultOf(highest, Input());
  const bool faster = UsesPieces(1, 12 * 32, 48, 1000) && UsesPieces(1, 12 * 32, 64, 48);
  EXPECT_EQ(BytesOf(medium) < BytesOf(highest), faster);
  RuntimeGraph separate = MakeGraph(Precision::kMedium, false);
  EXPECT_EQ(LargestDifference(found, ResultOf(separate, Input())), 0);
}

/// Layer normalisation writes what attention would round anyway.
TEST(PrecisionTest, NormalizedRowsAreStoredRounded) {
  NdArray input(RuntimeDataType::kTypeFloat32, {1, 20, 32});
  const std::vector<float> numbers = Numbers(20 * 32, 6);
  std::copy(numbers.begin(), numbers.end(), input.data<float>());
  RuntimeGraph medium = MakeTransformer(Precision::kMedium, true, true);
  RuntimeGraph separate = MakeTransformer(Precision::kMedium, true, false);
  const NdArray found = ResultOf(medium, input);
  EXPECT_EQ(LargestDifference(found, ResultOf(separate, input)), 0);
  const bool faster = UsesPieces(1, 20, 96, 32);
  const auto steps = medium.Profile();
  const auto norm = std::find_if(steps.begin(), steps.end(), [](const auto& step) { return step.name == "norm"; });
  ASSERT_NE(norm, steps.end());
  EXPECT_EQ(norm->bytes, 20 * 32 * (faster ? 4 + 2 : 4 + 4));
}

/// Makes convolutions around nearest upsampling and a concatenation, which keep the stored type.
RuntimeGraph MakeMoves(Precision precision, bool fuses) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddConvolution(*source, "first", AddInput(*source, 0, {1, 32, 12, 14}), 48, 1);
  pnnx::Operand* y = AddConvolution(*source, "second", x, 32, 1);
  y = AddUnary(*source, "nn.Upsample", "upsample", {y});
  y->producer->params["mode"] = std::string("nearest");
  y->producer->params["scale_factor"] = std::vector<float>{2, 2};
  y->shape = {1, 32, 24, 28};
  pnnx::Operand* z = AddConvolution(*source, "third", y, 24, 1);
  pnnx::Operand* joined = AddUnary(*source, "torch.cat", "cat", {y, z});
  joined->producer->params["dim"] = 1;
  joined->shape = {1, 56, 24, 28};
  AddOutput(*source, 0, AddConvolution(*source, "last", joined, 40, 1));
  return Built(std::move(source), precision, fuses);
}

TEST(PrecisionTest, MovedNumbersStayRounded) {
  NdArray input(RuntimeDataType::kTypeFloat32, {1, 32, 12, 14});
  for (int64_t i = 0; i < input.size(); ++i) input.data<float>()[i] = static_cast<float>(i * 7 % 29) / 9 - 1.5F;
  RuntimeGraph medium = MakeMoves(Precision::kMedium, true);
  RuntimeGraph separate = MakeMoves(Precision::kMedium, false);
  RuntimeGraph highest = MakeMoves(Precision::kHighest, true);
  const NdArray found = ResultOf(medium, input);
  EXPECT_EQ(LargestDifference(found, ResultOf(separate, input)), 0);
  EXPECT_LT(LargestDifference(found, ResultOf(highest, input)), 5e-2);
  if (!UsesPieces(1, 672, 24, 32) || !UsesPieces(1, 168, 48, 32)) return;
  const auto steps = medium.Profile();
  const auto upsample =
      std::find_if(steps.begin(), steps.end(), [](const auto& step) { return step.name == "upsample"; });
  ASSERT_NE(upsample, steps.end());
  EXPECT_EQ(upsample->bytes, 2 * 32 * (12 * 14 + 24 * 28)) << "two bytes for each number read and written";
}

TEST(PrecisionTest, NaNAndInfinityPassAsInFloat32) {
  NdArray input = Input();
  input.data<float>()[40] = std::nanf("");
  input.data<float>()[200] = std::numeric_limits<float>::infinity();
  RuntimeGraph exact = MakeGraph(Precision::kHighest);
  RuntimeGraph medium = MakeGraph(Precision::kMedium);
  const NdArray expected = ResultOf(exact, input);
  const NdArray found = ResultOf(medium, input);
  int64_t not_finite = 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    const float wanted = expected.data<float>()[i];
    const float actual = found.data<float>()[i];
    ASSERT_EQ(std::isnan(actual), std::isnan(wanted)) << i;
    ASSERT_EQ(std::isinf(actual), std::isinf(wanted)) << i;
    not_finite += std::isfinite(wanted) ? 0 : 1;
  }
  EXPECT_GT(not_finite, 0);
}

TEST(PrecisionTest, NamesOfLevels) {
  EXPECT_EQ(PrecisionOf("highest"), Precision::kHighest);
  EXPECT_EQ(PrecisionOf("high"), Precision::kHigh);
  EXPECT_EQ(PrecisionOf("medium"), Precision::kMedium);
  EXPECT_EQ(ErrorText(ErrorCode::kArgument, [] { PrecisionOf("bf16"); }),
            "the precision is 'bf16', expected highest, high or medium");
}

}  // namespace
}  // namespace kuiper_infer
