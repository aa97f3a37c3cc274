// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/build_options.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

Precision PrecisionOf(const std::string& name) {
  if (name == "highest") return Precision::kHighest;
  if (name == "high") return Precision::kHigh;
  if (name == "medium") return Precision::kMedium;
  throw Error(ErrorCode::kArgument, "the precision is '" + name + "', expected highest, high or medium");
}

}  // namespace kuiper_infer
