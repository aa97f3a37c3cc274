// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/elementwise/binary_functions.cpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/functions.hpp"
#include "kernel/elementwise/special_functions.hpp"
#include "utils/simd.hpp"
#include "utils/wrapping.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

template <class Function, class T>
void Block(const T* a, const T* b, T* y, int64_t count) {
#pragma omp simd  // y is a or b, or overlaps neither
  for (int64_t i = 0; i < count; ++i) y[i] = Function::Apply(a[i], b[i]);
}

#define KUIPER_BINARY(NAME, EXPRESSION)  \
  struct NAME {                          \
    template <class T>                   \
    static T Apply(T a, T b) {           \
      return static_cast<T>(EXPRESSION); \
    }                                    \
  };

/// Integer division by zero must not trap; PyTorch raises an error there, we give 0.
template <class T>
T FloorDivideOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return 0;
    if (b == -1) return WrappingNegate(a);
    return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
  } else {
    // Python defines the remainder by fmod, which is exact even if a / b is rounded up to the next integer.
    if (b == 0) return a / b;
    const T rest = std::fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    const T rounded = std::floor(quotient);
    return quotient == 0 ? std::copysign(T(0), a / b) : (quotient - rounded > T(0.5) ? rounded + 1 : rounded);
  }
}

template <class T>
T FmodOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return b == 0 || b == -1 ? 0 : a % b;
  } else {
    return std::fmod(a, b);
  }
}

template <class T>
T RemainderOf(T a, T b) {
  const T rest = FmodOf(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

template <class T>
T PowOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b < 0) return a == 1 ? 1 : (a == -1 ? (b % 2 == 0 ? 1 : -1) : 0);
    uint64_t result = 1;
    auto factor = static_cast<uint64_t>(a);
    for (auto exponent = static_cast<uint64_t>(b); exponent != 0; exponent >>= 1) {
      if ((exponent & 1) != 0) result *= factor;
      factor *= factor;
    }
    return static_cast<T>(result);
  } else {
    if (b == T(2)) return a * a;
    if (b == T(0.5) && a >= T(0)) return std::sqrt(a);  // -inf has the power inf, but no root
    return std::pow(a, b);
  }
}

template <class T>
T LogAddExp(T a, T b) {
  if (std::isinf(a) && a == b) return a;
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

constexpr int64_t kBits = 64;

KUIPER_BINARY(Add, WrappingAdd(a, b))
KUIPER_BINARY(Sub, WrappingSubtract(a, b))
KUIPER_BINARY(Mul, WrappingMultiply(a, b))
KUIPER_BINARY(Div, a / b)
KUIPER_BINARY(FloorDivide, FloorDivideOf(a, b))
KUIPER_BINARY(Fmod, FmodOf(a, b))
KUIPER_BINARY(Remainder, RemainderOf(a, b))
KUIPER_BINARY(Pow, PowOf(a, b))
KUIPER_BINARY(Atan2, std::atan2(a, b))
KUIPER_BINARY(Logaddexp, LogAddExp(a, b))
KUIPER_BINARY(Maximum, a != a || a > b ? a : b)  // NaN wins
KUIPER_BINARY(Minimum, a != a || a < b ? a : b)
KUIPER_BINARY(And, a& b)
KUIPER_BINARY(Or, a | b)
KUIPER_BINARY(Xor, a ^ b)
KUIPER_BINARY(LeftShift, b < 0 || b >= kBits ? 0 : static_cast<uint64_t>(a) << b)
KUIPER_BINARY(RightShift, a >> (b < 0 || b >= kBits ? kBits - 1 : b))
KUIPER_BINARY(Eq, a == b ? 1 : 0)
KUIPER_BINARY(Ne, a != b ? 1 : 0)
KUIPER_BINARY(Lt, a < b ? 1 : 0)
KUIPER_BINARY(Le, a <= b ? 1 : 0)
KUIPER_BINARY(Gt, a > b ? 1 : 0)
KUIPER_BINARY(Ge, a >= b ? 1 : 0)
KUIPER_BINARY(LogicalAnd, a != T(0) && b != T(0) ? 1 : 0)
KUIPER_BINARY(LogicalOr, a != T(0) || b != T(0) ? 1 : 0)
KUIPER_BINARY(LogicalXor, (a != T(0)) != (b != T(0)) ? 1 : 0)

#undef KUIPER_BINARY

template <class Function>
constexpr BinaryFunction Any(const char* name, ResultKind result = ResultKind::kSame) {
  return {name, result, Block<Function, float>, Block<Function, double>, Block<Function, int64_t>};
}

template <class Function>
constexpr BinaryFunction Floating(const char* name) {
  return {name, ResultKind::kFloating, Block<Function, float>, Block<Function, double>, nullptr};
}

template <class Function>
constexpr BinaryFunction Integral(const char* name) {
  return {name, ResultKind::kSame, nullptr, nullptr, Block<Function, int64_t>};
}

constexpr BinaryFunction kFunctions[] = {
    Any<Add>("add"),
    Any<Sub>("sub"),
    Any<Mul>("mul"),
    Floating<Div>("div"),
    Any<FloorDivide>("floor_divide"),
    Any<Fmod>("fmod"),
    Any<Remainder>("remainder"),
    Any<Pow>("pow"),
    Floating<Atan2>("atan2"),
    Floating<Logaddexp>("logaddexp"),
    Any<Maximum>("maximum"),
    Any<Minimum>("minimum"),
    Any<Maximum>("max"),
    Any<Minimum>("min"),
    Integral<And>("and"),
    Integral<Or>("or"),
    Integral<Xor>("xor"),
    Integral<LeftShift>("lshift"),
    Integral<RightShift>("rshift"),
    Any<Eq>("eq", ResultKind::kBool),
    Any<Ne>("ne", ResultKind::kBool),
    Any<Lt>("lt", ResultKind::kBool),
    Any<Le>("le", ResultKind::kBool),
    Any<Gt>("gt", ResultKind::kBool),
    Any<Ge>("ge", ResultKind::kBool),
    Any<LogicalAnd>("logical_and", ResultKind::kBool),
    Any<LogicalOr>("logical_or", ResultKind::kBool),
    Any<LogicalXor>("logical_xor", ResultKind::kBool),
};

}  // namespace

const BinaryFunction* FindBinary(const char* name) {
  for (const BinaryFunction& function : kFunctions) {
    if (std::strcmp(name, function.name) == 0) return &function;
  }
  return nullptr;
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(FindBinary);

const BinaryFunction* FindBinary(const std::string& name) {
  const BinaryFunction* found = KUIPER_SIMD(FindBinary)(name.c_str());
  return found != nullptr ? found : FindSpecialBinary(name);
}

}  // namespace kuiper_infer::kernel
#endif
