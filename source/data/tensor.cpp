// SPDX-License-Identifier: MIT
#include "kuiper_infer/data/tensor.hpp"

#include <algorithm>
#include <random>
#include <sstream>
#include <type_traits>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "utils/log.hpp"
#include "utils/memory_block.hpp"

namespace kuiper_infer {
namespace {

using Extents = std::vector<uint32_t>;

std::string Text(const Extents& extents) { return ShapeString(Shape(extents.begin(), extents.end())); }

/// {channels, rows, cols} of a shape of any rank.
Extents CubeExtents(const Extents& shapes) {
  if (shapes.empty()) throw Error(ErrorCode::kShape, "a tensor needs at least one extent");
  Extents cube = {1, 1, shapes.back()};
  if (shapes.size() > 1) cube[1] = shapes[shapes.size() - 2];
  const int64_t channels = ElementCount(
      Shape(shapes.begin(), shapes.end() - std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(shapes.size()))));
  if (channels > UINT32_MAX) throw Error(ErrorCode::kShape, "shape " + Text(shapes) + " has too many channels");
  cube[0] = static_cast<uint32_t>(channels);
  return cube;
}

/// Leading extents of 1 of tensors up to rank 3 are not part of the logical shape.
Extents LogicalShape(Extents shapes) {
  if (shapes.size() > 3) return shapes;
  while (shapes.size() > 1 && shapes.front() == 1) shapes.erase(shapes.begin());
  return shapes;
}

std::mt19937& Generator() {
  thread_local std::mt19937 generator(std::random_device{}());
  return generator;
}

}  // namespace

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
    throw Error(ErrorCode::kShape, "shape " + Text(shapes) + " has more bytes than can be counted");
  }
  auto block = std::static_pointer_cast<T>(AllocateBlock(count * static_cast<int64_t>(sizeof(T))));
  if (block == nullptr) {
    throw Error(ErrorCode::kResource, "cannot allocate a tensor of shape " + Text(shapes));
  }
  std::fill_n(block.get(), count, T(0));
  Adopt(std::move(block), shapes);
}

