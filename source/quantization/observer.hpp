// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kernel/quantization/quantize.hpp"
#include "quantization/histogram.hpp"

namespace kuiper_infer::quantization {

/// How the range of a grid follows from the numbers that were seen.
enum class ObserverKind {
  kMinMax,      ///< all of them
  kPercentile,  ///< but for as large a share at each end as the percentile leaves
  kKl,          ///< the range whose rounded distribution diverges least from the numbers' own (Kullback and Leibler)
  kMse,         ///< the range with the least squared error
};

struct Observer {
  ObserverKind kind = ObserverKind::kMse;
  double percentile = 99.99;  ///< of kPercentile, above 50
};

/// "minmax", "percentile", "kl", "mse".
std::vector<std::string> ObserverNames();
/// The kind of that name. Throws Error(kArgument) for another.
ObserverKind ObserverOf(const std::string& name);

/// Whether a grid's step over this range, and zero, is a normal float32 number. It is not where all numbers are zero.
bool HoldsAGrid(double lowest, double highest);

/// The grid of the numbers 0 to 255 from `lowest` to `highest`, stretched to hold zero and moved by less than a step so
/// that zero is exact. Scale 1 where the range holds no grid.
kernel::QuantizationGrid GridOver(double lowest, double highest);

/// The grid that the observer chooses.
kernel::QuantizationGrid ChooseGrid(const Histogram& histogram, const Observer& observer);

}  // namespace kuiper_infer::quantization
