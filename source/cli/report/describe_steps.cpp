// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "cli/operator_kind.hpp"
#include "cli/report/descriptions.hpp"

namespace kuiper_infer::cli {

nlohmann::json DescribeSteps(const Steps& steps) {
  nlohmann::json described = nlohmann::json::array();
  for (const auto& step : steps) {
    described.push_back({{"name", step.name},
                         {"type", step.type},
                         {"kind", KindOf(step.type).id},
                         {"method", step.method},
                         {"shape", step.output},
                         {"stored", TypeName(step.stored)},
                         {"channels_last", step.channels_last},
                         {"seconds", step.seconds},
                         {"multiply_adds", step.multiply_adds},
                         {"bytes", step.bytes},
                         {"live_bytes", step.live_bytes}});
  }
  return described;
}

}  // namespace kuiper_infer::cli