template <class T>
void Tensor<T>::CheckCount(const char* what, std::size_t count) const {
  if (count != size()) {
    throw Error(ErrorCode::kShape, std::string(what) + ": " + std::to_string(count) +
                                       " elements for a tensor of shape " + Text(shapes()) + ", expected " +
                                       std::to_string(size()));
  }
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
                "element " + std::to_string(offset) + " is outside of a tensor of shape " + Text(shapes()));
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
    throw Error(ErrorCode::kShape,
                "position " + Text({channel, row, col}) + " is outside of a tensor of shape " + Text(shapes()));
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
                "channel " + std::to_string(channel) + " is outside of a tensor of shape " + Text(shapes()));
  }
  return data_->slice(channel);
}
template <class T>
void Tensor<T>::set_data(const arma::Cube<T>& data) {
  const Extents given = {static_cast<uint32_t>(data.n_slices), static_cast<uint32_t>(data.n_rows),
                         static_cast<uint32_t>(data.n_cols)};
  if (given != shapes()) {
    throw Error(ErrorCode::kShape,
                "found a cube of shape " + Text(given) + ", expected the tensor's shape " + Text(shapes()));
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

template <class T>
void Tensor<T>::Fill(T value) {
  std::fill_n(raw_ptr(), size(), value);
}

template <class T>
void Tensor<T>::Fill(const std::vector<T>& values, bool row_major) {
  CheckCount("Fill", values.size());
  if (!row_major) {
    std::copy(values.begin(), values.end(), raw_ptr());
    return;
  }
  auto next = values.begin();
  for (uint32_t c = 0; c < channels(); ++c) {
    for (uint32_t h = 0; h < rows(); ++h) {
      for (uint32_t w = 0; w < cols(); ++w) data_->at(h, w, c) = *next++;
    }
  }
}

template <class T>
std::vector<T> Tensor<T>::values(bool row_major) const {
  if (!row_major) return std::vector<T>(raw_ptr(), raw_ptr() + size());
  std::vector<T> values;
  values.reserve(size());
  for (uint32_t c = 0; c < channels(); ++c) {
    for (uint32_t h = 0; h < rows(); ++h) {
      for (uint32_t w = 0; w < cols(); ++w) values.push_back(data_->at(h, w, c));
    }
  }
  return values;
}

template <class T>
void Tensor<T>::Ones() {
  Fill(T(1));
}
template <class T>
void Tensor<T>::Rand() {
  RandN(0, 1);
}
template <class T>
void Tensor<T>::RandN(T mean, T deviation) {
  if (deviation < T(0)) {
    throw Error(ErrorCode::kInput, "RandN: the deviation is " + std::to_string(deviation) + ", expected >= 0");
  }
  if (deviation == T(0)) return Fill(mean);
  std::normal_distribution<double> normal(static_cast<double>(mean), static_cast<double>(deviation));
  for (std::size_t i = 0; i < size(); ++i) raw_ptr()[i] = static_cast<T>(normal(Generator()));
}
template <class T>
void Tensor<T>::RandU(T min, T max) {
  if (max < min) {
    throw Error(ErrorCode::kInput,
                "RandU: the range [" + std::to_string(min) + ", " + std::to_string(max) + "] is empty");
  }
  const auto draw = [this](auto distribution) {
    std::generate_n(raw_ptr(), size(), [&] { return static_cast<T>(distribution(Generator())); });
  };
  if constexpr (std::is_integral_v<T>) {
    draw(std::uniform_int_distribution<int64_t>(min, max));
  } else {
    draw(std::uniform_real_distribution<double>(min, max));
  }
}

template <class T>
void Tensor<T>::Reshape(const std::vector<uint32_t>& shapes, bool row_major) {
  const auto count = static_cast<std::size_t>(ElementCount(Shape(shapes.begin(), shapes.end())));
  if (count != size()) {
    throw Error(ErrorCode::kShape, "cannot reshape a tensor of shape " + Text(this->shapes()) + " to " + Text(shapes));
  }
  if (!row_major) {
    Adopt(block_, shapes);
    return;
  }
  const std::vector<T> elements = values(true);
  Adopt(block_, shapes);
  Fill(elements, true);
}

template <class T>
void Tensor<T>::Flatten(bool row_major) {
  if (size() > UINT32_MAX)
    throw Error(ErrorCode::kShape, "tensor of shape " + Text(shapes()) + " is too long to flatten");
  Reshape({static_cast<uint32_t>(size())}, row_major);
}

template <class T>
void Tensor<T>::Padding(const std::vector<uint32_t>& pads, T padding_value) {
  if (pads.size() != 4) {
    throw Error(ErrorCode::kShape, "Padding takes {up, bottom, left, right}, " + std::to_string(pads.size()) +
                                       " values are given for a tensor of shape " + Text(shapes()));
  }
  const auto grown = [this](uint32_t extent, uint64_t before, uint64_t after) {
    const uint64_t sum = extent + before + after;
    if (sum > UINT32_MAX) {
      throw Error(ErrorCode::kShape, "Padding: an extent of " + std::to_string(sum) + " for a tensor of shape " +
                                         Text(shapes()) + " is too large");
    }
    return static_cast<uint32_t>(sum);
  };
  Extents extents = raw_shapes_.size() > 3 ? raw_shapes_ : shapes();
  extents[extents.size() - 2] = grown(rows(), pads[0], pads[1]);
  extents.back() = grown(cols(), pads[2], pads[3]);
  Tensor<T> padded(extents);
  padded.Fill(padding_value);
  for (uint32_t c = 0; c < channels(); ++c) {
    for (uint32_t w = 0; w < cols(); ++w) {
      std::copy_n(&data_->at(0, w, c), rows(), &padded.data_->at(pads[0], w + pads[2], c));
    }
  }
  *this = std::move(padded);
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
