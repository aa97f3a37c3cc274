// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "data/cube_extents.hpp"
#include "kuiper_infer/data/tensor.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

template <class T>
uint32_t Tensor<T>::rows() const {
  return static_cast<uint32_t>(data_->n_rows);
}
template <class T>
uint32_t Tensor<T>::cols() const {
  return static_cast<uint32_t>(data_->n_cols);
}
template <class T>
uint32_t Tensor<T>::channels() const {
  return static_cast<uint32_t>(data_->n_slices);
}
template <class T>
std::size_t Tensor<T>::size() const {
  return data_->n_elem;
}
template <class T>
std::size_t Tensor<T>::plane_size() const {
  return data_->n_elem_slice;
}
template <class T>
bool Tensor<T>::empty() const {
  return data_->n_elem == 0;
}
template <class T>
std::vector<uint32_t> Tensor<T>::shapes() const {
  return {channels(), rows(), cols()};
}
template <class T>
const std::vector<uint32_t>& Tensor<T>::raw_shapes() const {
  return raw_shapes_;
}

template <class T>
const T& Tensor<T>::index(std::size_t offset) const {
  if (offset >= size()) {
    throw Error(ErrorCode::kShape,
                "element " + std::to_string(offset) + " is outside of a tensor of shape " + ExtentsString(shapes()));
  }
  return block_.get()[offset];
}
template <class T>
T& Tensor<T>::index(std::size_t offset) {
  return const_cast<T&>(static_cast<const Tensor&>(*this).index(offset));
}
template <class T>
const T& Tensor<T>::at(uint32_t channel, uint32_t row, uint32_t col) const {
  if (channel >= channels() || row >= rows() || col >= cols()) {
    throw Error(ErrorCode::kShape, "position " + ExtentsString({channel, row, col}) +
                                       " is outside of a tensor of shape " + ExtentsString(shapes()));
  }
  return data_->at(row, col, channel);
}
template <class T>
T& Tensor<T>::at(uint32_t channel, uint32_t row, uint32_t col) {
  return const_cast<T&>(static_cast<const Tensor&>(*this).at(channel, row, col));
}

template <class T>
arma::Cube<T>& Tensor<T>::data() {
  return *data_;
}
template <class T>
const arma::Cube<T>& Tensor<T>::data() const {
  return *data_;
}
template <class T>
arma::Mat<T>& Tensor<T>::slice(uint32_t channel) {
  return const_cast<arma::Mat<T>&>(static_cast<const Tensor&>(*this).slice(channel));
}
template <class T>
const arma::Mat<T>& Tensor<T>::slice(uint32_t channel) const {
  if (channel >= channels()) {
    throw Error(ErrorCode::kShape,
                "channel " + std::to_string(channel) + " is outside of a tensor of shape " + ExtentsString(shapes()));
  }
  return data_->slice(channel);
}
template <class T>
void Tensor<T>::set_data(const arma::Cube<T>& data) {
  const Extents given = {static_cast<uint32_t>(data.n_slices), static_cast<uint32_t>(data.n_rows),
                         static_cast<uint32_t>(data.n_cols)};
  if (given != shapes()) {
    throw Error(ErrorCode::kShape, "found a cube of shape " + ExtentsString(given) + ", expected the tensor's shape " +
                                       ExtentsString(shapes()));
  }
  std::copy_n(data.memptr(), size(), raw_ptr());
}

template <class T>
T* Tensor<T>::raw_ptr() {
  return block_.get();
}
template <class T>
const T* Tensor<T>::raw_ptr() const {
  return block_.get();
}
template <class T>
const T* Tensor<T>::raw_ptr(std::size_t offset) const {
  return &index(offset);
}
template <class T>
T* Tensor<T>::raw_ptr(std::size_t offset) {
  return &index(offset);
}
template <class T>
const T* Tensor<T>::matrix_raw_ptr(uint32_t channel) const {
  return slice(channel).memptr();
}
template <class T>
T* Tensor<T>::matrix_raw_ptr(uint32_t channel) {
  return slice(channel).memptr();
}

}  // namespace kuiper_infer
