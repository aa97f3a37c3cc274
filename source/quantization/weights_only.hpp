// SPDX-License-Identifier: MIT
#pragma once

#include "quantization/candidate.hpp"
#include "quantization/quantize_model.hpp"

namespace kuiper_infer::quantization {

/// The form in which weights are stored if arrays stay in float.
struct WeightForm {
  int bits = 8;             ///< 8 or 4
  int64_t group = 0;        ///< numbers that share parameters; 0: all of a row
  bool asymmetric = false;  ///< integers are counted from a minimum instead of zero
};

/// Stores the weights of linear layers (those inside of attention, too) and embeddings as integers, in one of
/// kernel::StoredFormats(). Rows that the group doesn't divide are one group; in 4 bits, rows of an odd number of
/// elements stay in float. Throws Error(kArgument) if there is no such format or the model has no such weights.
QuantizedModel StoreWeights(const FloatModel& model, const WeightForm& form);

}  // namespace kuiper_infer::quantization
