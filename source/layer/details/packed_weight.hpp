// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "layer/abstract/arguments.hpp"

namespace kuiper_infer {

/// A constant weight in the order that the matrix kernels read (see kernel/packed_gemm.hpp). All plans that use a
/// weight share one, as long as any of them lives.
struct PackedWeight {
  NdArray source;  ///< kept, so that nothing else can take its place in memory
  NdArray packed;
  int64_t group_size = 0;  ///< floats of one group

  const float* group(int64_t index) const { return packed.data<float>() + index * group_size; }
};

/// Weight (rows, columns...) as a left factor: `groups` matrices of rows / groups rows. Null where it is not a float32
/// constant or the kernels are not made for this CPU.
std::shared_ptr<const PackedWeight> PackLeftWeight(const TensorArgument& weight, int64_t groups);

/// Weight (outputs, features) as the right factor of a linear layer. Null likewise.
std::shared_ptr<const PackedWeight> PackRightWeight(const TensorArgument& weight);

}  // namespace kuiper_infer
