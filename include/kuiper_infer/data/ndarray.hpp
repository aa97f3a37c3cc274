// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "../utils/shape.hpp"

namespace kuiper_infer {

struct ConstArrayView;
struct ArrayView;

/// An array of any rank and element type in PyTorch's (row-major) order, or a strided window on one. Copies share the
/// block; the block lives as long as one of them. This is what travels between operators; Tensor is its column-major
/// face towards users of the classic interface.
class NdArray {
 public:
  /// No element type, no elements.
  NdArray() = default;
  /// Row-major, 64-byte aligned, contents unspecified. Throws Error(kResource) where memory is lacking.
  NdArray(RuntimeDataType type, const Shape& shape);
  explicit NdArray(const TensorSpec& spec) : NdArray(spec.type, spec.shape) {
    spec_.python_scalar = spec.python_scalar;
  }

  /// A window on memory that `owner` keeps alive (null: the caller does). Never copies, never frees. Models only read
  /// what they are given.
  static NdArray View(void* data, TensorSpec spec, std::shared_ptr<const void> owner = nullptr);
  /// The same for row-major memory of a C++ element type.
  template <class T>
  static NdArray View(T* data, const Shape& shape, std::shared_ptr<const void> owner = nullptr) {
    using Element = std::remove_const_t<T>;
    return View(const_cast<Element*>(data), TensorSpec(kElementType<Element>, shape), std::move(owner));
  }
  /// One element of rank 0.
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

  /// Another window on the same block; `offset` counts elements from this window's first one. Not bounds-checked.
  NdArray Window(Shape shape, Strides strides, int64_t offset = 0) const;
  /// Same elements in row-major order under a new shape; throws Error(kShape) when the counts differ.
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
