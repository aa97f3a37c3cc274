// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data_type.hpp"

namespace kuiper_infer {

/// Extents of an array, outermost first, as PyTorch's `shape`. Rank 0 is one element.
using Shape = std::vector<int64_t>;
/// Axes of an array that a model reads or computes, as PyTorch's iterators have it.
constexpr std::size_t kMostAxes = 64;
/// Distance, in elements, between neighbours along each axis.
using Strides = std::vector<int64_t>;

/// "(1,3,224,224)".
std::string ShapeString(const Shape& shape);

/// Product of the extents. Throws Error(kShape) on a negative extent or when the product exceeds int64.
int64_t ElementCount(const Shape& shape);

/// Bytes of an array of this type and shape without gaps. Throws Error(kShape) where ElementCount does or the bytes
/// exceed int64.
int64_t ByteCount(RuntimeDataType type, const Shape& shape);

/// Strides of a row-major (last axis fastest) array without gaps.
Strides RowMajorStrides(const Shape& shape);

/// What is known of an array before it has data: element type, extents and how it lies in memory.
struct TensorSpec {
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  Shape shape;
  Strides strides;
  /// A Python number in the model's source: takes part in arithmetic, but does not raise the other operand's type
  /// within its category.
  bool python_scalar = false;

  TensorSpec() = default;
  /// The spec of a row-major array.
  TensorSpec(RuntimeDataType element_type, Shape extents);
  TensorSpec(RuntimeDataType element_type, Shape extents, Strides steps);

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t size() const { return ElementCount(shape); }
  /// Row-major without gaps; axes of extent 1 may have any stride.
  bool contiguous() const;
  bool operator==(const TensorSpec& other) const;
};

/// "float32 (1,3,224,224)".
std::string SpecString(const TensorSpec& spec);

}  // namespace kuiper_infer
