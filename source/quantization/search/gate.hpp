// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "quantization/observation/samples.hpp"
#include "quantization/search/candidate.hpp"

namespace kuiper_infer::quantization {

/// The agreement of the outputs of two models.
struct OutputAgreement {
  std::optional<double> kept;      ///< share of equal answers in the first output; none if it has no answers
  std::string answers;             ///< what the answers are, as text
  std::optional<double> decibels;  ///< signal-to-noise ratio of the output that has the lowest; none if all outputs are
                                   ///< zeros
};

/// Compares the outputs on all samples. An answer is the index of the largest element along `axis` of the first output,
/// at each place along all other axes, unless all elements there are equal. A negative `axis` counts from the end.
/// Without `axis` it is the last axis of more than one element; if there is none, there are no answers. Each element of
/// an output of integers or bools is an answer. If the shapes of an output differ, all of its answers are wrong. Throws
/// Error(kArgument) if there is no axis `axis`, and Error(kInput) that names the sample if an output of `wanted`, the
/// float model, holds a NaN.
OutputAgreement CompareOutputs(RuntimeGraph& wanted, RuntimeGraph& found, const Samples& samples,
                               std::optional<int64_t> axis, const Progress& progress);

/// A number that a quantised model has to reach.
struct Gate {
  std::string name;     ///< name of the measured number, for messages
  double at_least = 0;  ///< the smallest number that passes
  std::function<double(std::unique_ptr<pnnx::Graph>)> measure;

  bool Holds(double measured) const { return measured >= at_least; }
};

/// Gates on OutputAgreement::kept and OutputAgreement::decibels. Measuring throws Error(kArgument) if the samples give
/// no such number.
Gate KeepGate(const FloatModel& model, const Samples& samples, double share, std::optional<int64_t> axis,
              const Progress& progress);
Gate DecibelGate(const FloatModel& model, const Samples& samples, double decibels, const Progress& progress);

}  // namespace kuiper_infer::quantization
