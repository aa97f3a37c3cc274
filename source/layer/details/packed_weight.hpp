// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernel/channels_last.hpp"
#include "layer/abstract/operation.hpp"

namespace kuiper_infer {

/// A constant weight in the order that the kernels read. All plans that use a weight share one, as long as any of them
/// lives.
struct PackedWeight {
  NdArray source;     ///< a constant that is no Weight: kept, so that nothing else can take its place in memory
  int64_t count = 0;  ///< of the constant's numbers that are packed
  NdArray packed;
  /// Brings the numbers back into the constant's order; empty where that can't be done.
  std::function<void(const float* packed, float* values)> unpack;

  const float* data() const { return packed.data<float>(); }
};

/// Packs a weight (rows, columns...) as the left factor of planar convolutions (kernel/packed_gemm.hpp): `groups`
/// matrices of rows / groups rows, one behind the other. Null where it is not a float32 constant or the kernels are not
/// made for this CPU.
std::shared_ptr<const PackedWeight> PackLeftWeight(const TensorArgument& weight, int64_t groups);

/// Packs the weight (outputs, features) of a linear layer (kernel/weight_product.hpp), or `count` rows of it. Null
/// where PackLeftWeight gives null.
std::shared_ptr<const PackedWeight> PackLinearWeight(const TensorArgument& weight);
std::shared_ptr<const PackedWeight> PackLinearWeight(const TensorArgument& weight, int64_t first, int64_t count);

/// Packs a weight (features, outputs), the right factor of a product. Null where PackLeftWeight gives null.
std::shared_ptr<const PackedWeight> PackMatrixWeight(const TensorArgument& weight);

/// Packs the weight of a convolution over channels-last images (kernel/channels_last.hpp). Null where PackLeftWeight
/// gives null.
std::shared_ptr<const PackedWeight> PackConvolutionWeight(const TensorArgument& weight,
                                                          const kernel::ChannelsLastConvolution& convolution);

/// Notes for a plan that its `run` reads the weight in these forms only; one behind the other they hold all of it.
/// Notes nothing where one is null.
void NotePacked(const TensorArgument& weight, const std::vector<std::shared_ptr<const PackedWeight>>& parts,
                std::vector<OperationPlan::PackedInput>& notes);

}  // namespace kuiper_infer
