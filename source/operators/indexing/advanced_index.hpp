// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "kernel/indexing/gather.hpp"
#include "operation/operation.hpp"
#include "operators/indexing/index_numbers.hpp"

namespace kuiper_infer {

/// NumPy's advanced indexing: some axes have index arrays, which are broadcast against each other; all other axes are
/// taken whole. In the result, the common shape of the index arrays takes the place of the first of their axes, or
/// comes first if axes without an index array lie between them. The other axes keep their order.
class AdvancedIndex {
 public:
  /// Reads argument `name`: the text of a bracketed list ("[None,[1,0]]"), or a list of None, arrays and numbers. A
  /// bool array stands for the positions of its true elements along as many axes as it has, so its contents must be
  /// known. If they are not, needs_values() is true, and nothing else is valid.
  AdvancedIndex(const Arguments& arguments, const char* name, const TensorSpec& input);

  bool needs_values() const { return needs_values_; }
  /// The shape of x[...].
  const Shape& shape() const { return shape_; }
  int64_t workspace_bytes() const;

  /// The loop over three arrays for Gather and Scatter: index offsets, an array of the shape shape(), and the indexed
  /// array. The second array is Gather's output or Scatter's source; `strides` are its strides.
  RowLoop<3> GatherLoop(const Strides& strides) const;
  RowLoop<3> ScatterLoop(const Strides& strides) const;
  /// The range of offsets, which count elements from the indexed array's start.
  kernel::IndexedAxis offset_range() const { return {INT64_MAX, 1, false}; }

  /// The rows of the indexed array that are chosen, if a run reads one vector of their numbers.
  std::optional<ChangedRows> Rows(const TensorSpec& input) const;

  /// Computes the offset of each combination of index numbers, in the workspace. Throws Error(kInput) if a number is
  /// out of range.
  const int64_t* ComputeOffsets(const RunContext& context) const;

 private:
  struct IndexedBy {
    int64_t axis;
    kernel::IndexedAxis range;
    IndexNumbers numbers;
  };

  void AddMask(const NdArray& mask, const Arguments& arguments, const TensorSpec& input, int64_t axis);
  void AddNumbers(IndexNumbers numbers, const Arguments& arguments, const TensorSpec& input, int64_t axis);
  void PlaceAxes(const TensorSpec& input);

  bool needs_values_ = false;
  std::vector<IndexedBy> indices_;
  Shape common_;  ///< of the index arrays
  Shape shape_;
  Strides offset_strides_;  ///< of the offsets under shape_
  Strides array_strides_;   ///< of the indexed array under shape_, 0 along the index arrays' axes
};

}  // namespace kuiper_infer
