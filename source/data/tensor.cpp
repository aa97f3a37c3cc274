// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/tensor.hpp"

#include <algorithm>
#include <sstream>

#include "data/cube_extents.hpp"
#include "data/tensor_access-inl.hpp"
#include "data/tensor_fill-inl.hpp"
#include "data/tensor_shape-inl.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "utils/system/log.hpp"
#include "utils/system/memory_block.hpp"

namespace kuiper_infer {

template <class T>
void Tensor<T>::Adopt(std::shared_ptr<T> block, std::vector<uint32_t> shapes) {
  const Extents cube = CubeExtents(shapes);
  block_ = std::move(block);
  data_.emplace(block_.get(), cube[1], cube[2], cube[0], false, true);
  raw_shapes_ = LogicalShape(std::move(shapes));
}

template <class T>
void Tensor<T>::Allocate(const std::vector<uint32_t>& shapes) {
  const int64_t count = ElementCount(Shape(shapes.begin(), shapes.end()));
  if (count > INT64_MAX / static_cast<int64_t>(sizeof(T))) {
    throw Error(ErrorCode::kShape, "shape " + ExtentsString(shapes) + " has more bytes than can be counted");
  }
  auto block = std::static_pointer_cast<T>(AllocateBlock(count * static_cast<int64_t>(sizeof(T))));
  if (block == nullptr) {
    throw Error(ErrorCode::kResource, "cannot allocate a tensor of shape " + ExtentsString(shapes));
  }
  std::fill_n(block.get(), count, T(0));
  Adopt(std::move(block), shapes);
}

template <class T>
Tensor<T>::Tensor() {
  data_.emplace();
}
template <class T>
Tensor<T>::Tensor(uint32_t size) : Tensor(Extents{size}) {}
template <class T>
Tensor<T>::Tensor(uint32_t rows, uint32_t cols) : Tensor(Extents{rows, cols}) {}
template <class T>
Tensor<T>::Tensor(uint32_t channels, uint32_t rows, uint32_t cols) : Tensor(Extents{channels, rows, cols}) {}
template <class T>
Tensor<T>::Tensor(const std::vector<uint32_t>& shapes) {
  Allocate(shapes);
}
template <class T>
Tensor<T>::Tensor(T* raw_ptr, uint32_t size) : Tensor(raw_ptr, Extents{size}) {}
template <class T>
Tensor<T>::Tensor(T* raw_ptr, uint32_t rows, uint32_t cols) : Tensor(raw_ptr, Extents{rows, cols}) {}
template <class T>
Tensor<T>::Tensor(T* raw_ptr, uint32_t channels, uint32_t rows, uint32_t cols)
    : Tensor(raw_ptr, Extents{channels, rows, cols}) {}
template <class T>
Tensor<T>::Tensor(T* raw_ptr, const std::vector<uint32_t>& shapes) {
  if (raw_ptr == nullptr) throw Error(ErrorCode::kInput, "a tensor view is made of a null pointer, expected memory");
  Adopt(std::shared_ptr<T>(raw_ptr, [](T*) {}), shapes);
}

template <class T>
Tensor<T>::Tensor(const Tensor& other) : Tensor() {
  *this = other;
}

template <class T>
Tensor<T>::Tensor(Tensor&& other) noexcept : Tensor() {
  *this = std::move(other);
}

template <class T>
Tensor<T>& Tensor<T>::operator=(Tensor&& other) noexcept {
  if (this == &other) return *this;
  block_ = std::move(other.block_);
  raw_shapes_ = std::move(other.raw_shapes_);
  data_.emplace(block_.get(), other.data_->n_rows, other.data_->n_cols, other.data_->n_slices, false, true);
  other.block_.reset();
  other.raw_shapes_.clear();
  other.data_.emplace();
  return *this;
}

template <class T>
Tensor<T>& Tensor<T>::operator=(const Tensor& other) {
  if (this == &other) return *this;
  if (other.block_ == nullptr) return *this = Tensor();
  const std::shared_ptr<T> source = other.block_;
  const std::vector<uint32_t> logical = other.raw_shapes_;
  Allocate(logical.size() > 3 ? logical : other.shapes());
  std::copy_n(source.get(), size(), raw_ptr());
  raw_shapes_ = logical;
  return *this;
}

template <class T>
void Tensor<T>::Transform(const std::function<T(T)>& filter) {
  std::transform(raw_ptr(), raw_ptr() + size(), raw_ptr(), filter);
}

template <class T>
void Tensor<T>::Show() const {
  for (uint32_t c = 0; c < channels(); ++c) {
    std::ostringstream text;
    text << "channel " << c << "\n" << data_->slice(c);
    Log(Severity::kInfo, text.str());
  }
}

template class Tensor<float>;
template class Tensor<double>;
template class Tensor<int32_t>;
template class Tensor<uint8_t>;

}  // namespace kuiper_infer
