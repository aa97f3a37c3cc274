// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "kernel/elementwise/functions.hpp"

namespace kuiper_infer::kernel {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = 3.14159265358979323846;

template <class Function>
void UnaryLoop(const Complex* x, Complex* y, int64_t count, const double* /*p*/) {
  for (int64_t i = 0; i < count; ++i) y[i] = Function::Apply(x[i]);
}
template <class Function>
void BinaryLoop(const Complex* a, const Complex* b, Complex* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = Function::Apply(a[i], b[i]);
}

#define KUIPER_UNARY(NAME, EXPRESSION)                     \
  struct NAME {                                            \
    static Complex Apply(Complex x) { return EXPRESSION; } \
  };
#define KUIPER_BINARY(NAME, EXPRESSION)                               \
  struct NAME {                                                       \
    static Complex Apply(Complex a, Complex b) { return EXPRESSION; } \
  };

/// e^x - 1 and log(1 + x), which lose no digits near 0.
Complex Expm1Of(Complex x) {
  const double half = std::sin(x.imag() / 2);
  return {std::expm1(x.real()) * std::cos(x.imag()) - 2 * half * half, std::exp(x.real()) * std::sin(x.imag())};
}
Complex Log1pOf(Complex x) {
  const double a = x.real();
  const double b = x.imag();
  const bool near = std::abs(a) < 0.5 && std::abs(b) < 0.5;
  return {near ? std::log1p(a * (2 + a) + b * b) / 2 : std::log(std::hypot(1 + a, b)), std::atan2(b, 1 + a)};
}

KUIPER_UNARY(Expm1, Expm1Of(x))
KUIPER_UNARY(Log1p, Log1pOf(x))
KUIPER_UNARY(Positive, x)
KUIPER_UNARY(Neg, -x)
KUIPER_UNARY(Conj, std::conj(x))
KUIPER_UNARY(Abs, std::abs(x))
KUIPER_UNARY(Angle, std::arg(x))
KUIPER_UNARY(Square, x* x)
KUIPER_UNARY(Reciprocal, 1.0 / x)
KUIPER_UNARY(Exp, std::exp(x))
KUIPER_UNARY(Log, std::log(x))
KUIPER_UNARY(Sqrt, std::sqrt(x))
KUIPER_UNARY(Rsqrt, 1.0 / std::sqrt(x))
KUIPER_UNARY(Sin, std::sin(x))
KUIPER_UNARY(Cos, std::cos(x))
KUIPER_UNARY(Tan, std::tan(x))
KUIPER_UNARY(Sinh, std::sinh(x))
KUIPER_UNARY(Cosh, std::cosh(x))
KUIPER_UNARY(Tanh, std::tanh(x))
KUIPER_UNARY(Sigmoid, 1.0 / (1.0 + std::exp(-x)))
KUIPER_UNARY(Silu, x / (1.0 + std::exp(-x)))
KUIPER_UNARY(Exp2, std::exp(x* std::log(2.0)))
KUIPER_UNARY(Log2, std::log(x) / std::log(2.0))
KUIPER_UNARY(Log10, std::log10(x))
KUIPER_UNARY(Asin, std::asin(x))
KUIPER_UNARY(Acos, std::acos(x))
KUIPER_UNARY(Atan, std::atan(x))
KUIPER_UNARY(Asinh, std::asinh(x))
KUIPER_UNARY(Acosh, std::acosh(x))
KUIPER_UNARY(Atanh, std::atanh(x))
KUIPER_UNARY(Sinc, x == 0.0 ? 1.0 : std::sin(kPi * x) / (kPi * x))
KUIPER_UNARY(IsFinite, std::isfinite(x.real()) && std::isfinite(x.imag()) ? 1 : 0)
KUIPER_UNARY(IsInf, std::isinf(x.real()) || std::isinf(x.imag()) ? 1 : 0)
KUIPER_UNARY(IsNan, std::isnan(x.real()) || std::isnan(x.imag()) ? 1 : 0)
KUIPER_UNARY(Sign, x == 0.0 ? x : x / std::abs(x))
KUIPER_UNARY(LogicalNot, x == 0.0 ? 1 : 0)
KUIPER_BINARY(Add, a + b)
KUIPER_BINARY(Sub, a - b)
KUIPER_BINARY(Mul, a* b)
KUIPER_BINARY(Div, a / b)
KUIPER_BINARY(Pow, b == 2.0 ? a * a : std::pow(a, b))
KUIPER_BINARY(Eq, a == b ? 1 : 0)
KUIPER_BINARY(Ne, a != b ? 1 : 0)
KUIPER_BINARY(LogicalAnd, a != 0.0 && b != 0.0 ? 1 : 0)
KUIPER_BINARY(LogicalOr, a != 0.0 || b != 0.0 ? 1 : 0)
KUIPER_BINARY(LogicalXor, (a != 0.0) != (b != 0.0) ? 1 : 0)
KUIPER_BINARY(Logaddexp,
              a.real() < b.real() ? b + std::log(1.0 + std::exp(a - b)) : a + std::log(1.0 + std::exp(b - a)))
#undef KUIPER_UNARY
#undef KUIPER_BINARY

template <class Function>
constexpr UnaryFunction Unary(const char* name, ResultKind result = ResultKind::kSame) {
  return {name, result, nullptr, nullptr, nullptr, UnaryLoop<Function>};
}
template <class Function>
constexpr BinaryFunction Binary(const char* name, ResultKind result = ResultKind::kSame) {
  return {name, result, nullptr, nullptr, nullptr, BinaryLoop<Function>};
}

constexpr UnaryFunction kUnary[] = {
    Unary<Positive>("positive"),
    Unary<Neg>("neg"),
    Unary<Conj>("conj"),
    Unary<Abs>("abs", ResultKind::kReal),
    Unary<Angle>("angle", ResultKind::kReal),
    Unary<Square>("square"),
    Unary<Reciprocal>("reciprocal"),
    Unary<Exp>("exp"),
    Unary<Log>("log"),
    Unary<Sqrt>("sqrt"),
    Unary<Rsqrt>("rsqrt"),
    Unary<Sin>("sin"),
    Unary<Cos>("cos"),
    Unary<Tan>("tan"),
    Unary<Sinh>("sinh"),
    Unary<Cosh>("cosh"),
    Unary<Tanh>("tanh"),
    Unary<Sigmoid>("sigmoid"),
    Unary<Sign>("sign"),
    Unary<Silu>("silu"),
    Unary<Exp2>("exp2"),
    Unary<Expm1>("expm1"),
    Unary<Log1p>("log1p"),
    Unary<Log2>("log2"),
    Unary<Log10>("log10"),
    Unary<Asin>("asin"),
    Unary<Acos>("acos"),
    Unary<Atan>("atan"),
    Unary<Asinh>("asinh"),
    Unary<Acosh>("acosh"),
    Unary<Atanh>("atanh"),
    Unary<Sinc>("sinc"),
    Unary<IsFinite>("isfinite", ResultKind::kBool),
    Unary<IsInf>("isinf", ResultKind::kBool),
    Unary<IsNan>("isnan", ResultKind::kBool),
    Unary<LogicalNot>("logical_not", ResultKind::kBool),
};

constexpr BinaryFunction kBinary[] = {
    Binary<Add>("add"),
    Binary<Sub>("sub"),
    Binary<Mul>("mul"),
    Binary<Div>("div"),
    Binary<Pow>("pow"),
    Binary<Eq>("eq", ResultKind::kBool),
    Binary<Ne>("ne", ResultKind::kBool),
    Binary<LogicalAnd>("logical_and", ResultKind::kBool),
    Binary<LogicalOr>("logical_or", ResultKind::kBool),
    Binary<LogicalXor>("logical_xor", ResultKind::kBool),
    Binary<Logaddexp>("logaddexp"),
};

template <class Table>
auto Find(const Table& table, const std::string& name) -> decltype(std::begin(table)) {
  const auto* found =
      std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return name == row.name; });
  return found == std::end(table) ? nullptr : found;
}

}  // namespace

const UnaryFunction* FindComplexUnary(const std::string& name) { return Find(kUnary, name); }
const BinaryFunction* FindComplexBinary(const std::string& name) { return Find(kBinary, name); }

}  // namespace kuiper_infer::kernel
