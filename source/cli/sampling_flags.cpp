// SPDX-License-Identifier: MIT
#include "cli/sampling_flags.hpp"

#include <limits>

namespace kuiper_infer::cli {
void AddSamplingOptions(const Command& command, text::GenerateOptions& generate, int64_t& seed) {
  text::SamplingOptions& sampling = generate.sampling;
  command.Add("--max-tokens", generate.max_tokens, "The most tokens of the answer; 0: as many as the model allows")
      .ShowsDefault();
  command.Add("--stop", generate.stop, "A text that ends the answer and is not part of it; may be given several times")
      .OneValueEach();
  command
      .Add("--temperature", sampling.temperature, "0: always the most probable token; 1: by the model's probabilities")
      .ShowsDefault();
  command.Add("--top-k", sampling.top_k, "Choose among this number of the most probable tokens; 0: all").ShowsDefault();
  command.Add("--top-p", sampling.top_p, "Choose among the most probable tokens that have this probability together")
      .ShowsDefault();
  command.Add("--min-p", sampling.min_p, "Leave out tokens below this share of the highest probability").ShowsDefault();
  command.Add("--typical-p", sampling.typical_p, "Choose among the most typical tokens of this probability together")
      .ShowsDefault();
  command.Add("--repetition-penalty", sampling.repetition_penalty, "Above 1: against tokens of the text so far")
      .ShowsDefault();
  command.Add("--frequency-penalty", sampling.frequency_penalty, "Against tokens of the answer, for each time")
      .ShowsDefault();
  command.Add("--presence-penalty", sampling.presence_penalty, "Against tokens of the answer, once").ShowsDefault();
  command.Add("--seed", seed, "The same seed gives the same answer")
      .InRange(int64_t{0}, std::numeric_limits<int64_t>::max())
      .ShowsDefault();
  command.Add("--logprobs", sampling.logprobs, "With --json: the log-probabilities of this number of tokens, each time")
      .ShowsDefault();
  command
      .Add("--lookup", generate.lookup,
           "The most tokens to guess from the text so far, up to 7: faster if the answer quotes the prompt; needs a "
           "decoder exported with logits=\"all\"")
      .ShowsDefault();
}

}  // namespace kuiper_infer::cli
