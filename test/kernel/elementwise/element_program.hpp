// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <variant>
#include <vector>

#include "kernel/elementwise/block_program.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer::kernel {

/// The twin of a block program: the same instructions on one element, on a stack of numbers.

/// A number as an element type is computed in: ComputeTypeOf names the alternative.
using Number = std::variant<float, double, int64_t, std::complex<double>>;

/// A number in an element type: integers wrap to its width, all but zero is true, complex numbers lose their imaginary
/// part. Floating numbers that become integers lie in int64's range.
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

/// A function on one number of each type; null where the function has none.
struct UnaryTwin {
  const char* name;
  float (*f32)(float x, const double* p);
  double (*f64)(double x, const double* p);
  int64_t (*i64)(int64_t x, const double* p);
  std::complex<double> (*c128)(std::complex<double> x, const double* p) = nullptr;
  bool gives_bool = false;
  bool gives_real = false;
};

struct BinaryTwin {
  const char* name;
  float (*f32)(float a, float b);
  double (*f64)(double a, double b);
  int64_t (*i64)(int64_t a, int64_t b);
  std::complex<double> (*c128)(std::complex<double> a, std::complex<double> b) = nullptr;
  bool gives_bool = false;
};

inline int64_t Wrap(uint64_t bits) { return static_cast<int64_t>(bits); }

inline constexpr auto kNegTwin = [](auto x, const double*) { return -x; };
inline constexpr auto kAbsTwin = [](auto x, const double*) { return std::abs(x); };
inline constexpr auto kSquareTwin = [](auto x, const double*) { return x * x; };
inline constexpr auto kReluTwin = [](auto x, const double*) { return x < 0 ? 0 : x; };
inline constexpr auto kNotTwin = [](auto x, const double*) { return decltype(x)(x == decltype(x)(0) ? 1 : 0); };
inline constexpr auto kReciprocalTwin = [](auto x, const double*) { return 1 / x; };
inline constexpr auto kSqrtTwin = [](auto x, const double*) { return std::sqrt(x); };
inline constexpr auto kClampTwin = [](auto x, const double* p) {
  using T = decltype(x);
  return x < static_cast<T>(p[0]) ? static_cast<T>(p[0]) : (x > static_cast<T>(p[1]) ? static_cast<T>(p[1]) : x);
};

/// Functions that are exact, or rounded once: the whole program is compared bit by bit.
inline constexpr UnaryTwin kUnaryTwins[] = {
    {"neg", kNegTwin, kNegTwin, [](int64_t x, const double*) { return Wrap(0 - static_cast<uint64_t>(x)); }, kNegTwin},
    {"abs", kAbsTwin, kAbsTwin, [](int64_t x, const double*) { return x < 0 ? Wrap(0 - static_cast<uint64_t>(x)) : x; },
     [](std::complex<double> x, const double*) { return std::complex<double>(std::abs(x)); }, false, true},
    {"conj", nullptr, nullptr, nullptr, [](std::complex<double> x, const double*) { return std::conj(x); }},
    {"square", kSquareTwin, kSquareTwin,
     [](int64_t x, const double*) { return Wrap(static_cast<uint64_t>(x) * static_cast<uint64_t>(x)); }},
    {"relu", kReluTwin, kReluTwin, kReluTwin},
    {"clamp", kClampTwin, kClampTwin, kClampTwin},
    {"reciprocal", kReciprocalTwin, kReciprocalTwin, nullptr},
    {"sqrt", kSqrtTwin, kSqrtTwin, nullptr},
    {"bitwise_not", nullptr, nullptr, [](int64_t x, const double*) { return ~x; }},
    {"logical_not", kNotTwin, kNotTwin, kNotTwin, kNotTwin, true},
};

inline constexpr auto kAddTwin = [](auto a, auto b) { return a + b; };
inline constexpr auto kSubTwin = [](auto a, auto b) { return a - b; };
inline constexpr auto kMulTwin = [](auto a, auto b) { return a * b; };
inline constexpr auto kDivTwin = [](auto a, auto b) { return a / b; };
inline constexpr auto kMaximumTwin = [](auto a, auto b) { return a != a ? a : (b != b ? b : (a > b ? a : b)); };
inline constexpr auto kMinimumTwin = [](auto a, auto b) { return a != a ? a : (b != b ? b : (a < b ? a : b)); };
inline constexpr auto kLessTwin = [](auto a, auto b) { return decltype(a)(a < b ? 1 : 0); };
inline constexpr auto kEqualTwin = [](auto a, auto b) { return decltype(a)(a == b ? 1 : 0); };
inline constexpr auto kBothTwin = [](auto a, auto b) {
  using T = decltype(a);
  return T(a != T(0) && b != T(0) ? 1 : 0);
};

inline constexpr BinaryTwin kBinaryTwins[] = {
    {"add", kAddTwin, kAddTwin,
     [](int64_t a, int64_t b) { return Wrap(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }, kAddTwin},
    {"sub", kSubTwin, kSubTwin,
     [](int64_t a, int64_t b) { return Wrap(static_cast<uint64_t>(a) - static_cast<uint64_t>(b)); }, kSubTwin},
    {"mul", kMulTwin, kMulTwin,
     [](int64_t a, int64_t b) { return Wrap(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }},
    {"div", kDivTwin, kDivTwin, nullptr},
    {"floor_divide", nullptr, nullptr,
     [](int64_t a, int64_t b) {
       if (b == 0) return int64_t{0};
       if (b == -1) return Wrap(0 - static_cast<uint64_t>(a));
       return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
     }},
    {"maximum", kMaximumTwin, kMaximumTwin, kMaximumTwin},
    {"minimum", kMinimumTwin, kMinimumTwin, kMinimumTwin},
    {"and", nullptr, nullptr, [](int64_t a, int64_t b) { return a & b; }},
    {"xor", nullptr, nullptr, [](int64_t a, int64_t b) { return a ^ b; }},
    {"lt", kLessTwin, kLessTwin, kLessTwin, nullptr, true},
    {"eq", kEqualTwin, kEqualTwin, kEqualTwin, kEqualTwin, true},
    {"logical_and", kBothTwin, kBothTwin, kBothTwin, kBothTwin, true},
};

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
