// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "operators/convolution/channels_last_convolution.hpp"

namespace kuiper_infer {

/// Convolutions one behind the other that run without writing whole images between them
/// (kernel/convolution/convolution_chain.hpp). RunContext has the inputs of the first stage, and then those of each
/// later stage without its image.
class ConvolutionChain : public Computation {
 public:
  /// Chains `second` behind `first`, a convolution or a chain that applies `between` to its result and reads
  /// `first_inputs` arrays. Returns null if they can't be chained or if it would not pay.
  static std::shared_ptr<const ConvolutionChain> Join(const std::shared_ptr<const Computation>& first,
                                                      const kernel::Activation& between, int first_inputs,
                                                      const std::shared_ptr<const Convolution>& second,
                                                      const PlanningContext& context);

  bool CanFuse(const Fusion& fusion) const override;
  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& context) const override;

 private:
  struct Stage {
    std::shared_ptr<const Convolution> convolution;
    int first_input = 0;            ///< RunContext input that would be the stage's image; its other inputs follow
    kernel::Activation activation;  ///< of a stage that is not the last
  };
  std::vector<Stage> stages_;
  bool passes_bfloat16_ = false;  ///< images between stages are bfloat16
};

}  // namespace kuiper_infer
