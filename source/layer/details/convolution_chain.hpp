// SPDX-License-Identifier: MIT
#pragma once

#include "layer/abstract/operation.hpp"

namespace kuiper_infer {

/// What runs convolutions one behind the other, without writing whole images between them (see
/// kernel/convolution_chain.hpp); the method run_fused of a plan. Null where they can't, or it would not pay.
/// `threads` run it; `workspace_bytes` becomes what the run needs.
std::function<std::function<void(const RunContext&)>(const Fusion&)> ChainConvolutions(
    const std::vector<ConvolutionStage>& stages, int threads, int64_t& workspace_bytes);

}  // namespace kuiper_infer
