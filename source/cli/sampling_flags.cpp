// SPDX-License-Identifier: MIT
#include "cli/sampling_flags.hpp"

#include <cstdlib>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

uint64_t ParseSeed(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const unsigned long long seed = std::strtoull(text.c_str(), &end, 10);
  if (errno != 0 || *end != '\0' || text.find_first_not_of("0123456789") != std::string::npos) {
    throw Error(ErrorCode::kInput, "--seed is '" + text + "', expected a number of 0 or more, of at most 64 bits");
  }
  return seed;
}

}  // namespace

void AddSamplingOptions(const Command& command, text::GenerateOptions& generate) {
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
  command.AddText(
      "--seed", [&sampling](const std::string& text) { sampling.seed = ParseSeed(text); },
      "The same seed gives the same answer (0)");
  command.Add("--logprobs", sampling.logprobs, "With --json: the log-probabilities of this number of tokens, each time")
      .ShowsDefault();
  command
      .Add("--lookup", generate.lookup,
           "The most tokens to guess from the text so far, up to 7: faster if the answer quotes the prompt; needs a "
           "decoder exported with logits=\"all\"")
      .ShowsDefault();
}

}  // namespace kuiper_infer::cli
