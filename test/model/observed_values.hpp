// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::test {

/// Whether the results hold nothing but elements of the sources, zeros, and NaN.
bool HoldElementsOf(const std::vector<NdArray>& sources, const std::vector<NdArray>& results);

/// What the operators of one type gave in all cases of test/data/op_cases.
struct ObservedValues {
  /// Operators with a floating result that is not zero everywhere, by whether all results hold nothing but elements of
  /// the inputs and zeros.
  int preserving = 0;
  int computing = 0;
  std::vector<std::string> claimed;  ///< the cases in which the table says that the operator preserves values
  std::vector<std::string> broken;   ///< those among them in which it doesn't
};

/// Runs all cases with every operand kept, and looks at each of their operators. By type.
std::map<std::string, ObservedValues> ObserveCases();

}  // namespace kuiper_infer::test
