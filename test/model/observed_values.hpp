// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kuiper_infer/data/ndarray.hpp"

namespace kuiper_infer::test {

/// Returns whether the results hold only elements of the sources, zeros, and NaN.
bool HoldElementsOf(const std::vector<NdArray>& sources, const std::vector<NdArray>& results);

/// The observations of the operators of one type in all cases of test/data/op_cases.
struct ObservedValues {
  /// Numbers of operators with a floating result that is not zero everywhere: operators whose results hold only
  /// elements of the inputs and zeros, and all other ones.
  int preserving = 0;
  int computing = 0;
  std::vector<std::string> claimed;  ///< the cases in which the table says that the operator preserves values
  std::vector<std::string> broken;   ///< the claimed cases in which it doesn't
};

/// Runs all cases with every operand kept, and observes each operator. Returns the observations by type.
std::map<std::string, ObservedValues> ObserveCases();

}  // namespace kuiper_infer::test
