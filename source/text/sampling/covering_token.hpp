// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace kuiper_infer::text {

/// A token in an order: by `key`, which is 0 or more, then by `token`.
struct RankedToken {
  float key = 0;
  int32_t token = 0;
  float weight = 0;
};

struct CoveringToken {
  RankedToken token;
  bool covers = false;  ///< false if all weights together are less than needed; `token` is the last one then
};

/// The first of `tokens`, in their order, at which the sum of the weights and of `before` reaches `needed`. `tokens` has
/// at least one, and comes in the order of their numbers. Changes `tokens`. The time is proportional to their number.
CoveringToken FindCovering(std::vector<RankedToken>& tokens, double before, double needed);

}  // namespace kuiper_infer::text
