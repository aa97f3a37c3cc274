// SPDX-License-Identifier: MIT
#include "data/growing_array.hpp"

#include <algorithm>

#include "kernel/movement/copy.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer {

GrowingArray::GrowingArray(TensorSpec spec, int64_t axis) : axis_(axis) {
  spec.shape[static_cast<std::size_t>(axis)] = 0;
  spec_ = TensorSpec(spec.type, spec.shape);
}

TensorSpec GrowingArray::spec() const {
  Shape shape = spec_.shape;
  shape[static_cast<std::size_t>(axis_)] = length_;
  return TensorSpec(spec_.type, shape);
}

void GrowingArray::Reserve(int64_t length) {
  if (buffer_.defined() && length <= capacity_) return;
  constexpr int64_t kLeast = 16;
  Shape shape = spec_.shape;
  const int64_t capacity = std::max({length, 2 * capacity_, kLeast});
  shape[static_cast<std::size_t>(axis_)] = capacity;
  const NdArray former = buffer_.defined() ? View() : NdArray();
  NdArray larger(spec_.type, shape);
  buffer_ = std::move(larger);
  capacity_ = capacity;
  if (former.defined()) kernel::Copy(former.view(), View().mutable_view());
}

NdArray GrowingArray::View(int64_t first, int64_t last) const {
  Shape shape = spec_.shape;
  shape[static_cast<std::size_t>(axis_)] = last - first;
  if (!buffer_.defined()) return NdArray(spec_.type, shape);  // of no elements
  const Strides strides = buffer_.strides();
  return buffer_.AsStrided(shape, strides, first * strides[static_cast<std::size_t>(axis_)]);
}

void GrowingArray::Assign(const NdArray& array) {
  const int64_t length = array.shape()[static_cast<std::size_t>(axis_)];
  Reserve(length);
  kernel::Copy(array.view(), View(0, length).mutable_view());
  length_ = length;
}

GrowingArray GrowingArray::Clone() const {
  GrowingArray copy(spec_, axis_);
  if (length_ > 0) copy.Assign(View());
  return copy;
}

}  // namespace kuiper_infer
