// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>

namespace kuiper_infer {

/// What decisions of planning depend on beside operators and shapes.
struct PlanningContext {
  bool fuses = IsOn("KUIPER_FUSION");
  bool places = IsOn("KUIPER_PLACEMENT");

  static bool IsOn(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr || std::string(text) != "0";
  }
};

}  // namespace kuiper_infer
