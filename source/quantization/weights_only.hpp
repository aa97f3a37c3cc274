// SPDX-License-Identifier: MIT
#pragma once

#include "quantization/quantize_model.hpp"
#include "quantization/search/candidate.hpp"

namespace kuiper_infer::quantization {

/// The form in which weights are stored if arrays stay in float.
struct WeightForm {
  int bits = 8;             ///< 8 or 4
  int64_t group = 0;        ///< count of numbers that share parameters; 0: a whole row
  bool asymmetric = false;  ///< whether integers are counted from a minimum instead of zero
};

/// Stores the weights of embeddings and of linear layers, including those inside of attention, as integers in one of
/// kernel::StoredFormats(). A weight that is an operator of its own (pnnx.Attribute), and that embeddings and linear
/// layers alone read, stays one and is stored once. If the group does not divide the length of a row, the row is one
/// group. With 4 bits, a weight whose rows have an odd number of elements stays in float. Throws Error(kArgument) if
/// there is no format of that form, or if the model has no weights of these kinds.
QuantizedModel StoreWeights(const FloatModel& model, const WeightForm& form);

}  // namespace kuiper_infer::quantization
