// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "quantization/candidate.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::quantization {

/// How alike the outputs of two models are.
struct Likeness {
  std::optional<double> kept;      ///< share of the answers of the first output that stay the same, if it has answers
  std::string answers;             ///< what they are
  std::optional<double> decibels;  ///< signal-to-noise ratio of the output where it is least; none where all that the
                                   ///< outputs hold is zeros
};

/// Compares the outputs on all samples. The first output has an answer at each place along all axes but `axis`
/// (negative ones count from the end): the index of the largest element along that one, unless all are equal. Without
/// `axis` it is the last one of more than one element; where none has, there are no answers. Of an output of integers
/// or bools, each element is an answer. An output of another shape has no answer right. Throws Error(kArgument) where
/// there is no axis `axis`, Error(kInput) naming the sample where an output of `wanted`, the float model, holds a NaN.
Likeness CompareOutputs(RuntimeGraph& wanted, RuntimeGraph& found, const Samples& samples, std::optional<int64_t> axis,
                        const Progress& progress);

/// What a quantised model has to reach.
struct Gate {
  std::string name;     ///< of what is measured, for messages
  double at_least = 0;  ///< the measured number that is enough
  std::function<double(std::unique_ptr<pnnx::Graph>)> measure;

  bool Holds(double measured) const { return measured >= at_least; }
};

/// Gates on Likeness::kept and Likeness::decibels of the model's outputs. Measuring throws Error(kArgument) where the
/// samples give none.
Gate KeepGate(const FloatModel& model, const Samples& samples, double share, std::optional<int64_t> axis,
              const Progress& progress);
Gate DecibelGate(const FloatModel& model, const Samples& samples, double decibels, const Progress& progress);

}  // namespace kuiper_infer::quantization
