// SPDX-License-Identifier: MIT
#include "runtime/kept_elements.hpp"

#include "kernel/attention/int8_rows.hpp"
#include "kernel/movement/copy.hpp"

namespace kuiper_infer {
namespace {

bool HasScales(const StatePair& pair, RuntimeDataType kept) {
  return pair.type == RuntimeDataType::kTypeFloat32 && kept == RuntimeDataType::kTypeInt8;
}

}  // namespace

int64_t ScaleExtent(const StatePair& pair, RuntimeDataType kept) {
  return HasScales(pair, kept) ? kernel::Int8RowBytes(0) : 0;
}

NdArray ElementsOf(const StatePair& pair, const NdArray& kept) {
  const RuntimeDataType type = pair.TypeInModel(kept.type());
  if (!HasScales(pair, kept.type())) return kept.To(type).Contiguous();
  Shape shape = kept.shape();
  shape.back() -= ScaleExtent(pair, kept.type());
  NdArray elements(type, shape);
  const TensorSpec rows(kept.type(), elements.shape(), kept.strides());
  kernel::ReadInt8Rows(kept.raw(), rows, elements.raw(), elements.spec());
  return elements;
}

void KeepElements(const StatePair& pair, const NdArray& elements, const NdArray& kept) {
  if (!HasScales(pair, kept.type())) return kernel::Copy(elements.view(), kept.mutable_view());
  const TensorSpec rows(kept.type(), elements.shape(), kept.strides());
  kernel::RoundToInt8Rows(elements.raw(), elements.spec(), kept.raw(), rows);
}

}  // namespace kuiper_infer
