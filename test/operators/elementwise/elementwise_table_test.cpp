// SPDX-License-Identifier: MIT
// The table of element-wise operations and its formulas. test/model/op_cases_test.cpp compares the results with
// PyTorch's.
#include "operators/elementwise/elementwise_table.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operation/evaluate.hpp"
#include "operation/planning_context.hpp"
#include "operators/elementwise/elementwise_plan.hpp"
#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Type = RuntimeDataType;

NdArray Array(Type type, const Shape& shape, double value) {
  const NdArray array(Type::kTypeFloat64, shape);
  std::fill(array.data<double>(), array.data<double>() + array.size(), value);
  return array.To(type);
}

/// Calls an operation with an array of `type` for each required array, and with a number for each required number.
Value Call(const std::string& spelling, const Schema& schema, Type type) {
  OperatorCall call;
  call.name = "x";
  call.type = spelling;
  std::vector<Value> inputs;
  for (const ArgumentSchema& argument : schema.arguments()) {
    if (argument.default_value) continue;
    if (argument.kind == ArgumentKind::kTensor) {
      call.input_names.push_back(argument.name);
      inputs.emplace_back(
          Array(type, inputs.empty() ? Shape{2, 3} : Shape{3}, 0.5 + static_cast<double>(inputs.size())));
    } else {
      call.params[argument.name] = 2;
    }
  }
  call.input_count = static_cast<int>(inputs.size());
  return Evaluate(call, inputs, DefaultPlanningContext()).at(0);
}

TEST(ElementwiseTableTest, NoSpellingStandsTwice) {
  std::set<std::string> seen;
  for (const ElementwiseRow& row : ElementwiseRows()) {
    for (const std::string& spelling : row.types) EXPECT_TRUE(seen.insert(spelling).second) << spelling;
  }
  EXPECT_GT(seen.size(), 300U);
}

TEST(ElementwiseTableTest, FormulasAreOfTheArguments) {
  for (const ElementwiseRow& row : ElementwiseRows()) {
    const Formula formula(row.formula);
    const Schema schema(row.arguments);
    EXPECT_FALSE(formula.operands().empty()) << row.formula;
    for (const std::string& operand : formula.operands()) {
      const bool own = row.types.front() == "torch.nan_to_num" && operand == "number";  // nan would be a number
      EXPECT_TRUE(own || schema.Find(operand) >= 0) << row.formula << ": " << operand;
    }
  }
}

TEST(ElementwiseTableTest, EverySpellingIsAnOperationThatRuns) {
  for (const ElementwiseRow& row : ElementwiseRows()) {
    for (const std::string& spelling : row.types) {
      const std::vector<Operation>& overloads = OperationTable::Instance().Find(spelling);
      const auto found = std::find_if(overloads.begin(), overloads.end(),
                                      [&](const Operation& o) { return o.schema->text() == row.arguments; });
      ASSERT_NE(found, overloads.end()) << spelling;
      EXPECT_EQ(found->layout, InputLayout::kStrided) << spelling;
      std::string errors;
      bool runs = false;
      for (const Type type : {Type::kTypeFloat32, Type::kTypeInt64}) {
        try {
          const Value result = Call(spelling, *found->schema, type);
          const Shape& shape = result.Get<NdArray>().shape();
          EXPECT_TRUE(shape == (Shape{2, 3}) || shape.empty()) << spelling << ": " << ShapeString(shape);
          runs = true;
        } catch (const Error& error) {
          errors += std::string(error.what()) + "\n";
        }
      }
      EXPECT_TRUE(runs) << spelling << ": " << errors;
    }
  }
}

TensorArgument Operand(Type type, int input) {
  TensorArgument tensor;
  tensor.spec = TensorSpec(type, {4});
  tensor.input = input;
  return tensor;
}

/// Throws std::bad_cast if the plan is not element-wise.
const Elementwise& ElementwiseOf(const OperationPlan& plan) {
  return dynamic_cast<const Elementwise&>(*plan.computation);
}

/// An operation that quantisation treats as an activation is one for the passes as well, if its result is floating.
TEST(ElementwiseTableTest, UnaryRowsAreActivations) {
  int unary = 0;
  for (const ElementwiseRow& row : ElementwiseRows()) {
    const Formula formula(row.formula);
    const Operation& operation = OperationTable::Instance().Find(row.types.front()).front();
    EXPECT_EQ(operation.values.kind == OutputValues::Kind::kUnary, formula.IsUnary()) << row.formula;
    if (!formula.IsUnary() || row.formula == "bitwise_not(input)") continue;  // for integers only
    ++unary;
    CallArguments operands;
    for (const std::string& operand : formula.operands()) operands[operand] = 0.5;
    operands[formula.operands().front()] = Operand(Type::kTypeFloat32, 0);
    const OperationPlan plan = PlanFormula(formula, operands);
    const bool floating = IsFloating(plan.outputs.front().spec.type);
    EXPECT_EQ(ElementwiseOf(plan).AsActivation().function != nullptr, floating) << row.formula;
  }
  EXPECT_GT(unary, 60);
  for (const char* other : {"add(input, other)", "relu(add(input, 1))", "input", "minimum(input, 6)"}) {
    EXPECT_FALSE(Formula(other).IsUnary()) << other;
  }
}

