// SPDX-License-Identifier: MIT
// Block programs that read and write arrays stored in other types than the programs compute in.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "kernel/elementwise/random_program.hpp"
#include "kernel/guarded_array.hpp"
#include "utils/half.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

using Kind = BlockInstruction::Kind;

/// Numbers that become integers are cut off towards zero.
TEST(BlockProgramTest, CastsFloatingNumbersToIntegers) {
  std::vector<double> doubles;
  for (int i = -1300; i < 1300; ++i) doubles.push_back(i / 10.0);
  const std::vector<float> floats(doubles.begin(), doubles.end());
  const auto check = [](const auto& input) {
    using T = typename std::decay_t<decltype(input)>::value_type;
    BlockProgram program;
    program.instructions.resize(2);
    program.instructions[0].type = program.instructions[0].result = kElementType<T>;
    program.instructions[1].kind = Kind::kUnary;
    program.instructions[1].unary = FindUnary("positive");
    program.instructions[1].type = kElementType<T>;
    program.instructions[1].result = RuntimeDataType::kTypeInt8;
    GuardedArray<int8_t> found(static_cast<int64_t>(input.size()));
    const Shape shape{found.size()};
    const void* address = input.data();
    RunProgram(
        PrepareProgram(program, {TensorSpec(kElementType<T>, shape)}, TensorSpec(RuntimeDataType::kTypeInt8, shape)),
        &address, found.data());
    for (int64_t i = 0; i < found.size(); ++i) {
      const int64_t whole = static_cast<int64_t>(input[static_cast<std::size_t>(i)]);
      ASSERT_EQ(found[i], whole < -128 ? whole + 256 : (whole > 127 ? whole - 256 : whole)) << "element " << i;
    }
    EXPECT_TRUE(found.intact());
  };
  check(doubles);
  check(floats);
}

/// relu(x + y) of float32 arrays that are stored as `storage` says.
class StorageTest : public testing::TestWithParam<int64_t> {
 protected:
  static BlockProgram Program() {
    BlockProgram program;
    program.stack_depth = 2;
    program.instructions.resize(4);
    program.instructions[1].input = 1;
    program.instructions[2].kind = Kind::kBinary;
    program.instructions[2].binary = FindBinary("add");
    program.instructions[3].kind = Kind::kUnary;
    program.instructions[3].unary = FindUnary("relu");
    return program;
  }

  static float Result(float x, float y) { return x + y < 0 ? 0 : x + y; }
};

TEST_P(StorageTest, TheResultMayReplaceAnInput) {
  std::mt19937 generator(7);
  const Shape shape{GetParam()};
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    GuardedArray<float> x(GetParam());
    GuardedArray<float> y(GetParam());
    std::vector<float> expected;
    for (int64_t i = 0; i < x.size(); ++i) {
      x.data()[i] = RandomElement<float>(generator);
      y.data()[i] = RandomElement<float>(generator);
      expected.push_back(Result(x[i], y[i]));
    }
    const TensorSpec spec(RuntimeDataType::kTypeFloat32, shape);
    const void* addresses[] = {x.data(), y.data()};
    RunProgram(PrepareProgram(Program(), {spec, spec}, spec), addresses, x.data());
    for (int64_t i = 0; i < x.size(); ++i) ASSERT_TRUE(SameNumber(x[i], expected[i])) << "element " << i;
    EXPECT_TRUE(x.intact() && y.intact());
  }
}

/// Returns the integer of the grid's number nearest to x: q = nearest(x / scale) + zero point, limited to the grid's
/// bounds.
int64_t GridPosition(const QuantizationGrid& grid, float x) {
  if (std::isnan(x)) return grid.least;
  const double steps = std::nearbyint(static_cast<double>(x * (1 / grid.scale))) + grid.zero_point;
  return static_cast<int64_t>(std::min<double>(std::max<double>(steps, grid.least), grid.most));
}
float GridNumber(const QuantizationGrid& grid, int64_t q) {
  return static_cast<float>(q - grid.zero_point) * grid.scale;
}

