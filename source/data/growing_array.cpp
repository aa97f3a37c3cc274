// SPDX-License-Identifier: MIT
#include "data/growing_array.hpp"

#include <algorithm>
#include <cstddef>

#include "kernel/movement/copy.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kLeast = 16;  ///< elements for which there is memory at least
/// The most elements of an array. An array whose other extents are 0 needs no memory for any number of them, and the
/// places that are computed from the number must not overflow.
constexpr int64_t kMost = INT64_MAX / 8;

}  // namespace

GrowingArray::GrowingArray(TensorSpec spec, int64_t axis, int64_t window) : axis_(axis), window_(window) {
  spec.shape[static_cast<std::size_t>(axis)] = 0;
  spec_ = TensorSpec(spec.type, spec.shape);
}

TensorSpec GrowingArray::spec() const {
  Shape shape = spec_.shape;
  shape[static_cast<std::size_t>(axis_)] = length_;
  return TensorSpec(spec_.type, shape);
}

void GrowingArray::Reserve(int64_t length) {
  if (length > kMost) {
    throw Error(ErrorCode::kResource, "an array that grows would have " + std::to_string(length) +
                                          " elements along axis " + std::to_string(axis_) + ", expected at most " +
                                          std::to_string(kMost));
  }
  if (buffer_.defined() && first_ + length <= capacity_) return;
  if (!buffer_.defined() || 2 * length > capacity_) return MoveToNew(std::max({length, 2 * capacity_, kLeast}));
  // The memory has room for twice the length, so what has been dropped is at least as long as what is moved, and each
  // element is moved once on average.
  constexpr int64_t kMostSlack = 8;
  if (capacity_ > kMostSlack * std::max(length, kLeast)) {  // an earlier input was much longer
    try {
      return MoveToNew(std::max(2 * length, kLeast));
    } catch (const Error&) {
      // If there is no memory for the smaller buffer, the elements stay in the larger one.
    }
  }
  const NdArray former = View();
  first_ = 0;
  kernel::Copy(former.view(), View().mutable_view());
}

void GrowingArray::MoveToNew(int64_t capacity) {
  Shape shape = spec_.shape;
  shape[static_cast<std::size_t>(axis_)] = capacity;
  const NdArray former = buffer_.defined() ? View() : NdArray();
  NdArray other(spec_.type, shape);
  buffer_ = std::move(other);
  capacity_ = capacity;
  first_ = 0;
  if (former.defined()) kernel::Copy(former.view(), View().mutable_view());
}

void GrowingArray::SetLength(int64_t length) {
  length_ = length;
  const int64_t excess = window_ > 0 ? length - window_ : 0;
  if (excess <= 0) return;
  first_ += excess;
  length_ = window_;
  dropped_ = true;
}

NdArray GrowingArray::View(int64_t first, int64_t last) const {
  Shape shape = spec_.shape;
  shape[static_cast<std::size_t>(axis_)] = last - first;
  if (!buffer_.defined()) return NdArray(spec_.type, shape);  // of no elements
  const Strides strides = buffer_.strides();
  return buffer_.AsStrided(shape, strides, (first_ + first) * strides[static_cast<std::size_t>(axis_)]);
}

void* GrowingArray::At(int64_t first) const {
  const int64_t offset = (first_ + first) * buffer_.strides()[static_cast<std::size_t>(axis_)];
  return buffer_.data<std::byte>() + offset * static_cast<int64_t>(ElementBytes(spec_.type));
}

void GrowingArray::Assign(const NdArray& array) {
  const auto axis = static_cast<std::size_t>(axis_);
  const int64_t given = array.shape()[axis];
  const int64_t length = window_ > 0 ? std::min(given, window_) : given;
  length_ = 0;
  Reserve(length);
  const NdArray kept = View(0, length);
  const int64_t before = (given - length) * array.strides()[axis];
  kernel::Copy(array.AsStrided(kept.shape(), array.strides(), before).view(), kept.mutable_view());
  length_ = length;
  dropped_ = length < given;
}

GrowingArray GrowingArray::Clone() const {
  GrowingArray copy(spec_, axis_, window_);
  if (length_ > 0) copy.Assign(View());
  copy.dropped_ = dropped_;
  return copy;
}

}  // namespace kuiper_infer
