// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "data/cube_extents.hpp"
#include "kuiper_infer/data/tensor.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

template <class T>
void Tensor<T>::Reshape(const std::vector<uint32_t>& shapes, bool row_major) {
  const auto count = static_cast<std::size_t>(ElementCount(Shape(shapes.begin(), shapes.end())));
  if (count != size()) {
    throw Error(ErrorCode::kShape,
                "cannot reshape a tensor of shape " + ExtentsString(this->shapes()) + " to " + ExtentsString(shapes));
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
    throw Error(ErrorCode::kShape, "tensor of shape " + ExtentsString(shapes()) + " is too long to flatten");
  Reshape({static_cast<uint32_t>(size())}, row_major);
}

template <class T>
void Tensor<T>::Padding(const std::vector<uint32_t>& pads, T padding_value) {
  if (pads.size() != 4) {
    throw Error(ErrorCode::kShape, "Padding takes {up, bottom, left, right}, " + std::to_string(pads.size()) +
                                       " values are given for a tensor of shape " + ExtentsString(shapes()));
  }
  const auto grown = [this](uint32_t extent, uint64_t before, uint64_t after) {
    const uint64_t sum = extent + before + after;
    if (sum > UINT32_MAX) {
      throw Error(ErrorCode::kShape, "Padding: an extent of " + std::to_string(sum) + " for a tensor of shape " +
                                         ExtentsString(shapes()) + " is too large");
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

}  // namespace kuiper_infer
