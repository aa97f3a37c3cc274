// SPDX-License-Identifier: MIT
// The column of value-preserving operations (operation/output_values.hpp), compared with the results of the operators
// of all cases, including operators inside of modules.
#include <algorithm>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/shape.hpp"
#include "model/observed_values.hpp"
#include "operation/evaluate.hpp"
#include "operation/planning_context.hpp"

namespace kuiper_infer::test {
namespace {

using Types = std::vector<std::string>;
using Values = std::vector<Value>;

/// Operations that compute although no case shows it, or that count as computing by decision.
const std::map<std::string, std::string> kNotPreserving = {
    {"F.embedding", "chooses from a weight, which is a constant and has no grid"},
    {"aten::embedding", "as F.embedding"},
    {"F.hardshrink", "an activation: it is rounded behind the function, in the block program"},
    {"nn.Hardshrink", "as F.hardshrink"},
    {"F.relu", "an activation: a grid of what is left of the range is finer"},
    {"nn.ReLU", "as F.relu"},
    {"F.relu6", "limits to 6, which no case reaches"},
    {"nn.ReLU6", "as F.relu6"},
    {"aten::copysign", "changes signs; its case has each number with both"},
    {"aten::fmax", "element-wise: it is rounded behind the function, in the block program"},
    {"aten::fmin", "as aten::fmax"},
    {"torch.positive", "as aten::fmax"},
    {"aten::lu_unpack", "adds ones, which its cases have among the pivots"},
    {"aten::mH", "conjugates complex numbers"},
    {"aten::mode", "gives positions as well"},
    {"Tensor.copy", "converts to the type of the array that it is copied into"},
    {"aten::copy", "as Tensor.copy"},
    {"prim::ListUnpack", "reads a list, which may hold arrays of several grids"},
};

/// Calls of operations that preserve values in none of the cases.
struct Call {
  std::string type;
  std::map<std::string, Value> params;
  Values inputs;
};

NdArray Count(const Shape& shape) {
  const NdArray array(RuntimeDataType::kTypeFloat32, shape);
  for (int64_t i = 0; i < array.size(); ++i) array.data<float>()[i] = 1.5F + static_cast<float>(i);
  return array;
}

NdArray Filled(const Shape& shape, float number) {
  const NdArray array(RuntimeDataType::kTypeFloat32, shape);
  std::fill_n(array.data<float>(), array.size(), number);
  return array;
}

NdArray Positions(const std::vector<int64_t>& numbers, const Shape& shape) {
  const NdArray array(RuntimeDataType::kTypeInt64, shape);
  std::copy(numbers.begin(), numbers.end(), array.data<int64_t>());
  return array;
}

std::vector<Call> MoreCalls() {
  const Value half = Value::List{0.5, 0.5};
  return {
      {"nn.FractionalMaxPool2d",
       {{"kernel_size", 2}, {"output_ratio", half}},
       {Count({1, 2, 7, 6}), Filled({1, 2, 2}, 0.25F)}},
      {"nn.FractionalMaxPool3d",
       {{"kernel_size", 2}, {"output_size", 3}},
       {Count({1, 2, 7, 6, 8}), Filled({1, 2, 3}, 0.75F)}},
      {"nn.MaxUnpool1d", {{"kernel_size", 2}}, {Count({1, 1, 2}), Positions({1, 2}, {1, 1, 2})}},
      {"Tensor.to", {}, {Count({2, 3})}},
      {"Tensor.put", {}, {Count({2, 3}), Positions({4, 0}, {2}), Count({2})}},
      {"torch.dstack", {}, {Count({2, 3}), Count({2, 3})}},
      {"torch.column_stack", {}, {Count({4}), Count({4, 2})}},
      {"torch.atleast_1d", {}, {Count({})}},
      {"torch.atleast_2d", {}, {Count({3})}},
      {"torch.atleast_3d", {}, {Count({3, 2})}},
      {"torch.ravel", {}, {Count({3, 2})}},
      {"torch.dsplit", {{"sections", 2}}, {Count({2, 2, 4})}},
  };
}

/// Returns a key that identifies an operation among the rows of its spellings.
std::tuple<const void*, const void*, Types> IdentityOf(const Operation& row) {
  const auto* plan = row.plan.target<OperationPlan (*)(const Arguments&)>();
  return {plan != nullptr ? reinterpret_cast<const void*>(*plan) : nullptr,
          reinterpret_cast<const void*>(row.values.condition), row.values.sources};
}

bool MayPreserve(const Operation& row) { return row.values.kind == OutputValues::Kind::kPreserved; }

bool MayPreserve(const std::string& type) {
  const std::vector<Operation>& rows = OperationTable::Instance().Find(type);
  return std::any_of(rows.begin(), rows.end(), [](const Operation& row) { return MayPreserve(row); });
}

using Observed = std::map<std::string, ObservedValues>;  // by type

void ExpectEveryValuePreservingOperation(const Observed& observed) {
  std::map<std::tuple<const void*, const void*, Types>, Types> untried;
  for (const auto& [type, rows] : OperationTable::Instance().rows()) {
    for (const Operation& row : rows) {
      if (MayPreserve(row)) untried[IdentityOf(row)].push_back(type);
    }
  }
  const auto drop = [&](const std::string& type) {
    for (const Operation& row : OperationTable::Instance().Find(type)) untried.erase(IdentityOf(row));
  };
  for (const auto& [type, values] : observed) {
    if (!values.claimed.empty()) drop(type);
  }
  for (const Call& call : MoreCalls()) drop(call.type);
  for (const auto& [identity, types] : untried) ADD_FAILURE() << "no case or call of " << testing::PrintToString(types);
}

void ExpectOtherOperationsToCompute(const Observed& observed) {
  Types found;
  for (const auto& [type, values] : observed) {
    if (values.preserving > 0 && values.computing == 0 && !MayPreserve(type)) found.push_back(type);
  }
  Types explained;
  for (const auto& [type, reason] : kNotPreserving) explained.push_back(type);
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(explained));
}

TEST(PreservedValuesTest, CasesGiveElementsOfTheSourcesOrZerosWhereTheTableSaysSo) {
  const Observed observed = ObserveCases();
  int types = 0;
  for (const auto& [type, values] : observed) {
    EXPECT_THAT(values.broken, testing::IsEmpty()) << type;
    types += values.claimed.empty() ? 0 : 1;
  }
  EXPECT_GT(types, 120);
  ExpectEveryValuePreservingOperation(observed);
  ExpectOtherOperationsToCompute(observed);
}

TEST(PreservedValuesTest, OperationsWithoutCasesGiveElementsOfTheirInputsOrZeros) {
  for (const Call& more : MoreCalls()) {
    OperatorCall call;
    call.type = more.type;
    call.params = more.params;
    call.input_count = static_cast<int>(more.inputs.size());
    std::vector<NdArray> sources;
    for (const Value& input : more.inputs) sources.push_back(input.Get<NdArray>());
    std::vector<NdArray> results;
    for (const Value& value : Evaluate(call, more.inputs, DefaultPlanningContext())) {
      const Value::List items = value.Is<Value::List>() ? value.Get<Value::List>() : Value::List{value};
      for (const Value& item : items) results.push_back(item.Get<NdArray>());
    }
    EXPECT_FALSE(results.empty()) << more.type;
    EXPECT_TRUE(MayPreserve(more.type) && HoldElementsOf(sources, results)) << more.type;
  }
}

}  // namespace
}  // namespace kuiper_infer::test
