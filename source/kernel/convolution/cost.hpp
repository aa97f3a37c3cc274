// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>

#include "kernel/convolution/convolution.hpp"

namespace kuiper_infer::kernel {

/// The cost of a method that an estimate never chooses.
constexpr double kNotWorthwhile = std::numeric_limits<double>::infinity();

/// The work of a method that multiplies rows by the weight. Sizes count numbers.
struct MatrixWork {
  double rows;    ///< of the left factors
  double weight;  ///< size of all right factors
  double pieces;  ///< number of pieces, each of which reads the whole weight
  double others;  ///< time of all other work, in multiply-adds
  /// The time of reading a number of the weight from outside of the cache, in multiply-adds.
  double weight_read = 32;
};

/// Estimated time of a thread, in multiply-adds of one number: the products or the reading of the weight by each piece,
/// whichever takes longer, and the other work. A multiply-add of the products takes `product_time`.
inline double EstimateTime(const MatrixWork& work, int threads, double product_time) {
  constexpr double kCachedWeight = 256 * 1024;
  constexpr double kTileRows = 6;  // products of fewer rows leave the tiles' registers partly empty
  const double products = std::max(work.rows, kTileRows) * work.weight * product_time / threads;
  const double reading = work.weight > kCachedWeight ? work.pieces * work.weight * work.weight_read / threads : 0;
  return std::max(products, reading) + work.others / threads;
}

/// The work of a method that copies the elements under each window into a row (im2col); an element has `number_bytes`
/// bytes.
inline MatrixWork WindowWork(const ConvolutionGeometry& geometry, int64_t number_bytes) {
  // A byte that is copied takes as long as a multiply-add, one of the weight from beyond the cache as long as eight.
  const auto window_copy = static_cast<double>(number_bytes);
  const auto rows = static_cast<double>(geometry.batch * geometry.grid.position_count());
  const auto in = static_cast<double>(geometry.channels_in);
  const auto taps = static_cast<double>(geometry.grid.taps());
  const auto weight = static_cast<double>(geometry.channels_out * geometry.group_depth());
  return {rows, weight, 1, rows * taps * in * window_copy, 8 * window_copy};
}

}  // namespace kuiper_infer::kernel
