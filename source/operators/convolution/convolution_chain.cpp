// SPDX-License-Identifier: MIT
#include "operators/convolution/convolution_chain.hpp"

#include <algorithm>
#include <array>

#include "kernel/convolution/convolution_chain.hpp"
#include "kernel/convolution/convolution_method.hpp"
#include "operation/weights/packed_weight.hpp"
#include "operators/convolution/channels_last_arrays.hpp"

namespace kuiper_infer {

std::shared_ptr<const ConvolutionChain> ConvolutionChain::Join(const std::shared_ptr<const Computation>& first,
                                                               const kernel::Activation& between, int first_inputs,
                                                               const std::shared_ptr<const Convolution>& second,
                                                               const PlanningContext& context) {
  auto chain = std::make_shared<ConvolutionChain>();
  if (const auto* before = dynamic_cast<const ConvolutionChain*>(first.get())) {
    *chain = *before;
  } else if (auto convolution = std::dynamic_pointer_cast<const Convolution>(first)) {
    chain->stages_ = {{std::move(convolution), 0, {}}};
  } else {
    return nullptr;
  }
  if (chain->stages_.size() >= kernel::ConvolutionChain::kMost) return nullptr;
  chain->stages_.back().activation = between;
  chain->stages_.push_back({second, first_inputs - 1, {}});
  const bool possible = std::all_of(chain->stages_.begin(), chain->stages_.end(), [&](const Stage& stage) {
    const auto planned = stage.convolution->InPlace(context);
    return planned && kernel::CanBeChained(*planned, &stage == &chain->stages_.front()) &&
           (&stage == &chain->stages_.back() || kernel::IsWorthChaining(*planned));
  });
  chain->passes_bfloat16_ = std::all_of(chain->stages_.begin(), chain->stages_.end(), [&](const Stage& stage) {
    return (&stage == &chain->stages_.back() || stage.convolution->WritesBFloat16(context)) &&
           (&stage == &chain->stages_.front() || stage.convolution->ReadsBFloat16(context));
  });
  return possible ? chain : nullptr;
}

bool ConvolutionChain::CanFuse(const Fusion& fusion) const {
  return fusion.factor < 0 && !fusion.result.grid && CanAdd(fusion, stages_.back().convolution->channel_axis());
}

KernelCall ConvolutionChain::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  KernelCall call;
  kernel::ConvolutionChain chain;
  if (passes_bfloat16_) chain.between = RuntimeDataType::kTypeBFloat16;
  std::vector<std::shared_ptr<const PackedWeight>> weights;
  for (const Stage& stage : stages_) {
    const kernel::ChannelsLastConvolution convolution = *stage.convolution->InPlace(context);
    kernel::AddStage(convolution, context.threads, chain);
    TensorArgument weight = stage.convolution->arguments().weight;
    weights.push_back(PackConvolutionWeight(context, weight, convolution));
    weight.input += stage.first_input;
    NotePacked(weight, {weights.back()}, call.packed_inputs);
    call.multiply_adds += convolution.geometry.multiply_adds();
    const kernel::ConvolutionChoice choice{convolution.method, convolution.product};
    call.method += (call.method.empty() ? "" : " > ") + choice.Name();
  }
  call.workspace_bytes = chain.workspace_bytes;
  call.run = [chain, weights, fusion, stages = stages_](const RunContext& c) {
    std::array<kernel::ChannelsLastArrays, kernel::ConvolutionChain::kMost> arrays;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      arrays[i].weight = weights[i]->packed.raw();
      const int bias = stages[i].convolution->arguments().bias_input();
      arrays[i].bias = bias >= 0 ? c.inputs[stages[i].first_input + bias].as<float>() : nullptr;
      arrays[i].activation = stages[i].activation;
    }
    const Convolution& first = *stages.front().convolution;
    const int input = first.arguments().input.input;
    arrays[0].input = c.inputs[input].data;
    arrays[0].input_type = fusion.InputStorage(input).type;
    kernel::ChannelsLastArrays& last = arrays[stages.size() - 1];
    SetResult(c, fusion, stages.back().convolution->channel_axis(), last);
    last.workspace = c.workspace;
    kernel::ConvolveChain(chain, arrays);
  };
  return call;
}

}  // namespace kuiper_infer
