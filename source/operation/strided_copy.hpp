// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"
#include "shape/slice.hpp"

namespace kuiper_infer {

/// Copies an argument, or a view of it, into a view of the plan's only output, which is new. The source is broadcast;
/// the constructors throw Error if the shapes don't fit.
struct StridedCopy {
  StridedCopy(const TensorArgument& source, StridedView target);
  StridedCopy(const TensorArgument& source, const StridedView& part, StridedView target);

  /// Copies. Does nothing if the source is in its place in the output already.
  void Run(const RunContext& context) const;

  int input;
  TensorSpec from;
  int64_t from_offset;
  StridedView to;
  TensorSpec to_spec;  ///< for outputs of the source's type
};

}  // namespace kuiper_infer
