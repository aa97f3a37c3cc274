// SPDX-License-Identifier: MIT
#pragma once

#include <complex>

#include "utils/dispatch.hpp"
#include "utils/half.hpp"

namespace kuiper_infer {

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

}  // namespace kuiper_infer
