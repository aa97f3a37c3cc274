// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace kuiper_infer::text {

/// A token in an order: by `key`, which is 0 or more, then by `token`.
struct RankedToken {
  float key;
  int32_t token;
  float weight;
};

struct CoveringToken {
  RankedToken token{};
  bool covers = false;  ///< false if all weights together are less than needed; `token` is the last one then
};

/// The first of the tokens, in their order, at which the sum of the weights and of `before` reaches `needed`. There is
/// at least one, and they come in the order of their numbers; they are changed. The time is proportional to their
/// number.
CoveringToken FindCovering(RankedToken* first, RankedToken* last, double before, double needed);

}  // namespace kuiper_infer::text
