// SPDX-License-Identifier: MIT
// Extents of 0 and 1 in every place: each case of an operator, with inputs of such shapes, gives a result or an Error.
// A division by an extent would end the process.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "model/op_case.hpp"

namespace kuiper_infer::test {
namespace {

using Shapes = std::vector<Shape>;  ///< of a case's inputs

/// Calls change(extent, input, axis) for each extent of all shapes and adds what comes out.
template <class Change>
void Add(const Shapes& shapes, std::set<Shapes>& variants, const Change& change) {
  Shapes changed = shapes;
  for (std::size_t input = 0; input < changed.size(); ++input) {
    for (std::size_t axis = 0; axis < changed[input].size(); ++axis) change(changed[input][axis], input, axis);
  }
  if (changed != shapes) variants.insert(std::move(changed));
}

/// The shapes with 0 and 1: along one axis of one input; along one axis of all inputs, counted from the front and from
/// the back; wherever the shapes have a certain extent, which inputs mostly share for a reason; and at random.
std::set<Shapes> Variants(const Shapes& shapes, std::mt19937& random) {
  std::set<Shapes> variants;
  std::set<int64_t> extents;
  std::size_t most_axes = 0;
  for (const Shape& shape : shapes) {
    extents.insert(shape.begin(), shape.end());
    most_axes = std::max(most_axes, shape.size());
  }
  for (const int64_t small : {0, 1}) {
    for (const int64_t common : extents) {
      Add(shapes, variants,
          [&](int64_t& extent, std::size_t, std::size_t) { extent = extent == common ? small : extent; });
    }
    for (std::size_t at = 0; at < most_axes; ++at) {
      Add(shapes, variants,
          [&](int64_t& extent, std::size_t, std::size_t axis) { extent = axis == at ? small : extent; });
      Add(shapes, variants, [&](int64_t& extent, std::size_t input, std::size_t axis) {
        extent = axis + at + 1 == shapes[input].size() ? small : extent;
      });
      for (std::size_t of = 0; of < shapes.size(); ++of) {
        Add(shapes, variants, [&](int64_t& extent, std::size_t input, std::size_t axis) {
          extent = input == of && axis == at ? small : extent;
        });
      }
    }
  }
  constexpr int kRandom = 12;
  for (int i = 0; i < kRandom; ++i) {
    Add(shapes, variants, [&](int64_t& extent, std::size_t, std::size_t) {
      const unsigned draw = random() % 6;  // two thirds stay
      extent = draw < 2 ? static_cast<int64_t>(draw) : extent;
    });
  }
  return variants;
}

/// An array of that shape with the numbers of another, over and over.
NdArray Resized(const NdArray& array, const Shape& shape) {
  const NdArray resized(array.type(), shape);
  const auto bytes = static_cast<std::size_t>(ByteCount(array.type(), shape));
  const auto given = static_cast<std::size_t>(ByteCount(array.type(), array.shape()));
  for (std::size_t i = 0; i < bytes; ++i) {
    static_cast<char*>(resized.raw())[i] = given == 0 ? char{0} : static_cast<const char*>(array.raw())[i % given];
  }
  return resized;
}

/// Runs the case with all variants; the number of those that gave a result.
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
  for (const Shapes& variant : Variants(shapes, random)) {
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
  for (const OpCase& op_case : OpCases(GetParam())) {
    std::cout << op_case.name << std::endl;  // the last one is who ended the process
    results += CountResults(op_case, random);
  }
  EXPECT_GT(results, 0);
  std::cout << results << " results, seed " << kSeed << "\n";
}

INSTANTIATE_TEST_SUITE_P(Archive, SmallExtentsTest, testing::ValuesIn(OpArchives()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

}  // namespace
}  // namespace kuiper_infer::test
