// SPDX-License-Identifier: MIT
#include "kuiper_infer/utils/shape.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {

std::string ShapeString(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) text += ',';
    text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
  }
  return text + ")";
}

namespace {

bool HasZero(const Shape& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

/// The product of the extents that are not 0. It is computed for an empty array, too, so that (0, huge, huge) is
/// refused and places that are computed from extents and strides can't overflow.
int64_t NonzeroProduct(const Shape& shape) {
  int64_t product = 1;
  for (const int64_t extent : shape) {
    if (extent < 0) throw Error(ErrorCode::kShape, "negative extent in shape " + NumbersString(shape));
    if (extent != 0 && __builtin_mul_overflow(product, extent, &product)) {
      throw Error(ErrorCode::kShape, "shape " + ShapeString(shape) + " has more elements than can be counted");
    }
  }
  return product;
}

}  // namespace

int64_t ElementCount(const Shape& shape) {
  const int64_t count = NonzeroProduct(shape);
  return HasZero(shape) ? 0 : count;
}

int64_t ByteCount(RuntimeDataType type, const Shape& shape) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(NonzeroProduct(shape), static_cast<int64_t>(ElementBytes(type)), &bytes)) {
    throw Error(ErrorCode::kShape, "shape " + ShapeString(shape) + " has more bytes than can be counted");
  }
  return HasZero(shape) ? 0 : bytes;
}

Strides RowMajorStrides(const Shape& shape) {
  Strides strides(shape.size());
  int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i] > 0 ? shape[i] : 1;
  }
  return strides;
}

TensorSpec::TensorSpec(RuntimeDataType element_type, Shape extents) : type(element_type), shape(std::move(extents)) {
  ElementCount(shape);
  strides = RowMajorStrides(shape);
}

TensorSpec::TensorSpec(RuntimeDataType element_type, Shape extents, Strides element_strides)
    : type(element_type), shape(std::move(extents)), strides(std::move(element_strides)) {
  if (strides.size() != shape.size()) {
    throw Error(ErrorCode::kShape, "found " + std::to_string(strides.size()) + " strides for shape " +
                                       ShapeString(shape) + ", expected one for each axis");
  }
}

bool TensorSpec::contiguous() const {
  if (HasZero(shape)) return true;
  int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (strides[i] != stride) return false;
    stride *= shape[i];
  }
  return true;
}

bool TensorSpec::operator==(const TensorSpec& other) const {
  return type == other.type && shape == other.shape && strides == other.strides && python_scalar == other.python_scalar;
}

std::string SpecString(const TensorSpec& spec) {
  return std::string(TypeName(spec.type)) + " " + ShapeString(spec.shape);
}

}  // namespace kuiper_infer
