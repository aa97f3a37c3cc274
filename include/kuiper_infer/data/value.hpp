// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ndarray.hpp"

namespace kuiper_infer {

/// What TorchScript can pass between operators: nothing (None), a Python number, a string, an array, or a list of
/// such. Tuples are lists.
class Value {
 public:
  using List = std::vector<Value>;
  using Variant = std::variant<std::monostate, bool, int64_t, double, std::complex<double>, std::string, NdArray, List>;

  // NOLINTBEGIN(google-explicit-constructor): a value is what it is made of.
  Value() = default;
  Value(bool value) : value_(value) {}
  Value(int64_t value) : value_(value) {}
  Value(int value) : value_(static_cast<int64_t>(value)) {}
  Value(double value) : value_(value) {}
  Value(std::complex<double> value) : value_(value) {}
  Value(std::string value) : value_(std::move(value)) {}
  Value(const char* value) : value_(std::string(value)) {}
  Value(NdArray value) : value_(std::move(value)) {}
  Value(List value) : value_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)
  // Defined in value.cpp: a file that hands values on would compile each of them, through all the kinds, again.
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  template <class T>
  bool Is() const {
    return std::holds_alternative<T>(value_);
  }
  template <class T>
  const T& Get() const {
    return std::get<T>(value_);
  }
  bool IsNone() const { return Is<std::monostate>(); }
  /// bool, int, float or complex.
  bool IsNumber() const { return Is<bool>() || Is<int64_t>() || Is<double>() || Is<std::complex<double>>(); }

  const Variant& variant() const { return value_; }

 private:
  Variant value_;
};

/// For messages: `None`, `True`, `3`, `0.5`, `'same'`, `[1,2]`, `float32 (2,3)`.
std::string ValueString(const Value& value);
/// "None", "bool", "int", "float", "complex", "str", "Tensor", "list".
const char* KindName(const Value& value);

/// The number in a one-element array: bool for bool, int for integers, float for floating types. Throws Error(kShape)
/// when the array has another count of elements.
Value NumberFromArray(const NdArray& array);
/// A rank-0 array that stands for a Python number: bool, int64, float64 or complex128.
NdArray ArrayFromNumber(const Value& number);

}  // namespace kuiper_infer
