// SPDX-License-Identifier: MIT
// What is put right while a file's graph becomes operators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "runtime/graph_building.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

/// Two convolutions of 2 channels, of which the second is given `weight` and its own bias as inputs, too: so the
/// converter writes a module that several others share.
std::unique_ptr<pnnx::Graph> SharedModule(bool repeats) {
  auto source = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*source, 0, {1, 2, 4, 4});
  pnnx::Operand* first = AddConvolution(*source, "first", x, 2, 3);
  pnnx::Attribute weight = first->producer->attrs.at("weight");
  if (!repeats) weight.data.back() ^= 1;
  const auto constant = [&](const std::string& name, const pnnx::Attribute& values) {
    pnnx::Operator* op = source->new_operator("pnnx.Attribute", name);
    op->attrs["data"] = values;
    return AddOperand(*source, op, name + "_out", values.shape);
  };
  pnnx::Operand* given_weight = constant("given_weight", weight);
  pnnx::Operand* given_bias = constant("given_bias", first->producer->attrs.at("bias"));
  pnnx::Operand* second = AddConvolution(*source, "second", first, 2, 3);
  pnnx::Operator* op = second->producer;
  op->inputs.clear();
  first->consumers.clear();
  Use(op, {given_weight, given_bias, first});
  AddOutput(*source, 0, second);
  return source;
}

TEST(GraphRepairTest, WeightsThatAreGivenTwiceCountOnce) {
  auto plain = std::make_unique<pnnx::Graph>();
  pnnx::Operand* x = AddInput(*plain, 0, {1, 2, 4, 4});
  NdArray input(RuntimeDataType::kTypeFloat32, {1, 2, 4, 4});
  for (int i = 0; i < 32; ++i) input.data<float>()[i] = static_cast<float>(i % 5);
  x = AddConvolution(*plain, "second", AddConvolution(*plain, "first", x, 2, 3), 2, 3);
  AddOutput(*plain, 0, x);
  EXPECT_EQ(RunOnce(SharedModule(true), input), RunOnce(std::move(plain), input));
}

TEST(GraphRepairTest, OtherInputsInFrontAreTooMany) {
  RuntimeGraph graph(SharedModule(false));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [&] { graph.Build(); }),
              testing::AllOf(testing::HasSubstr("'second'"), testing::HasSubstr("3 inputs are more")));
}

}  // namespace
}  // namespace kuiper_infer
