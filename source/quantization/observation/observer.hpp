// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kernel/quantization/quantize.hpp"
#include "quantization/observation/histogram.hpp"

namespace kuiper_infer::quantization {

/// The rule that chooses the range of a grid from the numbers in the samples.
enum class ObserverKind {
  kMinMax,      ///< all numbers
  kPercentile,  ///< all numbers except the share at each end that the percentile leaves out
  kKl,          ///< the range whose rounded distribution diverges least from the numbers' own (Kullback and Leibler)
  kMse,         ///< the range with the least squared error
};

struct Observer {
  ObserverKind kind = ObserverKind::kMse;
  double percentile = 99.99;  ///< for kPercentile; above 50
};

/// "minmax", "percentile", "kl", "mse".
std::vector<std::string> ObserverNames();
/// The kind of that name. Throws Error(kArgument) for any other name.
ObserverKind ObserverOf(const std::string& name);

/// Whether the scale of a grid over this range and zero is a normal float32 number. It is not if all numbers are zero.
bool HoldsAGrid(double lowest, double highest);

/// The grid with q from 0 to 255 over the range from `lowest` to `highest`. The range is stretched to hold zero, and
/// shifted by less than the scale so that zero is exact. If the range is too small for a grid, the scale is 1.
kernel::QuantizationGrid GridOver(double lowest, double highest);

/// The grid that the observer chooses.
kernel::QuantizationGrid ChooseGrid(const Histogram& histogram, const Observer& observer);

}  // namespace kuiper_infer::quantization
