// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <random>
#include <type_traits>

#include "data/cube_extents.hpp"
#include "kuiper_infer/data/tensor.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

inline std::mt19937& Generator() {
  thread_local std::mt19937 generator(std::random_device{}());
  return generator;
}

template <class T>
void Tensor<T>::CheckCount(const char* what, std::size_t count) const {
  if (count != size()) {
    throw Error(ErrorCode::kShape, std::string(what) + ": " + std::to_string(count) +
                                       " elements for a tensor of shape " + ExtentsString(shapes()) + ", expected " +
                                       std::to_string(size()));
  }
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

}  // namespace kuiper_infer
