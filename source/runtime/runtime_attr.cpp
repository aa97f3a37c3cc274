// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/runtime_attr.hpp"

#include "data/bool_bytes.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/weights/weight.hpp"

namespace kuiper_infer {
namespace {

/// The recorded extents, or a vector of as many elements as the bytes hold.
Shape ElementShape(const RuntimeAttribute& attribute) {
  const std::size_t element = ElementBytes(attribute.type);
  const std::size_t bytes = attribute.weight_data.size();
  if (attribute.shape.empty() && element > 0 && bytes >= element && bytes % element == 0) {
    return {static_cast<int64_t>(bytes / element)};
  }
  return Shape(attribute.shape.begin(), attribute.shape.end());
}

}  // namespace

template <class T>
std::vector<T> RuntimeAttribute::get(bool need_clear_weight) {
  const TensorSpec spec(type, ElementShape(*this));
  const int64_t bytes = ByteCount(type, spec.shape);
  const bool fits = type != RuntimeDataType::kTypeUnknown && bytes == static_cast<int64_t>(weight_data.size());
  if (weight == nullptr && !fits) {
    throw Error(ErrorCode::kArgument, "an attribute of " + SpecString(spec) + " holds " +
                                          std::to_string(weight_data.size()) + " bytes, expected " +
                                          std::to_string(bytes));
  }
  const NdArray held = weight != nullptr ? weight->values() : NdArray::View(weight_data.data(), spec);
  MakeBoolBytes(held);
  const NdArray values = held.To(kElementType<T>);
  std::vector<T> elements(values.data<T>(), values.data<T>() + values.size());
  if (need_clear_weight) ClearWeight();
  return elements;
}

void RuntimeAttribute::ClearWeight() { std::vector<char>().swap(weight_data); }

template std::vector<float> RuntimeAttribute::get<float>(bool);
template std::vector<double> RuntimeAttribute::get<double>(bool);
template std::vector<int32_t> RuntimeAttribute::get<int32_t>(bool);
template std::vector<int64_t> RuntimeAttribute::get<int64_t>(bool);
template std::vector<int8_t> RuntimeAttribute::get<int8_t>(bool);
template std::vector<uint8_t> RuntimeAttribute::get<uint8_t>(bool);

}  // namespace kuiper_infer
