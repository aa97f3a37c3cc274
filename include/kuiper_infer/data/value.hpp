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
/// values. A tuple is a list, too.
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
  // These are defined in value.cpp. Inline, every file that copies a value would compile copies of all alternatives.
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  /// Whether it holds a T, one of the alternatives of Variant.
  template <class T>
  bool Is() const {
    return std::holds_alternative<T>(value_);
  }
  /// The T that it holds. Throws std::bad_variant_access if it holds another type.
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

/// The value as text for messages: `None`, `True`, `3`, `0.5`, `'same'`, `[1,2]`, `float32 (2,3)`.
std::string ValueString(const Value& value);
/// The name of the value's kind: "None", "bool", "int", "float", "complex", "str", "Tensor" or "list".
const char* KindName(const Value& value);

/// The number in an array of one element: a bool for bools, an int for integers, a float for floating types. Throws
/// Error(kShape) if the array has another number of elements.
Value NumberFromArray(const NdArray& array);
/// An array of rank 0 that stands for a Python number (TensorSpec::python_scalar): bool, int64, float64 or complex128.
NdArray ArrayFromNumber(const Value& number);

}  // namespace kuiper_infer