/// Reads the first input as bytes of a grid with gaps between rows, and rounds results as `result` says.
template <class T>
void CheckStorage(int64_t size, RuntimeDataType result, bool rounds,
                  const std::function<T(const QuantizationGrid&, float)>& store) {
  std::mt19937 generator(static_cast<uint32_t>(size));
  const Shape shape{3, size};
  StridedArray<uint8_t> x(shape, Layout::kAny, generator);
  StridedArray<float> y(shape, Layout::kRepeated, generator);
  x.Fill([&] { return static_cast<uint8_t>(generator()); });
  y.Fill([&] { return RandomElement<float>(generator); });
  const QuantizationGrid from{0.037F, 91, 0, 255};
  const QuantizationGrid to{0.05F, 17, 3, 250};
  ProgramStorage storage;
  storage.inputs = {{RuntimeDataType::kTypeUInt8, from}};
  if (rounds) storage.grid = to;
  storage.result = result;
  const TensorSpec output(RuntimeDataType::kTypeFloat32, shape);
  BlockProgram program;
  program.stack_depth = 2;
  program.instructions.resize(3);
  program.instructions[1].input = 1;
  program.instructions[2].kind = Kind::kBinary;
  program.instructions[2].binary = FindBinary("add");
  const PreparedProgram prepared = PrepareProgram(program,
                                                  {TensorSpec(RuntimeDataType::kTypeFloat32, shape, x.strides()),
                                                   TensorSpec(RuntimeDataType::kTypeFloat32, shape, y.strides())},
                                                  output, storage);
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    GuardedArray<T> found(output.size());
    const void* addresses[] = {x.data(), y.data()};
    RunProgram(prepared, addresses, found.data());
    int64_t i = 0;
    ForEachIndex(shape, [&](const auto& index) {
      const T expected = store(to, GridNumber(from, x.At(index)) + y.At(index));
      EXPECT_TRUE(SameNumber(found[i], expected)) << "element " << i;
      ++i;
    });
    EXPECT_TRUE(found.intact());
  }
}

TEST_P(StorageTest, ReadsBytesAndLeavesFloats) {
  CheckStorage<float>(GetParam(), RuntimeDataType::kTypeFloat32, false, [](const auto&, float x) { return x; });
}

TEST_P(StorageTest, ReadsBytesAndRoundsToAGrid) {
  CheckStorage<float>(GetParam(), RuntimeDataType::kTypeFloat32, true,
                      [](const auto& grid, float x) { return GridNumber(grid, GridPosition(grid, x)); });
}

TEST_P(StorageTest, ReadsBytesAndLeavesBytes) {
  CheckStorage<uint8_t>(GetParam(), RuntimeDataType::kTypeUInt8, true,
                        [](const auto& grid, float x) { return static_cast<uint8_t>(GridPosition(grid, x)); });
}

TEST_P(StorageTest, ReadsBytesAndRoundsToBFloat16) {
  CheckStorage<uint16_t>(GetParam(), RuntimeDataType::kTypeBFloat16, false,
                         [](const auto&, float x) { return BFloat16(x).bits; });
}

/// Reads arrays of bfloat16 numbers, with gaps between rows and without.
TEST_P(StorageTest, ReadsBFloat16) {
  std::mt19937 generator(static_cast<uint32_t>(GetParam()));
  const Shape shape{3, GetParam()};
  for (const Layout layout : {Layout::kAny, Layout::kRowMajor}) {
    StridedArray<uint16_t> x(shape, layout, generator);
    x.Fill([&] { return BFloat16(RandomElement<float>(generator)).bits; });
    ProgramStorage storage;
    storage.inputs = {{RuntimeDataType::kTypeBFloat16, {}}};
    BlockProgram program;
    program.instructions.resize(2);
    program.instructions[1].kind = Kind::kUnary;
    program.instructions[1].unary = FindUnary("neg");
    const TensorSpec output(RuntimeDataType::kTypeFloat32, shape);
    const PreparedProgram prepared =
        PrepareProgram(program, {TensorSpec(RuntimeDataType::kTypeFloat32, shape, x.strides())}, output, storage);
    GuardedArray<float> found(output.size());
    const void* addresses[] = {x.data()};
    RunProgram(prepared, addresses, found.data());
    int64_t i = 0;
    ForEachIndex(shape, [&](const auto& index) {
      BFloat16 number;
      number.bits = x.At(index);
      EXPECT_TRUE(SameNumber(found[i], -static_cast<float>(number))) << "element " << i;
      ++i;
    });
    EXPECT_TRUE(found.intact());
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, StorageTest, testing::Values(0, 1, 7, 8, 9, 170, 171, 512, 513, 1025, 9000));

}  // namespace
}  // namespace kuiper_infer::kernel
