// SPDX-License-Identifier: MIT
#include "kernel/elementwise/block_program.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "kernel/elementwise/element_program.hpp"
#include "kernel/guarded_array.hpp"
#include "kernel/strided_array.hpp"
#include "utils/half.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

using Kind = BlockInstruction::Kind;

/// From the narrowest to the widest: the later of two is the type in which both are computed.
constexpr RuntimeDataType kTypes[] = {RuntimeDataType::kTypeBool,      RuntimeDataType::kTypeUInt8,
                                      RuntimeDataType::kTypeInt8,      RuntimeDataType::kTypeInt16,
                                      RuntimeDataType::kTypeInt32,     RuntimeDataType::kTypeInt64,
                                      RuntimeDataType::kTypeFloat32,   RuntimeDataType::kTypeFloat64,
                                      RuntimeDataType::kTypeComplex64, RuntimeDataType::kTypeComplex128};
constexpr std::size_t kIntegralTypes = 6;

std::size_t RankOf(RuntimeDataType type) {
  return static_cast<std::size_t>(std::find(std::begin(kTypes), std::end(kTypes), type) - std::begin(kTypes));
}
bool IsIntegral(RuntimeDataType type) { return RankOf(type) < kIntegralTypes; }

template <class Function>
auto DispatchAny(RuntimeDataType type, const Function& function) {
  if (type == RuntimeDataType::kTypeComplex64) return function(TypeTag<std::complex<float>>{});
  if (type == RuntimeDataType::kTypeComplex128) return function(TypeTag<std::complex<double>>{});
  return DispatchReal(type, function);
}

/// An element as what it is computed in.
template <class T>
Number AsNumber(const T& element) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<int64_t>(element);
  } else if constexpr (std::is_arithmetic_v<T>) {
    return element;
  } else {
    return std::complex<double>(element);
  }
}

template <class T>
T RandomElement(std::mt19937& generator) {
  using Limits = std::numeric_limits<T>;
  const auto special = generator() % 40;
  if constexpr (std::is_same_v<T, bool>) {
    return special % 2 == 0;
  } else if constexpr (std::is_integral_v<T>) {
    if (special == 0) return Limits::max();
    if (special == 1) return Limits::min();
    return static_cast<T>(static_cast<int>(generator() % 19) - (Limits::is_signed ? 9 : 0));
  } else if constexpr (std::is_arithmetic_v<T>) {
    if (special == 0) return Limits::infinity();
    if (special == 1) return -Limits::infinity();
    if (special == 2) return Limits::quiet_NaN();
    if (special == 3) return T(-0.0);
    return special % 4 == 0 ? static_cast<T>(generator() % 5) : std::uniform_real_distribution<T>(-9, 9)(generator);
  } else {
    using Part = typename T::value_type;
    return {static_cast<Part>(generator() % 7) - 3, std::uniform_real_distribution<Part>(-2, 2)(generator)};
  }
}

/// An input of a program: its memory, how it lies there, and its elements as the twin reads them.
struct Input {
  TensorSpec spec;
  const void* data = nullptr;
  std::function<Number(const std::vector<int64_t>&)> at;
};

Input MakeInput(RuntimeDataType type, const Shape& shape, Layout layout, std::mt19937& generator) {
  return DispatchAny(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto array = std::make_shared<StridedArray<T>>(shape, layout, generator);
    array->Fill([&] { return RandomElement<T>(generator); });
    return Input{TensorSpec(type, shape, array->strides()), array->data(),
                 [array](const auto& index) { return AsNumber(array->At(index)); }};
  });
}

/// Adds instructions with the types of their operands to a program, which is kept apart from the planner's rules: any
/// types that a function takes may meet.
class ProgramWriter {
 public:
  ProgramWriter(const std::vector<Input>& inputs, std::mt19937& generator) : inputs_(inputs), generator_(generator) {}

  void Push() {
    ElementInstruction instruction;
    BlockInstruction& block = instruction.block;
    if (inputs_.empty() || generator_() % 4 == 0) {
      block.kind = Kind::kConstant;
      block.type = block.result = kTypes[generator_() % 10];
      block.constant = static_cast<double>(generator_() % 9) - 4;
      if (block.result == RuntimeDataType::kTypeComplex128) block.constant += std::complex<double>(0, 1.5);
      block.integer = static_cast<int64_t>(generator_() % 2);
    } else {
      block.input = static_cast<int>(generator_() % inputs_.size());
      block.type = block.result = inputs_[static_cast<std::size_t>(block.input)].spec.type;
    }
    Add(instruction);
  }

  void Unary() {
    ElementInstruction instruction;
    const RuntimeDataType type = ComputedIn(stack_.back());
    do {
      instruction.unary = &kUnaryTwins[generator_() % std::size(kUnaryTwins)];
    } while (!Takes(*instruction.unary, type));
    BlockInstruction& block = instruction.block;
    block.kind = Kind::kUnary;
    block.type = type;
    block.result = instruction.unary->gives_bool ? RuntimeDataType::kTypeBool : Leaves(type);
    if (instruction.unary->gives_real && IsComplex(type)) {
      block.result =
          type == RuntimeDataType::kTypeComplex64 ? RuntimeDataType::kTypeFloat32 : RuntimeDataType::kTypeFloat64;
    }
    block.parameters = {-2, 3, 0};
    block.unary = IsComplex(type) ? FindComplexUnary(instruction.unary->name) : FindUnary(instruction.unary->name);
    stack_.pop_back();
    Add(instruction);
  }

