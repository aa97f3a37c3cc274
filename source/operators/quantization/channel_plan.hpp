// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "kernel/quantization/channel_grids.hpp"
#include "operation/composition.hpp"

namespace kuiper_infer {

/// The quantisation parameters of an operation: arrays of one element, or of one for each index of an axis, which may
/// be computed.
struct ChannelParameters {
  TensorArgument scales;       ///< float32
  TensorArgument zero_points;  ///< int32, or float32 if fractions are kept
  kernel::ChannelGrids grids;  ///< sizes and bounds
};

/// Whether there are parameters for each index of an axis: the schema has `axis`.
bool HasChannels(const Arguments& arguments);

/// Reads the arguments `scale`, `zero_point` (None: 0), `quant_min`, `quant_max` and, if HasChannels, `axis`.
/// Throws Error if they don't fit the shape of the argument `input` or the bounds don't ascend. Conversions of the
/// parameters become steps of the composition. Floating zero points lose their fractions unless `keeps_fractions`.
ChannelParameters ReadChannelParameters(Composition& composition, bool keeps_fractions = false);

/// Adds a call on an array and the parameters to a composition: `run(grids, input, output)`, whose result has the
/// input's shape and this element type.
using ChannelRun = std::function<void(const kernel::ChannelGrids& grids, const void* input, void* output)>;
TensorArgument ApplyChannels(Composition& composition, const ChannelParameters& parameters, const TensorArgument& input,
                             RuntimeDataType type, const ChannelRun& run);

}  // namespace kuiper_infer
