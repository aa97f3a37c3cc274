// SPDX-License-Identifier: MIT
#include "text/generation/decoder_facts.hpp"

#include <algorithm>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::text {
namespace {

std::string Described(const Model& model) {
  std::string text = "its inputs are";
  for (const Model::Input& input : model.inputs()) text += " " + input.name + " " + SpecString(input.spec);
  text += ", its outputs";
  for (const Model::Output& output : model.outputs()) {
    for (const TensorSpec& spec : output.specs) text += " " + output.name + " " + SpecString(spec);
  }
  return text + ", and it has " + std::to_string(model.states().size()) + " states";
}

bool TakesTokens(const Model& model) {
  if (model.inputs().size() != 1) return false;
  const TensorSpec& spec = model.inputs().front().spec;
  return spec.type == RuntimeDataType::kTypeInt64 && spec.rank() == 2 && (spec.shape[0] == 1 || spec.shape[0] == -1);
}

bool GivesLogits(const Model& model) {
  if (model.outputs().size() != 1 || model.outputs().front().specs.size() != 1) return false;
  const TensorSpec& spec = model.outputs().front().specs.front();
  return spec.type == RuntimeDataType::kTypeFloat32 && spec.rank() == 3 && spec.shape[2] > 0;
}

}  // namespace

DecoderFacts FactsOf(const Model& model) {
  const std::vector<RuntimeGraph::State> states = model.states();
  const bool grows = std::any_of(states.begin(), states.end(), [](const auto& state) { return state.axis >= 0; });
  if (!TakesTokens(model) || !GivesLogits(model) || !grows) {
    throw Error(ErrorCode::kUnsupported,
                "the model is no decoder: " + Described(model) +
                    "; expected one input of tokens, int64 (1,n), one output of logits, float32 (1,n,vocabulary), and "
                    "states that grow (docs/decoders.md)");
  }
  DecoderFacts facts;
  facts.input = model.inputs().front().name;
  facts.output = model.outputs().front().name;
  const TensorSpec& logits = model.outputs().front().specs.front();
  facts.vocabulary = logits.shape[2];
  facts.all_logits = logits.shape[1] != 1;
  for (const RuntimeGraph::State& state : states) {
    facts.can_truncate = facts.can_truncate && state.axis >= 0 && state.window == 0;
    if (state.max_length == 0) continue;
    facts.max_length = facts.max_length == 0 ? state.max_length : std::min(facts.max_length, state.max_length);
  }
  return facts;
}

}  // namespace kuiper_infer::text