  void Binary() {
    ElementInstruction instruction;
    const RuntimeDataType right = stack_.back();
    stack_.pop_back();
    const RuntimeDataType type = ComputedIn(RankOf(right) > RankOf(stack_.back()) ? right : stack_.back());
    stack_.pop_back();
    do {
      instruction.binary = &kBinaryTwins[generator_() % std::size(kBinaryTwins)];
    } while (!Takes(*instruction.binary, type));
    BlockInstruction& block = instruction.block;
    block.kind = Kind::kBinary;
    block.type = type;
    block.result = instruction.binary->gives_bool ? RuntimeDataType::kTypeBool : Leaves(type);
    block.binary = IsComplex(type) ? FindComplexBinary(instruction.binary->name) : FindBinary(instruction.binary->name);
    Add(instruction);
  }

  std::size_t depth() const { return stack_.size(); }
  RuntimeDataType top() const { return stack_.back(); }
  const std::vector<ElementInstruction>& program() const { return program_; }

  BlockProgram block_program() const {
    BlockProgram program;
    program.stack_depth = static_cast<int>(deepest_);
    for (const ElementInstruction& instruction : program_) program.instructions.push_back(instruction.block);
    return program;
  }

 private:
  template <class Twin>
  static bool Takes(const Twin& twin, RuntimeDataType type) {
    if (IsComplex(type)) return twin.c128 != nullptr;
    return IsIntegral(type) ? twin.i64 != nullptr : twin.f64 != nullptr;
  }
  /// Operands are computed in their type, or now and then in another integer, wider, floating or complex one.
  RuntimeDataType ComputedIn(RuntimeDataType type) {
    if (generator_() % 5 != 0) return type;
    if (IsIntegral(type) && generator_() % 2 == 0) return kTypes[generator_() % kIntegralTypes];
    if (IsComplex(type)) return kTypes[8 + generator_() % 2];
    return kTypes[std::max<std::size_t>(RankOf(type), 6) +
                  generator_() % (10 - std::max<std::size_t>(RankOf(type), 6))];
  }
  RuntimeDataType Leaves(RuntimeDataType type) {
    return IsIntegral(type) && generator_() % 5 == 0 ? kTypes[generator_() % kIntegralTypes] : type;
  }
  void Add(const ElementInstruction& instruction) {
    program_.push_back(instruction);
    stack_.push_back(instruction.block.result);
    deepest_ = std::max(deepest_, stack_.size());
  }

  const std::vector<Input>& inputs_;
  std::mt19937& generator_;
  std::vector<ElementInstruction> program_;
  std::vector<RuntimeDataType> stack_;
  std::size_t deepest_ = 0;
};

struct ProgramProblem {
  uint32_t seed = 0;
  Shape shape;
  std::size_t depth = 0;  ///< values that are pushed before the first function
};

void PrintTo(const ProgramProblem& problem, std::ostream* stream) {
  *stream << "seed " << problem.seed << ", shape " << ShapeString(problem.shape);
}

/// Sizes around the blocks of 512 elements, and work for several threads.
std::vector<ProgramProblem> Problems() {
  const Shape kShapes[] = {{},     {1},    {511},  {512},      {513},        {1024},        {1025},      {3, 171},
                           {2, 0}, {9000}, {7, 1}, {2, 3, 85}, {4, 1, 2049}, {3, 5, 7, 11}, {64, 1, 65}, {20011}};
  std::vector<ProgramProblem> problems;
  for (uint32_t seed = 0; seed < 320; ++seed) {
    std::mt19937 generator(seed);
    const bool deep = seed % 16 == 15;  // deeper than the stack that lies on the thread's own
    problems.push_back(
        {seed, kShapes[seed / 2 % std::size(kShapes)], deep ? 17 + generator() % 8 : 1 + generator() % 4});
  }
  return problems;
}

class BlockProgramTest : public testing::TestWithParam<ProgramProblem> {};

/// Every element on its own, by twins of the functions.
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

/// relu(x + y) of float32 arrays that lie as `storage` says.
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

/// The grid's number next to x by its definition: q = nearest(x / scale) + zero point within the grid's bounds.
int64_t GridPosition(const QuantizationGrid& grid, float x) {
  if (std::isnan(x)) return grid.least;
  const double steps = std::nearbyint(static_cast<double>(x * (1 / grid.scale))) + grid.zero_point;
  return static_cast<int64_t>(std::min<double>(std::max<double>(steps, grid.least), grid.most));
}
float GridNumber(const QuantizationGrid& grid, int64_t q) {
  return static_cast<float>(q - grid.zero_point) * grid.scale;
}

/// Reads the first input as bytes of a grid, which lie with gaps, and rounds results as `result` says.
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
  storage.inputs = {from};
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

INSTANTIATE_TEST_SUITE_P(Sizes, StorageTest, testing::Values(0, 1, 7, 8, 9, 170, 171, 512, 513, 1025, 9000));

}  // namespace
}  // namespace kuiper_infer::kernel
