// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/computation.hpp"
#include "operators/movement/movement.hpp"

namespace kuiper_infer {

/// Arrays copied side by side into one result. What lies at its place in the result already is not copied.
class Join : public Computation {
 public:
  /// Where in the result, in elements, an input begins.
  struct Piece {
    int input = -1;  ///< of RunContext
    int64_t offset = 0;
  };
  Join(std::vector<Piece> pieces, std::vector<CopyStep> steps) : pieces_(std::move(pieces)), steps_(std::move(steps)) {}

  const std::vector<Piece>& pieces() const { return pieces_; }

  KernelCall MakeCall(const Fusion& /*fusion*/, const PlanningContext& /*context*/) const override {
    KernelCall call;
    call.run = [steps = steps_](const RunContext& c) {
      for (const CopyStep& step : steps) step.Run(c);
    };
    return call;
  }

 private:
  std::vector<Piece> pieces_;
  std::vector<CopyStep> steps_;
};

}  // namespace kuiper_infer
