// SPDX-License-Identifier: MIT
// Extents of 0 and 1 in every place: each case of an operator gives a result or an Error for inputs of these shapes. A
// division by an extent would end the process.
#include "model/small_extents.hpp"

#include <filesystem>
#include <iostream>
#include <random>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "model/op_case.hpp"

namespace kuiper_infer::test {
namespace {

/// Returns an array of that shape that repeats the numbers of another array.
NdArray Resized(const NdArray& array, const Shape& shape) {
  const NdArray resized(array.type(), shape);
  const auto bytes = static_cast<std::size_t>(ByteCount(array.type(), shape));
  const auto given = static_cast<std::size_t>(ByteCount(array.type(), array.shape()));
  for (std::size_t i = 0; i < bytes; ++i) {
    static_cast<char*>(resized.raw())[i] = given == 0 ? char{0} : static_cast<const char*>(array.raw())[i % given];
  }
  return resized;
}

/// Runs the case with all variants of its shapes. Returns the number of variants that gave a result.
int64_t CountResults(const OpCase& op_case, std::mt19937& random) {
  const std::string folder = WriteModel(op_case);
  BuildOptions options;
  options.max_memory_bytes = int64_t{1} << 30;
  options.num_threads = 1;
  RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
  graph.set_build_options(options);
  graph.Build();
  const std::vector<NdArray> inputs = Arrays(op_case, "in");
  Shapes shapes;
  for (const NdArray& input : inputs) shapes.push_back(input.shape());
  int64_t results = 0;
  for (const Shapes& variant : WithSmallExtents(shapes, random)) {
    std::vector<NdArray> given;
    for (std::size_t i = 0; i < inputs.size(); ++i) given.push_back(Resized(inputs[i], variant[i]));
    try {
      for (const std::string& name : graph.input_names()) graph.set_input(name, InputFor(name, given));
      graph.Run();
      graph.outputs();
      ++results;
    } catch (const Error&) {
    }
  }
  std::filesystem::remove_all(folder);
  return results;
}

class SmallExtentsTest : public testing::TestWithParam<std::string> {};

TEST_P(SmallExtentsTest, GiveAResultOrAnError) {
  constexpr unsigned kSeed = 20261126;
  std::mt19937 random(kSeed);
  int64_t results = 0;
  bool has_inputs = false;  // constants have no shapes to vary
  ForEachOpCase(GetParam(), [&](const OpCase& op_case) {
    std::cout << op_case.name << std::endl;  // the last name is the case that ended the process
    has_inputs = has_inputs || !Arrays(op_case, "in").empty();
    results += CountResults(op_case, random);
  });
  EXPECT_EQ(results > 0, has_inputs);
  std::cout << results << " results, seed " << kSeed << "\n";
}

INSTANTIATE_TEST_SUITE_P(Archive, SmallExtentsTest, testing::ValuesIn(OpArchives()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace kuiper_infer::test
