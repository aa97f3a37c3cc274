// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include "kernel/elementwise/element_program.hpp"
#include "kernel/strided_array.hpp"

namespace kuiper_infer::kernel {

/// Types from the narrowest to the widest. Two operands are computed in the later one of their types.
inline constexpr RuntimeDataType kTypes[] = {RuntimeDataType::kTypeBool,      RuntimeDataType::kTypeUInt8,
                                             RuntimeDataType::kTypeInt8,      RuntimeDataType::kTypeInt16,
                                             RuntimeDataType::kTypeInt32,     RuntimeDataType::kTypeInt64,
                                             RuntimeDataType::kTypeFloat32,   RuntimeDataType::kTypeFloat64,
                                             RuntimeDataType::kTypeComplex64, RuntimeDataType::kTypeComplex128};
inline constexpr std::size_t kIntegralTypes = 6;

inline std::size_t RankOf(RuntimeDataType type) {
  return static_cast<std::size_t>(std::find(std::begin(kTypes), std::end(kTypes), type) - std::begin(kTypes));
}
inline bool IsIntegral(RuntimeDataType type) { return RankOf(type) < kIntegralTypes; }

template <class Function>
auto DispatchAny(RuntimeDataType type, const Function& function) {
  if (type == RuntimeDataType::kTypeComplex64) return function(TypeTag<std::complex<float>>{});
  if (type == RuntimeDataType::kTypeComplex128) return function(TypeTag<std::complex<double>>{});
  return DispatchReal(type, function);
}

/// Returns an element in the type that it is computed in.
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

/// An input of a program: its memory, its layout there, and its elements as the twin reads them.
struct Input {
  TensorSpec spec;
  const void* data = nullptr;
  std::function<Number(const std::vector<int64_t>&)> at;
};

inline Input MakeInput(RuntimeDataType type, const Shape& shape, Layout layout, std::mt19937& generator) {
  return DispatchAny(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto array = std::make_shared<StridedArray<T>>(shape, layout, generator);
    array->Fill([&] { return RandomElement<T>(generator); });
    return Input{TensorSpec(type, shape, array->strides()), array->data(),
                 [array](const auto& index) { return AsNumber(array->At(index)); }};
  });
}

/// Adds instructions with the types of their operands to a program. It does not use the planner's rules: a function may
/// get any types that it takes.
class ProgramWriter {
 public:
  ProgramWriter(const std::vector<Input>& inputs, std::mt19937& generator) : inputs_(inputs), generator_(generator) {}

  void Push() {
    ElementInstruction instruction;
    BlockInstruction& block = instruction.block;
    if (inputs_.empty() || generator_() % 4 == 0) {
      block.kind = BlockInstruction::Kind::kConstant;
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
    block.kind = BlockInstruction::Kind::kUnary;
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
    block.kind = BlockInstruction::Kind::kBinary;
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
  /// Returns the operands' type, or sometimes another type: an integer, wider, floating or complex one.
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

}  // namespace kuiper_infer::kernel
