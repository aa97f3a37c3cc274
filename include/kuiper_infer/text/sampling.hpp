// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace kuiper_infer::text {

/// How the next token is chosen from a model's logits. The members act in the order in which they stand here, each on
/// the logits or tokens that the previous one left. The definitions are those of transformers' LogitsProcessors; the
/// frequency and the presence penalty are OpenAI's.
struct SamplingOptions {
  /// Added to the logits of these tokens; minus infinity forbids a token.
  std::map<int64_t, float> logit_bias;
  /// Logits of tokens that the prompt or the answer holds are divided by it if they are positive, and multiplied by it
  /// otherwise. More than 0; 1: off.
  double repetition_penalty = 1;
  /// Subtracted from a token's logit for each time that the answer holds the token; 0: off.
  double frequency_penalty = 0;
  /// Subtracted once from the logit of each token that the answer holds; 0: off.
  double presence_penalty = 0;
  /// Logits are divided by it. 0: always the most probable token, the first one if several are equal; the options below
  /// and the seed then mean nothing.
  double temperature = 0;
  /// Keeps this number of the most probable tokens, and further ones that are as probable as the last of them; 0: off.
  int64_t top_k = 0;
  /// Keeps the smallest number of most probable tokens whose probabilities add up to at least this. More than 0; 1:
  /// off.
  double top_p = 1;
  /// Drops tokens with less than this share of the most probable token's probability. 0 to 1; 0: off.
  double min_p = 0;
  /// Keeps the tokens whose information -log(p) is nearest to its mean over the distribution: the smallest number of
  /// them whose probabilities add up to at least this. More than 0; 1: off.
  double typical_p = 1;
  /// The same seed gives the same choices from the same logits.
  uint64_t seed = 0;
  /// The number of tokens whose log-probabilities are told with each token; 0: none.
  int64_t logprobs = 0;
};

/// A token and a number that belongs to it: its probability, or the natural logarithm of its probability.
struct ScoredToken {
  int64_t token = 0;
  double score = 0;
};

/// Chooses the tokens of one answer. A sampler is used by one thread at a time, and allocates nothing for a token once
/// it has chosen one. The random number of a choice depends on the seed and on how many tokens the answer has, on
/// nothing else.
class Sampler {
 public:
  /// `vocabulary` is the number of logits. Throws Error(kInput) that names the option whose value is not possible.
  Sampler(const SamplingOptions& options, int64_t vocabulary);
  ~Sampler();
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;

  /// Adds tokens of the prompt, which count for the repetition penalty. Throws Error(kInput) for a token outside of the
  /// vocabulary, as Add does.
  void AddPrompt(const std::vector<int64_t>& tokens);
  /// Adds a token to the answer.
  void Add(int64_t token);

  /// The next token of the answer. It is not added: a program may take another one. Throws Error(kInput) if a logit is
  /// not a number or infinite, or if all tokens are forbidden.
  int64_t Sample(const float* logits);
  /// How much the largest logit exceeds the next one, after bias and penalties, in the last call of Sample: if that is
  /// little, rounding decides the most probable token.
  double Margin();
  /// The distribution from which Sample chooses: the tokens with a probability above 0, in the order of their numbers.
  std::vector<ScoredToken> Distribution(const float* logits);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The log-probabilities that the model gives to the tokens, before all of SamplingOptions.
struct LogProbabilities {
  double chosen = 0;              ///< of the token given
  std::vector<ScoredToken> best;  ///< the most probable tokens, the best first
};

/// The log-probability of `token`, and those of the `count` most probable tokens. Throws Error(kInput) for a token
/// outside of the vocabulary, and if a logit is not a number.
LogProbabilities LogProbabilitiesOf(const float* logits, int64_t vocabulary, int64_t token, int64_t count);

}  // namespace kuiper_infer::text
