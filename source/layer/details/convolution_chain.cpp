// SPDX-License-Identifier: MIT
#include "layer/details/convolution_chain.hpp"

#include "kernel/convolution_chain.hpp"
#include "layer/details/channels_last_convolution.hpp"

namespace kuiper_infer {

std::function<std::function<void(const RunContext&)>(const Fusion&)> ChainConvolutions(
    const std::vector<ConvolutionStage>& stages, int threads, int64_t& workspace_bytes) {
  kernel::ConvolutionChain chain;
  if (stages.size() < 2 || stages.size() > chain.stages.size()) return nullptr;
  for (const ConvolutionStage& stage : stages) {
    if (!kernel::CanBeChained(stage.convolution)) return nullptr;
    if (&stage != &stages.back() && !kernel::IsWorthChaining(stage.convolution)) return nullptr;
    kernel::AddStage(stage.convolution, threads, chain);
  }
  workspace_bytes = chain.workspace_bytes;
  const int64_t channel_axis = stages.back().channel_axis;
  return [chain, stages, channel_axis](const Fusion& fusion) -> std::function<void(const RunContext&)> {
    if (fusion.factor >= 0 || !CanAdd(fusion, channel_axis)) return nullptr;
    return [=](const RunContext& c) {
      std::array<kernel::ChannelsLastArrays, kernel::ConvolutionChain::kMost> arrays;
      for (std::size_t i = 0; i < stages.size(); ++i) {
        arrays[i].weight = stages[i].weight.get();
        arrays[i].bias = stages[i].bias >= 0 ? c.inputs[stages[i].bias].as<float>() : nullptr;
        arrays[i].activation = stages[i].activation;
      }
      arrays[0].input = c.inputs[stages.front().image].as<float>();
      kernel::ChannelsLastArrays& last = arrays[stages.size() - 1];
      SetResult(c, fusion, channel_axis, last);
      last.workspace = c.workspace;
      kernel::ConvolveChain(chain, arrays);
    };
  };
}

}  // namespace kuiper_infer
