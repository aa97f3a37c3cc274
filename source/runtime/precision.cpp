// SPDX-License-Identifier: MIT
#include "runtime/precision.hpp"

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer {

std::vector<std::string> PrecisionNames() { return {"highest", "high", "medium"}; }

std::string PrecisionName(Precision precision) { return PrecisionNames().at(static_cast<std::size_t>(precision)); }

Precision PrecisionOf(const std::string& name) {
  const std::vector<std::string> names = PrecisionNames();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Precision>(i);
  }
  throw Error(ErrorCode::kArgument, "the precision is '" + name + "', expected highest, high or medium");
}

}  // namespace kuiper_infer
