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
/// lies at c*H*W + w*H + h ("cube order": each matrix is column-major). A tensor owns its memory, which is aligned to
/// 64 bytes, unless it was constructed on a pointer; then the memory is the caller's. Faulty shapes and positions raise
/// Error(kShape). Functions that allocate raise Error(kResource) if there is no memory.
template <class T>
class Tensor {
 public:
  /// A tensor without elements.
  Tensor();
  /// A row vector of `size` zeros.
  explicit Tensor(uint32_t size);
  /// A matrix of zeros: one channel.
  Tensor(uint32_t rows, uint32_t cols);
  /// `channels` matrices of zeros.
  Tensor(uint32_t channels, uint32_t rows, uint32_t cols);
  /// Zeros of a shape of any rank. The last two extents are rows and columns; the product of the others is channels.
  explicit Tensor(const std::vector<uint32_t>& shapes);
  /// A view on memory in cube order that the caller keeps alive; it is never copied and never freed. The extents are
  /// those of a row vector, a matrix, or channels, or a shape of any rank. Throws Error(kInput) on a null pointer.
  Tensor(T* raw_ptr, uint32_t size);
  Tensor(T* raw_ptr, uint32_t rows, uint32_t cols);
  Tensor(T* raw_ptr, uint32_t channels, uint32_t rows, uint32_t cols);
  Tensor(T* raw_ptr, const std::vector<uint32_t>& shapes);

  /// A copy owns its memory, even if `other` is a view. Moving leaves `other` without elements.
  Tensor(const Tensor& other);
  Tensor& operator=(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor() = default;

  /// The rows of each matrix.
  uint32_t rows() const;
  /// The columns of each matrix.
  uint32_t cols() const;
  /// The number of matrices.
  uint32_t channels() const;
  /// The number of elements.
  std::size_t size() const;
  /// The number of elements of one channel.
  std::size_t plane_size() const;
  /// Whether there are no elements.
  bool empty() const;

  /// {channels, rows, cols}.
  std::vector<uint32_t> shapes() const;
  /// The logical shape. It leaves out leading extents of 1, and is {2,3} for Tensor(1,2,3); ranks above 3 are kept.
  const std::vector<uint32_t>& raw_shapes() const;

  /// The element at an offset in memory, counted in elements in cube order.
  T& index(std::size_t offset);
  const T& index(std::size_t offset) const;
  /// The element of a channel, row and column.
  T& at(uint32_t channel, uint32_t row, uint32_t col);
  const T& at(uint32_t channel, uint32_t row, uint32_t col) const;

  /// The elements as a cube of `rows` x `cols` x `channels`: a view on this tensor, valid until its shape changes.
  arma::Cube<T>& data();
  const arma::Cube<T>& data() const;
  /// One channel's matrix; a view on this tensor.
  arma::Mat<T>& slice(uint32_t channel);
  const arma::Mat<T>& slice(uint32_t channel) const;
  /// Copies the elements of a cube. Throws Error(kShape) unless the cube has this tensor's extents.
  void set_data(const arma::Cube<T>& data);

  /// The address of the first element, in cube order.
  T* raw_ptr();
  const T* raw_ptr() const;
  /// The address of the element at an offset in memory, counted in elements in cube order.
  T* raw_ptr(std::size_t offset);
  const T* raw_ptr(std::size_t offset) const;
  /// The address of a channel's first element.
  T* matrix_raw_ptr(uint32_t channel);
  const T* matrix_raw_ptr(uint32_t channel) const;

  /// Sets all elements to one value.
  void Fill(T value);
  /// Copies the values into the elements: in PyTorch's order of a contiguous tensor if `row_major`, otherwise in cube
  /// order. Throws Error(kShape) unless there are as many values as elements.
  void Fill(const std::vector<T>& values, bool row_major = true);
  /// A copy of the elements in the order that Fill takes them in.
  std::vector<T> values(bool row_major = true) const;

  /// Sets all elements to 1.
  void Ones();
  /// Draws all elements from the normal distribution with mean 0 and deviation 1.
  void Rand();
  /// Draws all elements from a normal distribution. Throws Error(kInput) on a negative deviation.
  void RandN(T mean = 0, T deviation = 1);
  /// Draws all elements from a uniform distribution; integers may be `min` and `max`, too. Throws Error(kInput) if max
  /// < min.
  void RandU(T min = 0, T max = 1);

  /// Gives the tensor another shape with as many elements; throws Error(kShape) on another count. If `row_major`, the
  /// result equals PyTorch's reshape, otherwise the elements keep their places in memory.
  void Reshape(const std::vector<uint32_t>& shapes, bool row_major = false);
  /// Reshapes to a row vector.
  void Flatten(bool row_major = false);
  /// Grows each matrix by {up, bottom, left, right} rows and columns that hold `padding_value`. The tensor owns the new
  /// memory. Throws Error(kShape) unless there are four numbers.
  void Padding(const std::vector<uint32_t>& pads, T padding_value);
  /// Replaces each element x by filter(x).
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
