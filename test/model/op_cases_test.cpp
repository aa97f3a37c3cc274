// SPDX-License-Identifier: MIT
// Small modules exported by the converter and calls of single operations, each with PyTorch's outputs
// (tools/make_op_cases.py).
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "model/op_case.hpp"

namespace kuiper_infer::test {
namespace {

/// Expects an output's spec from before the run to hold after it; -1 stands for any extent.
void ExpectAnnounced(const TensorSpec& announced, const TensorSpec& found, std::size_t output) {
  if (announced.type == RuntimeDataType::kTypeUnknown) return;
  EXPECT_EQ(TypeName(announced.type), TypeName(found.type)) << "output " << output;
  const bool fits = announced.rank() == found.rank() &&
                    std::equal(found.shape.begin(), found.shape.end(), announced.shape.begin(),
                               [](int64_t extent, int64_t told) { return told < 0 || told == extent; });
  EXPECT_TRUE(fits) << "output " << output << " is announced as " << SpecString(announced) << " and is "
                    << SpecString(found);
}

class OpCaseTest : public testing::TestWithParam<OpCase> {};

void Check(const OpCase& op_case) {
  const std::string folder = WriteModel(op_case);
  RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
  graph.Build();
  const std::vector<NdArray> inputs = Arrays(op_case, "in");
  const std::vector<std::string> names = graph.input_names();
  ASSERT_LE(names.size(), inputs.size());
  for (const std::string& name : names) {
    graph.set_input(name, InputFor(name, inputs));
  }
  for (const std::string& warning : graph.report().warnings) {
    if (warning.find(" = arange(") == std::string::npos) ADD_FAILURE() << warning;
  }
  std::vector<TensorSpec> announced;
  for (const std::string& name : graph.output_names()) {
    for (const TensorSpec& spec : graph.output_specs(name)) announced.push_back(spec);
  }
  graph.Run();
  const std::vector<NdArray> results = graph.outputs();
  ASSERT_EQ(announced.size(), results.size());
  for (std::size_t k = 0; k < results.size(); ++k) ExpectAnnounced(announced[k], results[k].spec(), k);
  ExpectOutputs(op_case, results);
  std::filesystem::remove_all(folder);
}

TEST_P(OpCaseTest, EqualsPyTorch) {
  CheckUnlessLapackIsMissing([] { Check(GetParam()); });
}

/// Returns the array with every extent replaced.
NdArray WithExtents(const NdArray& array, int64_t extent) {
  NdArray other(array.type(), Shape(array.shape().size(), extent));
  std::memset(other.raw(), 0, static_cast<std::size_t>(ByteCount(other.type(), other.shape())));
  return other;
}

/// Returns the array with the type's largest or smallest number in every place; nothing for bools.
std::optional<NdArray> WithExtremes(const NdArray& array, bool least) {
  const NdArray other(array.type(), array.shape());
  const auto fill = [&](auto number) {
    using T = decltype(number);
    std::fill_n(other.data<T>(), other.size(), least ? std::numeric_limits<T>::lowest() : number);
  };
  if (array.type() == RuntimeDataType::kTypeFloat32) {
    fill(std::numeric_limits<float>::max());
  } else if (array.type() == RuntimeDataType::kTypeInt64) {
    fill(std::numeric_limits<int64_t>::max());
  } else if (array.type() == RuntimeDataType::kTypeInt32) {
    fill(std::numeric_limits<int32_t>::max());
  } else {
    return std::nullopt;
  }
  return other;
}

/// Runs the graph. If that fails, expects the error to name an operator of the graph.
void ExpectResultOrNamedError(RuntimeGraph& graph, const std::vector<std::string>& names,
                              const std::vector<NdArray>& inputs) {
  for (const std::string& name : names) {
    graph.set_input(name, InputFor(name, inputs));
  }
  try {
    graph.Run();
  } catch (const kuiper_infer::Error& error) {
    const std::string text = error.what();
    const auto& operators = graph.operators();
    const bool named = std::any_of(operators.begin(), operators.end(), [&](const auto& op) {
      return text.rfind("operator '" + op->name + "' (" + op->type + ")", 0) == 0;
    });
    EXPECT_TRUE(named) << text;
    EXPECT_EQ(text.find("): operator '"), std::string::npos) << "named twice: " << text;
  }
}

void CheckRefusals(const OpCase& op_case) {
  const std::string folder = WriteModel(op_case);
  BuildOptions options;
  options.max_memory_bytes = int64_t{1} << 30;
  RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
  graph.set_build_options(options);
  graph.Build();
  const std::vector<NdArray> inputs = Arrays(op_case, "in");
  const std::vector<std::string> names = graph.input_names();
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::vector<NdArray> given = inputs;
    for (const int64_t extent : {0, 1, 7}) {
      given[k] = WithExtents(inputs[k], extent);
      ExpectResultOrNamedError(graph, names, given);
    }
    for (const bool least : {false, true}) {
      const std::optional<NdArray> extremes = WithExtremes(inputs[k], least);
      if (!extremes) continue;
      given[k] = *extremes;
      ExpectResultOrNamedError(graph, names, given);
    }
  }
  std::filesystem::remove_all(folder);
}

TEST_P(OpCaseTest, WhatItCannotTakeIsRefusedInItsOwnName) {
  CheckUnlessLapackIsMissing([] { CheckRefusals(GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Archive, OpCaseTest, testing::ValuesIn(OpCasesToRun()),
                         [](const testing::TestParamInfo<OpCase>& info) { return info.param.text(); });

}  // namespace
}  // namespace kuiper_infer::test
