// SPDX-License-Identifier: MIT
#include "planning/topology.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "utils/error_text.hpp"

namespace kuiper_infer {
namespace {

std::shared_ptr<RuntimeOperand> MakeOperand(const std::string& name) {
  auto operand = std::make_shared<RuntimeOperand>();
  operand->name = name;
  return operand;
}

std::shared_ptr<RuntimeOperator> MakeOperator(const std::string& name,
                                              std::vector<std::shared_ptr<RuntimeOperand>> inputs,
                                              std::vector<std::shared_ptr<RuntimeOperand>> outputs) {
  auto op = std::make_shared<RuntimeOperator>();
  op->name = name;
  op->type = "test";
  op->input_operands_seq = std::move(inputs);
  op->output_operands_seq = std::move(outputs);
  if (!op->output_operands_seq.empty()) op->output_operands = op->output_operands_seq.front();
  return op;
}

std::vector<std::string> Names(const Operators& operators) {
  std::vector<std::string> names;
  for (const auto& op : operators) names.push_back(op->name);
  return names;
}

void ExpectOrdered(const Operators& order) {
  std::vector<const RuntimeOperand*> produced;
  for (const auto& op : order) {
    for (const auto& operand : op->input_operands_seq) {
      EXPECT_NE(std::find(produced.begin(), produced.end(), operand.get()), produced.end()) << op->name;
    }
    for (const auto& operand : op->output_operands_seq) produced.push_back(operand.get());
  }
}

std::string ErrorOf(const Operators& operators) {
  return ErrorText(ErrorCode::kGraph, [&] { SortDepthFirst(operators); });
}

TEST(TopologyTest, SortsADiamondGivenBackwards) {
  const auto x = MakeOperand("x");
  const auto left = MakeOperand("left");
  const auto right = MakeOperand("right");
  const Operators operators = {MakeOperator("join", {left, right}, {}), MakeOperator("r", {x}, {right}),
                               MakeOperator("l", {x}, {left}), MakeOperator("in", {}, {x})};
  const Operators depth_first = SortDepthFirst(operators);
  ASSERT_EQ(depth_first.size(), 4U);
  ExpectOrdered(depth_first);
  EXPECT_TRUE(std::all_of(depth_first.begin(), depth_first.end(), [](const auto& op) { return op->has_forward; }));
  const Operators breadth_first = SortBreadthFirst(operators);
  ASSERT_EQ(breadth_first.size(), 4U);
  ExpectOrdered(breadth_first);
}

TEST(TopologyTest, KeepsTheFileOrderOfASortedGraph) {
  const auto a = MakeOperand("a");
  const auto b = MakeOperand("b");
  const auto c = MakeOperand("c");
  const Operators operators = {MakeOperator("first", {}, {a}), MakeOperator("second", {}, {b}),
                               MakeOperator("third", {a, b}, {c}), MakeOperator("last", {c}, {})};
  EXPECT_EQ(Names(SortDepthFirst(operators)), Names(operators));
}

TEST(TopologyTest, AChainOf100000OperatorsDoesNotOverflowTheStack) {
  Operators operators;
  auto previous = MakeOperand("0");
  operators.push_back(MakeOperator("in", {}, {previous}));
  for (int i = 1; i < 100000; ++i) {
    const auto next = MakeOperand(std::to_string(i));
    operators.push_back(MakeOperator(std::to_string(i), {previous}, {next}));
    previous = next;
  }
  const Operators order = SortDepthFirst(operators);
  EXPECT_EQ(order.size(), operators.size());
  EXPECT_EQ(order.back(), operators.back());
}

TEST(TopologyTest, LinksAnOperatorThatUsesOneProducerTwice) {
  const auto x = MakeOperand("x");
  const Operators operators = {MakeOperator("in", {}, {x}), MakeOperator("double", {x, x}, {MakeOperand("y")})};
  LinkOperators(operators);
  EXPECT_EQ(operators[0]->output_names, std::vector<std::string>{"double"});
  EXPECT_EQ(operators[0]->output_operators.at("double"), operators[1]);
  EXPECT_EQ(operators[1]->input_operands_seq.size(), 2U);
  EXPECT_EQ(operators[1]->input_operands.at("in"), x);
}

TEST(TopologyTest, NamesTheOperatorsOfACycle) {
  const auto a = MakeOperand("a");
  const auto b = MakeOperand("b");
  const std::string text = ErrorOf({MakeOperator("ping", {b}, {a}), MakeOperator("pong", {a}, {b})});
  EXPECT_NE(text.find("cycle"), std::string::npos);
  EXPECT_NE(text.find("'ping'"), std::string::npos);
  EXPECT_NE(text.find("'pong'"), std::string::npos);
  EXPECT_THROW(SortBreadthFirst({MakeOperator("ping", {b}, {a}), MakeOperator("pong", {a}, {b})}), Error);
}

TEST(TopologyTest, NamesAMissingProducer) {
  const std::string text = ErrorOf({MakeOperator("lonely", {MakeOperand("ghost")}, {})});
  EXPECT_NE(text.find("'lonely'"), std::string::npos);
  EXPECT_NE(text.find("'ghost'"), std::string::npos);
}

TEST(TopologyTest, NamesASecondProducer) {
  const auto a = MakeOperand("a");
  const std::string text = ErrorOf({MakeOperator("one", {}, {a}), MakeOperator("two", {}, {a})});
  EXPECT_NE(text.find("'one'"), std::string::npos);
  EXPECT_NE(text.find("'two'"), std::string::npos);
}

TEST(TopologyTest, RefusesNullOperands) {
  EXPECT_NE(ErrorOf({MakeOperator("broken", {nullptr}, {})}).find("'broken'"), std::string::npos);
  EXPECT_NE(ErrorOf({MakeOperator("broken", {}, {nullptr})}).find("'broken'"), std::string::npos);
}

TEST(TopologyTest, OperatorsThatNoOutputDependsOnAreDead) {
  const auto in = MakeOperand("in");
  const auto unused = MakeOperand("unused");
  const auto a = MakeOperand("a");
  const auto b = MakeOperand("b");
  const auto c = MakeOperand("c");
  const auto d = MakeOperand("d");
  Operators order = {MakeOperator("input", {}, {in}),       MakeOperator("second_input", {}, {unused}),
                     MakeOperator("needed", {in}, {a, b}),  MakeOperator("dead", {b}, {c}),
                     MakeOperator("behind_dead", {c}, {d}), MakeOperator("output", {a}, {})};
  order[0]->type = order[1]->type = "pnnx.Input";
  order[5]->type = "pnnx.Output";
  EXPECT_EQ(Names(WithoutDead(order)), (std::vector<std::string>{"input", "second_input", "needed", "output"}));
}

}  // namespace
}  // namespace kuiper_infer