TEST(FormulaTest, NamesItsOperandsOnce) {
  const Formula formula("mul(sub(x, mean), add(x, max))");
  EXPECT_THAT(formula.operands(), ElementsAre("x", "mean", "max"));  // max without brackets is a name
  const OperationPlan plan = PlanFormula(
      formula, {{"x", Operand(Type::kTypeFloat32, 0)}, {"mean", Operand(Type::kTypeFloat32, 1)}, {"max", 2.5}});
  EXPECT_EQ(ElementwiseOf(plan).operands().size(), 2U);
  EXPECT_EQ(ElementwiseOf(plan).program().instructions.size(), 7U);
}

TEST(FormulaTest, NumbersBehindAnArrayAreParameters) {
  const OperationPlan plan =
      PlanFormula("clamp(x, neg(bound), mul(bound, 2))", {{"x", Operand(Type::kTypeFloat32, 0)}, {"bound", 1.5}});
  const kernel::BlockInstruction& last = ElementwiseOf(plan).program().instructions.back();
  EXPECT_EQ(last.unary, kernel::FindUnary("clamp"));
  EXPECT_EQ(last.parameters[0], -1.5);
  EXPECT_EQ(last.parameters[1], 3.0);
  EXPECT_NE(ElementwiseOf(plan).AsActivation().function, nullptr);
}

/// The number on the left does not stand in front of its function. Without this it would be converted in each block.
TEST(FormulaTest, NumbersHaveTheTypeThatTheyAreComputedIn) {
  for (const Type type : {Type::kTypeFloat32, Type::kTypeFloat64}) {
    const OperationPlan plan = PlanFormula("sub(1, x)", {{"x", Operand(type, 0)}});
    EXPECT_EQ(ElementwiseOf(plan).program().instructions.front().type, type);
    EXPECT_EQ(ElementwiseOf(plan).program().instructions.front().constant, 1.0);
  }
}

TEST(FormulaTest, LeavesAFactorOut) {
  const Formula formula = Formula("sub(x, mul(div(y, z), value))").WithoutFactor("value");
  std::string words;
  for (const auto& node : formula.nodes()) words += node->text + " ";
  EXPECT_EQ(words, "x y z div sub ");
  EXPECT_THROW(Formula("sub(x, y)").WithoutFactor("y"), std::logic_error);
  EXPECT_THROW(Formula("sub(x, y)").WithoutFactor("z"), std::logic_error);
}

TEST(FormulaTest, ErrorsNameTheFormula) {
  EXPECT_THAT(ErrorText(ErrorCode::kArgument, [] { Formula("frob(x)"); }), HasSubstr("unknown function 'frob'"));
  EXPECT_THAT(ErrorText(ErrorCode::kArgument,
                        [] {
                          PlanFormula("leaky_relu(x, y)",
                                      {{"x", Operand(Type::kTypeFloat32, 0)}, {"y", Operand(Type::kTypeFloat32, 1)}});
                        }),
              HasSubstr("formula 'leaky_relu(x, y)': found an array, expected a number"));
  EXPECT_THROW(PlanFormula("sub(x, y)", {{"x", Operand(Type::kTypeFloat32, 0)}}), std::logic_error);
}

Value Expression(const std::string& text, const std::vector<Value>& inputs) {
  OperatorCall call;
  call.name = "x";
  call.type = "pnnx.Expression";
  call.params["expr"] = text;
  call.input_count = static_cast<int>(inputs.size());
  return Evaluate(call, inputs, DefaultPlanningContext()).at(0);
}

TEST(ExpressionTest, KnowsEveryFunctionOfTheTable) {
  const Value array(Array(Type::kTypeFloat32, {2}, -2));
  EXPECT_EQ(Expression("leaky_relu(@0,0.25)", {array}).Get<NdArray>().data<float>()[0], -0.5F);
  EXPECT_EQ(Expression("mul(relu(@0),2)", {array}).Get<NdArray>().data<float>()[1], 0.0F);
  EXPECT_TRUE(Expression("lt(@0,0)", {array}).Get<NdArray>().data<bool>()[0]);
  EXPECT_EQ(Expression("clamp(7,0,6)", {}).Get<int64_t>(), 6);
  EXPECT_TRUE(Expression("logical_not(0)", {}).Get<bool>());
}

}  // namespace
}  // namespace kuiper_infer
