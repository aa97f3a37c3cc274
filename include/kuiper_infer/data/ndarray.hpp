// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "../utils/shape.hpp"

namespace kuiper_infer {

struct ConstArrayView;
struct ArrayView;

/// An array of any rank and element type in PyTorch's (row-major) order, or a strided view of one. Copies share its
/// block of memory, which lives as long as one of them. This is what travels between operators; Tensor is its
/// column-major face towards users of the classic interface.
class NdArray {
 public:
  /// An array without element type and elements.
  NdArray() = default;
  /// A row-major array, 64-byte aligned, contents unspecified. Throws Error(kResource) where memory is lacking.
  NdArray(RuntimeDataType type, const Shape& shape);
  explicit NdArray(const TensorSpec& spec) : NdArray(spec.type, spec.shape) {
    spec_.python_scalar = spec.python_scalar;
  }

  /// An array on memory that `owner` keeps alive (null: the caller does). Never copies, never frees. Models only read
  /// what they are given.
  static NdArray View(void* data, TensorSpec spec, std::shared_ptr<const void> owner = nullptr);
  /// An array on row-major memory of a C++ element type, which `owner` keeps alive (null: the caller does).
  template <class T>
  static NdArray View(T* data, const Shape& shape, std::shared_ptr<const void> owner = nullptr) {
    using Element = std::remove_const_t<T>;
    return View(const_cast<Element*>(data), TensorSpec(kElementType<Element>, shape), std::move(owner));
  }
  /// An array of rank 0: one element.
  template <class T>
  static NdArray Scalar(RuntimeDataType type, T value) {
    NdArray array(type, Shape{});
    *array.data<T>() = value;
    return array;
  }

  bool defined() const { return spec_.type != RuntimeDataType::kTypeUnknown; }
  RuntimeDataType type() const { return spec_.type; }
  const Shape& shape() const { return spec_.shape; }
  const Strides& strides() const { return spec_.strides; }
  const TensorSpec& spec() const { return spec_; }
  int64_t rank() const { return spec_.rank(); }
  int64_t size() const { return spec_.size(); }
  bool contiguous() const { return spec_.contiguous(); }

  void* raw() const { return data_; }
  /// The first element. The caller chooses T to match type().
  template <class T>
  T* data() const {
    return static_cast<T*>(data_);
  }

  /// A view of this array's memory with other extents and strides; `offset` counts elements from this array's first
  /// one. Not bounds-checked.
  NdArray AsStrided(Shape shape, Strides strides, int64_t offset = 0) const;
  /// The array's elements in row-major order under a new shape; throws Error(kShape) when the counts differ.
  NdArray Reshape(const Shape& shape) const;
  /// This array if it is contiguous already, otherwise a row-major copy.
  NdArray Contiguous() const;
  /// A row-major copy in memory of its own.
  NdArray Clone() const;
  /// Converted element by element with PyTorch's rules (truncation toward zero, non-zero is true).
  NdArray To(RuntimeDataType type) const;
  void SetPythonScalar(bool value) { spec_.python_scalar = value; }

  ConstArrayView view() const;
  ArrayView mutable_view() const;

 private:
  TensorSpec spec_;
  void* data_ = nullptr;
  std::shared_ptr<const void> owner_;
};

}  // namespace kuiper_infer
