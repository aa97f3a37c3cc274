// SPDX-License-Identifier: MIT
// The cases of tools/make_op_cases.py, computed operator by operator without a graph's plan, from arrays whose elements
// lie far apart in memory: what an operation reads wrongly then is its own fault, and no pass hides it.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "kernel/movement/copy.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "model/op_case.hpp"
#include "operation/evaluate.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::test {
namespace {

/// The elements of an array in memory of twice the extents with its axes the other way round, the first one backwards.
NdArray ScatteredArray(const NdArray& array) {
  if (array.rank() == 0) return array;
  Shape storage(array.shape().rbegin(), array.shape().rend());
  for (int64_t& extent : storage) extent = 2 * extent + 1;
  const NdArray memory(array.type(), storage);
  std::memset(memory.raw(), 1, static_cast<std::size_t>(ByteCount(array.type(), storage)));
  Strides steps(memory.strides().rbegin(), memory.strides().rend());
  int64_t offset = 0;
  for (int64_t& step : steps) {
    offset += step;
    step *= 2;
  }
  offset += std::max<int64_t>(array.shape().front() - 1, 0) * steps.front();
  steps.front() = -steps.front();
  const NdArray window = memory.AsStrided(array.shape(), steps, offset);
  kernel::Copy(array.view(), window.mutable_view());
  return window;
}

Value Scattered(const Value& value) {
  if (value.Is<NdArray>()) return ScatteredArray(value.Get<NdArray>());
  if (!value.Is<Value::List>()) return value;
  Value::List items;
  for (const Value& item : value.Get<Value::List>()) items.push_back(Scattered(item));
  return items;
}

/// The arrays of a value; a list has those of its items.
void Collect(const Value& value, std::vector<NdArray>& arrays) {
  if (value.Is<NdArray>()) arrays.push_back(value.Get<NdArray>());
  if (!value.Is<Value::List>()) return;
  for (const Value& item : value.Get<Value::List>()) Collect(item, arrays);
}

/// The operators whose result depends on how an array lies in memory.
const std::set<std::string>& ReadsMemory() {
  static const std::set<std::string> types = {
      "torch.as_strided", "aten::as_strided", "aten::as_strided_copy", "aten::as_strided_scatter",
      "aten::sym_stride", "Tensor.stride",    "aten::stride"};
  return types;
}

/// Computes the operators of a graph that is not built, one after the other.
std::vector<NdArray> Interpret(const RuntimeGraph& graph, const std::vector<NdArray>& inputs) {
  std::map<const RuntimeOperand*, Value> values;
  std::vector<NdArray> outputs;
  const auto& operators = graph.operators();
  const bool scatters = std::none_of(operators.begin(), operators.end(),
                                     [](const auto& op) { return ReadsMemory().count(op->type) != 0; });
  for (const auto& op : operators) {
    std::vector<Value> given;
    for (const auto& operand : op->input_operands_seq) {
      const Value& value = values.at(operand.get());
      given.push_back(scatters ? Scattered(value) : value);
    }
    if (op->type == "pnnx.Output") {
      for (const Value& value : given) Collect(value, outputs);
      continue;
    }
    std::vector<Value> results;
    if (op->type == "pnnx.Input") {
      results.emplace_back(InputFor(op->name, inputs));
    } else {
      results = Evaluate(MakeOperatorCall(*op), given, DefaultPlanningContext());
    }
    // An operation may give one list for the operands, or more results than the file has operands.
    const std::size_t count = op->output_operands_seq.size();
    if (results.size() == 1 && count > 1 && results.front().Is<Value::List>()) {
      const Value::List items = results.front().Get<Value::List>();
      results = items;
    }
    for (std::size_t k = 0; k < count; ++k) values[op->output_operands_seq[k].get()] = results.at(k);
  }
  return outputs;
}

class ScatteredInputsTest : public testing::TestWithParam<OpCase> {};

void Check(const OpCase& op_case) {
  const std::string folder = WriteModel(op_case);
  RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
  ASSERT_TRUE(graph.Init());
  ExpectOutputs(op_case, Interpret(graph, Arrays(op_case, "in")));
  std::filesystem::remove_all(folder);
}

TEST_P(ScatteredInputsTest, EqualsPyTorch) {
  CheckUnlessLapackIsMissing([] { Check(GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Archive, ScatteredInputsTest, testing::ValuesIn(OpCasesToRun()),
                         [](const testing::TestParamInfo<OpCase>& info) { return info.param.text(); });

}  // namespace
}  // namespace kuiper_infer::test
