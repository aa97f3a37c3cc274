// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "kernel/product/format/weight_format.hpp"
#include "operation/arguments.hpp"
#include "operation/weights/weight.hpp"

namespace kuiper_infer {

/// A weight whose numbers a file holds as integers, in one of kernel::StoredFormats(). A row is an index of the first
/// axis; each of its groups, equal parts of the row, has parameters. Operators see float32. An operator that can
/// compute with the integers asks for them by QuantizedForm.
struct QuantizedWeight {
  TensorSpec spec;                   ///< float32, of the numbers
  std::shared_ptr<Weight> integers;  ///< as the format stores them
  /// (rows, groups, the format's parameters), float16 if the file has them so, else float32.
  std::shared_ptr<Weight> parameters;
  const kernel::WeightFormat* format = nullptr;

  int64_t rows() const { return spec.shape[0]; }
  int64_t row_size() const { return rows() > 0 ? spec.size() / rows() : 0; }
  int64_t groups() const { return parameters->spec().shape[1]; }  ///< of a row, all of one size

  /// The parameters in float32.
  NdArray FloatParameters() const { return parameters->values().To(RuntimeDataType::kTypeFloat32); }

  /// All numbers, made anew.
  NdArray Numbers() const;
};

/// The integers in which a weight is stored; null if the argument is no weight or is stored as floats.
std::shared_ptr<const QuantizedWeight> QuantizedForm(const TensorArgument& weight);

/// The integers of a weight in kernel::kInt8Format, which int8 products read; null for an argument in any other format.
std::shared_ptr<const QuantizedWeight> ChannelIntegers(const TensorArgument& weight);

/// The weights of an operator as attributes, by name.
using Weights = std::map<std::string, std::shared_ptr<Weight>>;

/// Joins each weight X that is stored in integers with what stands beside it: the attributes of its format's parameters
/// (X.q_per_channel_scales, for example), and perhaps `X.q_per_channel_zero_points`, as PyTorch's export has them. What
/// is left are float32 weights without these attributes. Throws BindError that names the attribute at fault.
void JoinQuantizedWeights(Weights& weights);

}  // namespace kuiper_infer
