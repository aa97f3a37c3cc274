// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "operation/arguments.hpp"
#include "operation/weight.hpp"

namespace kuiper_infer {

/// A weight whose numbers are stored in 8 or 4 bits: number i of row r is q * scale, where the scale is that of its
/// group, a part of the row. A row is an index of the first axis. For every operator such a weight is one of float32
/// numbers (Weight::quantized tells more to those who want it).
struct QuantizedWeight {
  TensorSpec spec;                   ///< float32, of the numbers
  std::shared_ptr<Weight> integers;  ///< int8 in that shape; with 4 bits uint8 of half as many columns
  NdArray scales;                    ///< float32 (rows, groups), positive and finite
  int bits = 8;                      ///< 4: two numbers a byte, the even one in the low bits, each stored as q + 8

  int64_t rows() const { return spec.shape[0]; }
  int64_t row_size() const { return rows() > 0 ? spec.size() / rows() : 0; }
  int64_t groups() const { return scales.shape()[1]; }  ///< of a row, all of one size

  /// All numbers, made anew.
  NdArray Numbers() const;
};

/// The integers in which an argument is stored; null for all but weights that are.
std::shared_ptr<const QuantizedWeight> QuantizedForm(const TensorArgument& weight);

/// The weights of an operator as attributes, by name.
using Weights = std::map<std::string, std::shared_ptr<Weight>>;

/// Joins each weight X that is stored in integers with what stands beside it: `X.q_per_channel_scales` (one for each
/// row) and perhaps `X.q_per_channel_zero_points`, as PyTorch's export has them, or `X.q_group_scales` (rows, groups).
/// What is left are float32 weights without these attributes. Throws BindError that names the attribute at fault.
void JoinQuantizedWeights(Weights& weights);

}  // namespace kuiper_infer
