// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "operation/operation.hpp"

namespace kuiper_infer {

/// The index numbers for one axis in x[i, j, ...]: an argument that the run reads, or numbers that are known already.
struct IndexNumbers {
  int input = -1;
  std::shared_ptr<const std::vector<int64_t>> known;
  TensorSpec spec;

  ConstArrayView View(const RunContext& context) const;
};

/// The items of the index list in argument `name`: a text is parsed first, and an array alone is the only item.
std::vector<Argument> ReadIndexItems(const Arguments& arguments, const char* name);

/// A copy of an array's elements as index numbers.
IndexNumbers KnownNumbers(const NdArray& array);

/// The positions of the true elements of a bool array: a vector of index numbers for each axis.
std::vector<IndexNumbers> MaskPositions(const NdArray& mask);

}  // namespace kuiper_infer
