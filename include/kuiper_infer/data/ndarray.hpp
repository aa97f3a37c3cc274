// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "../utils/shape.hpp"

namespace kuiper_infer {

struct ConstArrayView;
struct ArrayView;

/// An array of any rank and element type in PyTorch's (row-major) order, or a strided view of an array. Copies share
/// one block of memory, which lives as long as one of them. Operators exchange NdArrays; users of the classic interface
/// see Tensor instead, which is column-major.
class NdArray {
 public:
  /// An array without element type and elements.
  NdArray() = default;
  /// A row-major array, aligned to 64 bytes, with unspecified contents. Throws Error(kResource) if there is no memory
  /// for it, and Error(kShape) if an extent is negative or the bytes exceed int64.
  NdArray(RuntimeDataType type, const Shape& shape);
  /// A row-major array of the type and shape of `spec`, whose strides do not count.
  explicit NdArray(const TensorSpec& spec) : NdArray(spec.type, spec.shape) {
    spec_.python_scalar = spec.python_scalar;
  }

  /// An array on existing memory, which is neither copied nor freed. `owner` keeps the memory alive; if it is null, the
  /// caller does. Models only read their inputs.
  static NdArray View(void* data, TensorSpec spec, std::shared_ptr<const void> owner = nullptr);
  /// An array on existing row-major memory whose elements are of the C++ type T. The memory is neither copied nor
  /// freed. `owner` keeps it alive; if `owner` is null, the caller does.
  template <class T>
  static NdArray View(T* data, const Shape& shape, std::shared_ptr<const void> owner = nullptr) {
    using Element = std::remove_const_t<T>;
    return View(const_cast<Element*>(data), TensorSpec(kElementType<Element>, shape), std::move(owner));
  }
  /// An array of rank 0: one element. The caller chooses T to match `type`.
  template <class T>
  static NdArray Scalar(RuntimeDataType type, T value) {
    NdArray array(type, Shape{});
    *array.data<T>() = value;
    return array;
  }

  /// Whether it has an element type; false for a default-constructed array.
  bool defined() const { return spec_.type != RuntimeDataType::kTypeUnknown; }
  RuntimeDataType type() const { return spec_.type; }
  const Shape& shape() const { return spec_.shape; }
  /// The distance between neighbours along each axis, in elements.
  const Strides& strides() const { return spec_.strides; }
  const TensorSpec& spec() const { return spec_; }
  int64_t rank() const { return spec_.rank(); }
  /// The number of elements.
  int64_t size() const { return spec_.size(); }
  /// Whether the elements are row-major without gaps.
  bool contiguous() const { return spec_.contiguous(); }

  /// The address of the element with index 0 along every axis.
  void* raw() const { return data_; }
  /// The address of the first element as a pointer to T. The caller chooses T to match type().
  template <class T>
  T* data() const {
    return static_cast<T*>(data_);
  }

  /// A view of this array's memory with another shape and strides. `offset` counts elements from this array's first
  /// element. Bounds are not checked.
  NdArray AsStrided(Shape shape, Strides strides, int64_t offset = 0) const;
  /// The array's elements in row-major order under another shape: a view if this array is contiguous, otherwise a copy.
  /// Throws Error(kShape) if the shape has another number of elements.
  NdArray Reshape(const Shape& shape) const;
  /// This array if it is contiguous already, otherwise a row-major copy.
  NdArray Contiguous() const;
  /// A row-major copy in memory of its own.
  NdArray Clone() const;
  /// The elements converted by PyTorch's rules (truncation toward zero; every number but 0 is true): a row-major copy,
  /// or this array if it has the type already.
  NdArray To(RuntimeDataType type) const;
  /// Says whether this array stands for a Python number (TensorSpec::python_scalar). In arithmetic with an array of the
  /// same category (bool, integers, floating, complex) a Python number then does not raise the result's type. Only
  /// arrays of rank 0 may stand for a number. Other copies of this array are not affected.
  void SetPythonScalar(bool value) { spec_.python_scalar = value; }

  /// Address and spec for the library's kernels, which read the elements; valid as long as this array.
  ConstArrayView view() const;
  /// Address and spec for the library's kernels, which write the elements; valid as long as this array.
  ArrayView mutable_view() const;

 private:
  TensorSpec spec_;
  void* data_ = nullptr;
  std::shared_ptr<const void> owner_;
};

}  // namespace kuiper_infer
