// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "kernel/indexing/gather.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer {

/// The numbers that stand for one axis in x[i, j, ...]: an argument that the run reads, or numbers known already.
struct IndexNumbers {
  int input = -1;
  std::shared_ptr<const std::vector<int64_t>> known;
  TensorSpec spec;

  ConstArrayView View(const RunContext& context) const;
};

/// NumPy's advanced indexing: index arrays for some axes, broadcast against each other; axes without one are taken
/// whole. The result has the common shape of the index arrays where the first of their axes was (in front, where axes
/// without one lie between them) and the other axes in their order.
class AdvancedIndex {
 public:
  /// Reads argument `name`: the text of a bracketed list ("[None,[1,0]]"), or a list of None, arrays and numbers. A
  /// bool array stands for the positions of its true elements along as many axes as it has; its contents must be known.
  /// Sets needs_values() where they are not; nothing else is valid then.
  AdvancedIndex(const Arguments& arguments, const char* name, const TensorSpec& input);

  bool needs_values() const { return needs_values_; }
  /// The shape of x[...].
  const Shape& shape() const { return shape_; }
  int64_t workspace_bytes() const;

  /// A walk over (index offsets, an array that is read or written under shape(), the indexed array), as Gather needs
  /// it, whose output the second array is, and Scatter, whose source it is. `strides` are those of the second array.
  RowLoop<3> GatherLoop(const Strides& strides) const;
  RowLoop<3> ScatterLoop(const Strides& strides) const;
  /// What offsets may be: they count elements from the indexed array's start.
  kernel::IndexedAxis offset_range() const { return {INT64_MAX, 1, false}; }

  /// Computes the offset of each combination of index numbers into the workspace; throws Error(kInput) where a number
  /// is out of range.
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
