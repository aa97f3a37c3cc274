// SPDX-License-Identifier: MIT
#pragma once

#include "quantization/candidate.hpp"
#include "quantization/quantize_model.hpp"

namespace kuiper_infer::quantization {

/// In which form weights are stored where arrays stay in float.
struct WeightForm {
  int bits = 8;       ///< 8 or 4
  int64_t group = 0;  ///< numbers that share a scale; 0: all of a row
};

/// Stores the weights of linear layers (those inside of attention, too) and embeddings in integers. Rows that the group
/// doesn't divide have one scale; those of an odd number of elements stay in float in 4 bits. Throws Error(kArgument)
/// where the model has no such weights.
QuantizedModel StoreWeights(const FloatModel& model, const WeightForm& form);

}  // namespace kuiper_infer::quantization
