// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/value.hpp"

#include <sstream>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {
namespace {

std::string NumberString(double value) {
  std::ostringstream stream;
  stream.precision(17);
  stream << value;
  return stream.str();
}

}  // namespace

Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

std::string ValueString(const Value& value) {
  if (value.Is<bool>()) return value.Get<bool>() ? "True" : "False";
  if (value.Is<int64_t>()) return std::to_string(value.Get<int64_t>());
  if (value.Is<double>()) return NumberString(value.Get<double>());
  if (value.Is<std::complex<double>>()) {
    const auto& number = value.Get<std::complex<double>>();
    return NumberString(number.real()) + (number.imag() < 0 ? "" : "+") + NumberString(number.imag()) + "j";
  }
  if (value.Is<std::string>()) return "'" + value.Get<std::string>() + "'";
  if (value.Is<NdArray>()) return SpecString(value.Get<NdArray>().spec());
  if (value.Is<Value::List>()) {
    std::string text = "[";
    for (const Value& item : value.Get<Value::List>()) text += (text.size() > 1 ? "," : "") + ValueString(item);
    return text + "]";
  }
  return "None";
}

const char* KindName(const Value& value) {
  static constexpr const char* kNames[] = {"None", "bool", "int", "float", "complex", "str", "Tensor", "list"};
  return kNames[value.variant().index()];
}

Value NumberFromArray(const NdArray& array) {
  if (array.size() != 1) {
    throw Error(ErrorCode::kShape, "an array of shape " + ShapeString(array.shape()) + " is not one number");
  }
  if (array.type() == RuntimeDataType::kTypeBool) return *array.data<bool>();
  if (IsComplex(array.type())) {
    const NdArray wide = array.To(RuntimeDataType::kTypeComplex128);
    return *wide.data<std::complex<double>>();
  }
  if (IsFloating(array.type())) {
    const NdArray wide = array.To(RuntimeDataType::kTypeFloat64);
    return *wide.data<double>();
  }
  const NdArray wide = array.To(RuntimeDataType::kTypeInt64);
  return *wide.data<int64_t>();
}

NdArray ArrayFromNumber(const Value& number) {
  NdArray array;
  if (number.Is<bool>()) {
    array = NdArray::Scalar<bool>(RuntimeDataType::kTypeBool, number.Get<bool>());
  } else if (number.Is<int64_t>()) {
    array = NdArray::Scalar<int64_t>(RuntimeDataType::kTypeInt64, number.Get<int64_t>());
  } else if (number.Is<double>()) {
    array = NdArray::Scalar<double>(RuntimeDataType::kTypeFloat64, number.Get<double>());
  } else if (number.Is<std::complex<double>>()) {
    array = NdArray::Scalar<std::complex<double>>(RuntimeDataType::kTypeComplex128, number.Get<std::complex<double>>());
  } else {
    throw Error(ErrorCode::kArgument, ValueString(number) + " is not a number");
  }
  array.SetPythonScalar(true);
  return array;
}

}  // namespace kuiper_infer
