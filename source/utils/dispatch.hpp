// SPDX-License-Identifier: MIT
#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include "kuiper_infer/utils/data_type.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/half.hpp"

namespace kuiper_infer {

/// Carries a C++ type into a generic lambda: `DispatchReal(type, [&](auto tag) { using T = typename
/// decltype(tag)::type; ... });`
template <class T>
struct TypeTag {
  using type = T;
};

[[noreturn]] inline void FailDispatch(RuntimeDataType type) {
  throw Error(ErrorCode::kUnsupported, std::string("element type ") + TypeName(type) + " is not supported here");
}

/// Calls function(TypeTag<T>) where the element type is float or double; throws Error(kUnsupported) for others.
template <class Function>
auto DispatchFloating(RuntimeDataType type, const Function& function) {
  switch (type) {
    case RuntimeDataType::kTypeFloat32:
      return function(TypeTag<float>{});
    case RuntimeDataType::kTypeFloat64:
      return function(TypeTag<double>{});
    default:
      FailDispatch(type);
  }
}

/// Calls function(TypeTag<T>) for the element types that arithmetic is done in: float, double, all integers and bool.
/// Throws Error(kUnsupported) for others.
template <class Function>
auto DispatchReal(RuntimeDataType type, const Function& function) {
  switch (type) {
    case RuntimeDataType::kTypeInt64:
      return function(TypeTag<int64_t>{});
    case RuntimeDataType::kTypeInt32:
      return function(TypeTag<int32_t>{});
    case RuntimeDataType::kTypeInt16:
      return function(TypeTag<int16_t>{});
    case RuntimeDataType::kTypeInt8:
      return function(TypeTag<int8_t>{});
    case RuntimeDataType::kTypeUInt8:
      return function(TypeTag<uint8_t>{});
    case RuntimeDataType::kTypeBool:
      return function(TypeTag<bool>{});
    default:
      return DispatchFloating(type, function);
  }
}

/// Calls function(TypeTag<T>) for every element type that arrays can have, for copies and conversions.
template <class Function>
auto DispatchAll(RuntimeDataType type, const Function& function) {
  switch (type) {
    case RuntimeDataType::kTypeFloat16:
      return function(TypeTag<Float16>{});
    case RuntimeDataType::kTypeBFloat16:
      return function(TypeTag<BFloat16>{});
    case RuntimeDataType::kTypeComplex64:
      return function(TypeTag<std::complex<float>>{});
    case RuntimeDataType::kTypeComplex128:
      return function(TypeTag<std::complex<double>>{});
    default:
      return DispatchReal(type, function);
  }
}

/// Calls function(TypeTag<U>) with an unsigned type of the element's width, for kernels that only move bits.
template <class Function>
auto DispatchWidth(RuntimeDataType type, const Function& function) {
  switch (ElementBytes(type)) {
    case 1:
      return function(TypeTag<uint8_t>{});
    case 2:
      return function(TypeTag<uint16_t>{});
    case 4:
      return function(TypeTag<uint32_t>{});
    case 8:
      return function(TypeTag<uint64_t>{});
    case 16:
      return function(TypeTag<std::complex<double>>{});
    default:
      FailDispatch(type);
  }
}

}  // namespace kuiper_infer
