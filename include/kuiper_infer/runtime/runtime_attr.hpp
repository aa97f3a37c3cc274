// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime_datatype.hpp"

namespace kuiper_infer {

class Weight;

/// A weight of an operator: bytes in row-major order, shape and element type. When a layer is made from the operator,
/// the bytes move from `weight_data` to `weight`; `get` still returns the elements.
struct RuntimeAttribute {
  RuntimeAttribute() = default;
  RuntimeAttribute(std::vector<int> attribute_shape, RuntimeDataType attribute_type, std::vector<char> bytes)
      : weight_data(std::move(bytes)), shape(std::move(attribute_shape)), type(attribute_type) {}

  std::vector<char> weight_data;
  std::vector<int> shape;
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  std::shared_ptr<Weight> weight;  ///< the elements, once a layer has taken them over

  /// The elements converted to T, in row-major order. If `shape` is empty, their number follows from the bytes. If
  /// `need_clear_weight`, the bytes in `weight_data` are freed afterwards. Throws Error(kArgument) if the number of
  /// bytes does not fit shape and type, or if there are no bytes.
  template <class T>
  std::vector<T> get(bool need_clear_weight = true);

  /// Frees the bytes in `weight_data`. `weight` stays.
  void ClearWeight();
};

extern template std::vector<float> RuntimeAttribute::get<float>(bool);
extern template std::vector<double> RuntimeAttribute::get<double>(bool);
extern template std::vector<int32_t> RuntimeAttribute::get<int32_t>(bool);
extern template std::vector<int64_t> RuntimeAttribute::get<int64_t>(bool);
extern template std::vector<int8_t> RuntimeAttribute::get<int8_t>(bool);
extern template std::vector<uint8_t> RuntimeAttribute::get<uint8_t>(bool);

}  // namespace kuiper_infer
