// SPDX-License-Identifier: MIT
#pragma once

#include <armadillo>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tensor_fwd.hpp"

namespace kuiper_infer {

/// An array of `channels` matrices of `rows` x `cols`, stored as an Armadillo cube: element (c,h,w) of a (C,H,W) tensor
/// lies at c*H*W + w*H + h ("cube order": each matrix is column-major). Memory is 64-byte aligned and either owned or,
/// for the constructors that take a pointer, somebody else's. Faulty shapes and positions raise Error(kShape).
template <class T>
class Tensor {
 public:
  /// A tensor without elements.
  Tensor();
  /// A tensor of zeros. One extent gives a row vector; ranks above 3 fold the leading extents into channels.
  explicit Tensor(uint32_t size);
  Tensor(uint32_t rows, uint32_t cols);
  Tensor(uint32_t channels, uint32_t rows, uint32_t cols);
  explicit Tensor(const std::vector<uint32_t>& shapes);
  /// A view on memory in cube order that the caller keeps alive: never copied, never freed.
  Tensor(T* raw_ptr, uint32_t size);
  Tensor(T* raw_ptr, uint32_t rows, uint32_t cols);
  Tensor(T* raw_ptr, uint32_t channels, uint32_t rows, uint32_t cols);
  Tensor(T* raw_ptr, const std::vector<uint32_t>& shapes);

  /// Copies own their memory, also those of views.
  Tensor(const Tensor& other);
  Tensor& operator=(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor() = default;

  uint32_t rows() const;
  uint32_t cols() const;
  uint32_t channels() const;
  /// Number of elements, of all channels and of one.
  std::size_t size() const;
  std::size_t plane_size() const;
  bool empty() const;

  /// {channels, rows, cols}.
  std::vector<uint32_t> shapes() const;
  /// The logical shape: leading extents of 1 of a 1-D or 2-D tensor are not part of it, {2,3} for Tensor(1,2,3).
  const std::vector<uint32_t>& raw_shapes() const;

  /// The element at an offset in memory.
  T& index(std::size_t offset);
  const T& index(std::size_t offset) const;
  /// The element of a channel, row and column.
  T& at(uint32_t channel, uint32_t row, uint32_t col);
  const T& at(uint32_t channel, uint32_t row, uint32_t col) const;

  arma::Cube<T>& data();
  const arma::Cube<T>& data() const;
  /// One channel's matrix; a view on this tensor.
  arma::Mat<T>& slice(uint32_t channel);
  const arma::Mat<T>& slice(uint32_t channel) const;
  /// Replaces the contents; the cube must have this tensor's extents.
  void set_data(const arma::Cube<T>& data);

  T* raw_ptr();
  const T* raw_ptr() const;
  T* raw_ptr(std::size_t offset);
  const T* raw_ptr(std::size_t offset) const;
  /// The address of a channel's first element.
  T* matrix_raw_ptr(uint32_t channel);
  const T* matrix_raw_ptr(uint32_t channel) const;

  void Fill(T value);
  /// Takes over as many values as there are elements, in PyTorch's order of a contiguous tensor (row_major) or in
  /// memory order.
  void Fill(const std::vector<T>& values, bool row_major = true);
  std::vector<T> values(bool row_major = true) const;

  void Ones();
  /// Draws all elements from the normal distribution with mean 0 and deviation 1.
  void Rand();
  /// Draws all elements from a normal distribution. Throws Error(kInput) on a negative deviation.
  void RandN(T mean = 0, T deviation = 1);
  /// Draws all elements from a uniform distribution, integers with both ends. Throws Error(kInput) where max < min.
  void RandU(T min = 0, T max = 1);

  /// Takes a new shape with as many elements. With row_major the result equals PyTorch's reshape, otherwise the
  /// elements keep their places in memory.
  void Reshape(const std::vector<uint32_t>& shapes, bool row_major = false);
  void Flatten(bool row_major = false);
  /// Grows each matrix by {up, bottom, left, right} elements of the given value.
  void Padding(const std::vector<uint32_t>& pads, T padding_value);
  void Transform(const std::function<T(T)>& filter);
  /// Writes the elements to the log, channel by channel.
  void Show() const;

 private:
  void Adopt(std::shared_ptr<T> block, std::vector<uint32_t> shapes);
  void Allocate(const std::vector<uint32_t>& shapes);
  void CheckCount(const char* what, std::size_t count) const;

  std::shared_ptr<T> block_;  ///< the elements; without a deleter for views
  /// An Armadillo view on block_, never absent; made anew whenever the block or the shape changes, because assigning to
  /// a view of fixed size is an error.
  std::optional<arma::Cube<T>> data_;
  std::vector<uint32_t> raw_shapes_;
};

extern template class Tensor<float>;
extern template class Tensor<double>;
extern template class Tensor<int32_t>;
extern template class Tensor<uint8_t>;

}  // namespace kuiper_infer
