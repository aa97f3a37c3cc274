// SPDX-License-Identifier: MIT
#include "kernel/elementwise/block_program.hpp"

#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/elementwise/random_program.hpp"
#include "kernel/guarded_array.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

struct ProgramProblem {
  uint32_t seed = 0;
  Shape shape;
  std::size_t depth = 0;  ///< values that are pushed before the first function
};

void PrintTo(const ProgramProblem& problem, std::ostream* stream) {
  *stream << "seed " << problem.seed << ", shape " << ShapeString(problem.shape);
}

/// Returns problems with sizes around blocks of 512 elements, and with work for several threads.
std::vector<ProgramProblem> Problems() {
  const Shape kShapes[] = {{},     {1},    {511},  {512},      {513},        {1024},        {1025},      {3, 171},
                           {2, 0}, {9000}, {7, 1}, {2, 3, 85}, {4, 1, 2049}, {3, 5, 7, 11}, {64, 1, 65}, {20011}};
  std::vector<ProgramProblem> problems;
  for (uint32_t seed = 0; seed < 320; ++seed) {
    std::mt19937 generator(seed);
    const bool deep = seed % 16 == 15;  // deeper than the stack in the thread's own memory
    problems.push_back(
        {seed, kShapes[seed / 2 % std::size(kShapes)], deep ? 17 + generator() % 8 : 1 + generator() % 4});
  }
  return problems;
}

class BlockProgramTest : public testing::TestWithParam<ProgramProblem> {};

/// The twin program computes every element by itself.
TEST_P(BlockProgramTest, EqualsItsInstructionsOneElementAfterTheOther) {
  const ProgramProblem& problem = GetParam();
  SCOPED_TRACE("seed " + std::to_string(problem.seed) + ", shape " + ShapeString(problem.shape));
  std::mt19937 generator(problem.seed);
  std::vector<Input> inputs(generator() % 4);
  for (Input& input : inputs) {
    const Layout layout = static_cast<Layout>(generator() % 3);
    input = MakeInput(kTypes[generator() % 10], problem.shape, layout, generator);
  }
  ProgramWriter writer(inputs, generator);
  while (writer.depth() < problem.depth) writer.Push();
  for (int i = 0; i < 6; ++i) {
    const auto kind = generator() % 3;
    if (kind == 0) {
      writer.Push();
    } else if (kind == 1) {
      writer.Unary();
    } else if (writer.depth() > 1) {
      writer.Binary();
    }
  }
  while (writer.depth() > 1) writer.Binary();
  if (generator() % 2 == 0) writer.Unary();

  std::vector<TensorSpec> specs;
  std::vector<const void*> addresses;
  for (const Input& input : inputs) {
    specs.push_back(input.spec);
    addresses.push_back(input.data);
  }
  // The array may be of another type than the program's result.
  RuntimeDataType type = writer.top();
  if (IsIntegral(type) && generator() % 5 == 0) type = kTypes[generator() % kIntegralTypes];
  const PreparedProgram prepared = PrepareProgram(writer.block_program(), specs, TensorSpec(type, problem.shape));
  DispatchAny(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (const int threads : {1, 4}) {
      const ThreadScope scope(threads);
      GuardedArray<T> found(ElementCount(problem.shape));
      RunProgram(prepared, addresses.data(), found.data());
      int64_t i = 0;
      int64_t wrong = 0;
      ForEachIndex(problem.shape, [&](const auto& index) {
        std::vector<Number> numbers;
        for (const Input& input : inputs) numbers.push_back(input.at(index));
        const Number expected = ConvertNumber(RunOnElement(writer.program(), numbers), type);
        const T element = std::visit(
            [](auto number) {
              if constexpr (std::is_constructible_v<T, decltype(number)>) return static_cast<T>(number);
              return T();
            },
            expected);
        if (!SameNumber(found[i], element)) {
          ++wrong;
          if (wrong == 1)
            ADD_FAILURE() << "element " << i << ": " << Shown(found[i]) << ", expected " << Shown(element);
        }
        ++i;
      });
      EXPECT_EQ(wrong, 0) << "with " << threads << " threads, of type " << TypeName(type);
      EXPECT_TRUE(found.intact());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Generated, BlockProgramTest, testing::ValuesIn(Problems()),
                         [](const auto& info) { return "seed" + std::to_string(info.param.seed); });

}  // namespace
}  // namespace kuiper_infer::kernel
