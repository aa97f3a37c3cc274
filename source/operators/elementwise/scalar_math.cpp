// SPDX-License-Identifier: MIT
#include "operators/elementwise/scalar_math.hpp"

#include <cmath>

#include "kernel/elementwise/functions.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

bool IsIntegral(const Value& number) { return number.Is<int64_t>() || number.Is<bool>(); }

int64_t AsInteger(const Value& number) {
  return number.Is<bool>() ? static_cast<int64_t>(number.Get<bool>()) : number.Get<int64_t>();
}

bool IsComplexNumber(const Value& number) { return number.Is<std::complex<double>>(); }

std::complex<double> AsComplex(const Value& number) {
  return IsComplexNumber(number) ? number.Get<std::complex<double>>() : AsReal(number);
}

/// A complex result in the kind that a function gives for complex numbers.
Value ResultOf(kernel::ResultKind kind, std::complex<double> y) {
  if (kind == kernel::ResultKind::kBool) return y != 0.0;
  return kind == kernel::ResultKind::kReal ? Value(y.real()) : Value(y);
}

/// Throws if Python would: integers cannot be divided by 0, with or without remainder, and 0 has no negative powers.
void RequireQuotient(const std::string& name, const Value& left, const Value& right) {
  const bool divides = name == "div" || name == "floor_divide" || name == "remainder" || name == "fmod";
  const bool by_zero = divides && AsInteger(right) == 0;
  if (!by_zero && !(name == "pow" && AsInteger(left) == 0 && AsInteger(right) < 0)) return;
  throw Error(ErrorCode::kArgument,
              name + "(" + ValueString(left) + "," + ValueString(right) + ") divides the integer by zero");
}

[[noreturn]] void FailKind(const char* name, const Value& number) {
  throw Error(ErrorCode::kArgument, std::string(name) + " does not take the number " + ValueString(number));
}

}  // namespace

double AsReal(const Value& number) {
  if (number.Is<double>()) return number.Get<double>();
  if (IsIntegral(number)) return static_cast<double>(AsInteger(number));
  throw Error(ErrorCode::kUnsupported, "arithmetic on the constant " + ValueString(number) + " is not supported");
}

Value ApplyToNumber(const kernel::UnaryFunction& function, const Value& number,
                    const std::array<double, 3>& parameters) {
  if (IsIntegral(number) && function.i64 != nullptr) {
    const int64_t x = AsInteger(number);
    int64_t y = 0;
    function.i64(&x, &y, 1, parameters.data());
    return function.result == kernel::ResultKind::kBool ? Value(y != 0) : Value(y);
  }
  if (IsComplexNumber(number)) {
    const kernel::UnaryFunction* complex = kernel::FindComplexUnary(function.name);
    if (complex == nullptr) FailKind(function.name, number);
    const std::complex<double> x = AsComplex(number);
    std::complex<double> y;
    complex->c128(&x, &y, 1, parameters.data());
    return ResultOf(complex->result, y);
  }
  if (function.f64 == nullptr) FailKind(function.name, number);
  const double x = AsReal(number);
  double y = 0;
  function.f64(&x, &y, 1, parameters.data());
  return function.result == kernel::ResultKind::kBool ? Value(y != 0) : Value(y);
}

Value ApplyToNumbers(const kernel::BinaryFunction& function, const Value& left, const Value& right) {
  const bool integral = IsIntegral(left) && IsIntegral(right);
  if (integral) RequireQuotient(function.name, left, right);
  // Python's int ** negative int is a float.
  const bool fraction = std::string(function.name) == "pow" && integral && AsInteger(right) < 0;
  if (integral && function.i64 != nullptr && !fraction) {
    const int64_t a = AsInteger(left);
    const int64_t b = AsInteger(right);
    int64_t y = 0;
    function.i64(&a, &b, &y, 1);
    return function.result == kernel::ResultKind::kBool ? Value(y != 0) : Value(y);
  }
  if (IsComplexNumber(left) || IsComplexNumber(right)) {
    const kernel::BinaryFunction* complex = kernel::FindComplexBinary(function.name);
    if (complex == nullptr) FailKind(function.name, IsComplexNumber(left) ? left : right);
    const std::complex<double> a = AsComplex(left);
    const std::complex<double> b = AsComplex(right);
    std::complex<double> y;
    complex->c128(&a, &b, &y, 1);
    return ResultOf(complex->result, y);
  }
  if (function.f64 == nullptr) FailKind(function.name, IsIntegral(left) ? right : left);
  const double a = AsReal(left);
  const double b = AsReal(right);
  double y = 0;
  function.f64(&a, &b, &y, 1);
  return function.result == kernel::ResultKind::kBool ? Value(y != 0) : Value(y);
}

Value CastNumber(const std::string& type, const Value& number) {
  const RuntimeDataType to = type == "int" ? RuntimeDataType::kTypeInt64 : TypeFromTorchName(type);
  if (to == RuntimeDataType::kTypeBool) return AsReal(number) != 0;
  if (IsFloating(to)) return AsReal(number);
  if (IsIntegral(number)) return AsInteger(number);
  const double real = std::trunc(AsReal(number));
  constexpr double kLimit = 9223372036854774784.0;  // the last double below 2^63
  if (!(std::abs(real) <= kLimit)) FailKind(type.c_str(), number);
  return static_cast<int64_t>(real);
}

}  // namespace kuiper_infer
