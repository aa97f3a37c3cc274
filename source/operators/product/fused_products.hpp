// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operators/product/rows_times_weights.hpp"

namespace kuiper_infer {

/// Several products of one input, such as queries, keys and values, as one call with an output for each. It is one
/// parallel region instead of several, and reads and prepares the input once.
class FusedProducts : public Computation {
 public:
  /// The most products of a call.
  static constexpr std::size_t kMost = 8;

  /// All products have the same input; none has a residual.
  explicit FusedProducts(std::vector<FusedProduct> parts) : parts_(std::move(parts)) {}

  /// `fusion` tells how the input is stored; the results are as the parts say.
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

 private:
  std::vector<FusedProduct> parts_;
};

}  // namespace kuiper_infer
