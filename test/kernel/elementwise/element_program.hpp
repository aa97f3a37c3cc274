// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <variant>
#include <vector>

#include "kernel/elementwise/block_program.hpp"
#include "kernel/elementwise/function_twins.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer::kernel {

/// The twin of a block program runs the same instructions on one element, on a stack of numbers.

/// A number as an element type is computed in: ComputeTypeOf names the alternative.
using Number = std::variant<float, double, int64_t, std::complex<double>>;

/// Converts a number to an element type. Integers wrap to its width, every number but zero is true, complex numbers
/// lose their imaginary part. Floating numbers that become integers must lie in int64's range.
inline Number ConvertNumber(const Number& number, RuntimeDataType type) {
  return std::visit(
      [&](auto value) -> Number {
        using From = decltype(value);
        if (type == RuntimeDataType::kTypeBool) return int64_t{value != From(0) ? 1 : 0};
        if constexpr (std::is_same_v<From, std::complex<double>>) {
          if (IsComplex(type)) return value;
          return ConvertNumber(value.real(), type);
        } else {
          if (IsComplex(type)) return std::complex<double>(static_cast<double>(value));
          if (type == RuntimeDataType::kTypeFloat64) return static_cast<double>(value);
          if (type == RuntimeDataType::kTypeFloat32) return static_cast<float>(value);
          const auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
          const unsigned width = 8 * static_cast<unsigned>(ElementBytes(type));
          const uint64_t low = width == 64 ? bits : bits & ((uint64_t{1} << width) - 1);
          const bool negative = type != RuntimeDataType::kTypeUInt8 && width < 64 && (low >> (width - 1)) != 0;
          return static_cast<int64_t>(negative ? low - (uint64_t{1} << width) : low);
        }
      },
      number);
}

/// The function of a twin that takes numbers of T.
template <class T, class Twin>
auto FunctionOf(const Twin& twin) {
  if constexpr (std::is_same_v<T, float>) {
    return twin.f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return twin.f64;
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return twin.i64;
  } else {
    return twin.c128;
  }
}

/// One instruction and, if it is a function, its twin.
struct ElementInstruction {
  BlockInstruction block;
  const UnaryTwin* unary = nullptr;
  const BinaryTwin* binary = nullptr;
};

/// Runs a program on one element of each input.
inline Number RunOnElement(const std::vector<ElementInstruction>& program, const std::vector<Number>& inputs) {
  std::vector<Number> stack;
  const auto pop = [&](RuntimeDataType type) {
    const Number number = ConvertNumber(stack.back(), type);
    stack.pop_back();
    return number;
  };
  for (const ElementInstruction& instruction : program) {
    const BlockInstruction& block = instruction.block;
    Number result;
    switch (block.kind) {
      case BlockInstruction::Kind::kInput:
        stack.push_back(inputs[static_cast<std::size_t>(block.input)]);
        continue;
      case BlockInstruction::Kind::kConstant:
        stack.push_back(ComputeTypeOf(block.result) == ComputeType::kInt
                            ? Number(block.integer)
                            : ConvertNumber(Number(block.constant), block.result));
        continue;
      case BlockInstruction::Kind::kUnary:
        result = std::visit(
            [&](auto x) { return Number(FunctionOf<decltype(x)>(*instruction.unary)(x, block.parameters.data())); },
            pop(block.type));
        break;
      case BlockInstruction::Kind::kBinary: {
        const Number right = pop(block.type);
        result = std::visit(
            [&](auto a) {
              return Number(FunctionOf<decltype(a)>(*instruction.binary)(a, std::get<decltype(a)>(right)));
            },
            pop(block.type));
        break;
      }
    }
    stack.push_back(ConvertNumber(ConvertNumber(result, block.type), block.result));
  }
  return stack.back();
}

}  // namespace kuiper_infer::kernel
