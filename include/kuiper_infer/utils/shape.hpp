// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data_type.hpp"

namespace kuiper_infer {

/// The extents of an array, outermost first, as PyTorch's `shape`. An array of rank 0 has one element.
using Shape = std::vector<int64_t>;
/// The most axes that an array of a model may have; PyTorch's iterators have the same limit.
constexpr std::size_t kMostAxes = 64;
/// The distance between neighbours along each axis, in elements.
using Strides = std::vector<int64_t>;

/// "(1,3,224,224)".
std::string ShapeString(const Shape& shape);

/// Product of the extents. Throws Error(kShape) on a negative extent or when the product exceeds int64.
int64_t ElementCount(const Shape& shape);

/// Bytes of an array of this type and shape without gaps. Throws Error(kShape) if ElementCount does or if the bytes of
/// the extents that are not 0 exceed int64.
int64_t ByteCount(RuntimeDataType type, const Shape& shape);

/// Strides of a row-major (last axis fastest) array without gaps.
Strides RowMajorStrides(const Shape& shape);

/// What is known of an array before it has data: element type, shape, and strides in memory.
struct TensorSpec {
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  Shape shape;
  Strides strides;
  /// Whether the array stands for a Python number in the model's source. In arithmetic with an array of the same
  /// category (bool, integers, floating, complex) a Python number does not raise the result's type.
  bool python_scalar = false;

  TensorSpec() = default;
  /// The spec of a row-major array without gaps.
  TensorSpec(RuntimeDataType element_type, Shape extents);
  /// The spec of an array with any strides. Throws Error(kShape) unless there is one for each axis.
  TensorSpec(RuntimeDataType element_type, Shape extents, Strides element_strides);

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  /// The number of elements.
  int64_t size() const { return ElementCount(shape); }
  /// Row-major without gaps; axes of extent 1 may have any stride.
  bool contiguous() const;
  bool operator==(const TensorSpec& other) const;
};

/// "float32 (1,3,224,224)".
std::string SpecString(const TensorSpec& spec);

}  // namespace kuiper_infer
