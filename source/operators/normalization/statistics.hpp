// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operators/elementwise/formula.hpp"

namespace kuiper_infer {

/// The mean, and the reciprocal of the standard deviation.
struct RowStatistics {
  TensorArgument mean;
  TensorArgument deviation;
};

/// Adds the statistics of an array along axes to a composition whose outer operation has an argument `eps`.
inline RowStatistics ComputeStatistics(Composition& composition, const TensorArgument& x,
                                       const std::vector<int64_t>& axes, bool keepdim) {
  const std::vector<TensorArgument> spread =
      composition.CallAll("torch.var_mean", {{"input", x}, {"dim", axes}, {"correction", 0}, {"keepdim", keepdim}}, 2);
  return {spread[1], ApplyFormula(composition, "rsqrt(add(variance, eps))",
                                  {{"variance", spread[0]}, {"eps", composition.outer().Float("eps")}})};
}

}  // namespace kuiper_infer
