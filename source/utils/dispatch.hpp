// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "kuiper_infer/utils/data_type.hpp"
#include "kuiper_infer/utils/error.hpp"

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

/// Calls function(TypeTag<T>) if the element type is float or double. Throws Error(kUnsupported) for any other type.
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
/// Throws Error(kUnsupported) for any other type.
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

/// Sixteen bytes that are only moved.
struct Bytes16 {
  uint64_t low;
  uint64_t high;
};

/// Calls function(TypeTag<U>) with an unsigned type, or Bytes16, of the element's width, for kernels that only move
/// bits.
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
      return function(TypeTag<Bytes16>{});
    default:
      FailDispatch(type);
  }
}

}  // namespace kuiper_infer
