// SPDX-License-Identifier: MIT
#include "text/sampling/sampling_checks.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::text {
namespace {

template <class T>
void Expect(bool possible, const std::string& name, const T& value, const std::string& expected) {
  if (possible) return;
  std::ostringstream text;
  text << name << " is " << value << ", expected " << expected;
  throw Error(ErrorCode::kInput, text.str());
}

}  // namespace

void CheckToken(int64_t token, int64_t vocabulary, const char* what) {
  Expect(token >= 0 && token < vocabulary, what, token, "0 to " + std::to_string(vocabulary - 1));
}

void CheckSamplingOptions(const SamplingOptions& options, int64_t vocabulary) {
  const bool possible = vocabulary > 0 && vocabulary <= std::numeric_limits<int32_t>::max();
  Expect(possible, "the size of the vocabulary", vocabulary, "a positive number of 31 bits");
  // A comparison with NaN is false, so NaN fails each of these checks.
  const auto finite = [](double value) { return std::isfinite(value); };
  Expect(options.temperature >= 0 && finite(options.temperature), "temperature", options.temperature,
         "a number of 0 or more");
  Expect(options.top_k >= 0, "top_k", options.top_k, "a number of tokens, or 0 for all");
  Expect(options.top_p > 0 && options.top_p <= 1, "top_p", options.top_p, "more than 0, at most 1");
  Expect(options.min_p >= 0 && options.min_p <= 1, "min_p", options.min_p, "0 to 1");
  Expect(options.typical_p > 0 && options.typical_p <= 1, "typical_p", options.typical_p, "more than 0, at most 1");
  Expect(options.repetition_penalty > 0 && finite(options.repetition_penalty), "repetition_penalty",
         options.repetition_penalty, "a number above 0");
  Expect(finite(options.frequency_penalty), "frequency_penalty", options.frequency_penalty, "a finite number");
  Expect(finite(options.presence_penalty), "presence_penalty", options.presence_penalty, "a finite number");
  Expect(options.logprobs >= 0 && options.logprobs <= vocabulary, "logprobs", options.logprobs,
         "0 to " + std::to_string(vocabulary) + ", the size of the vocabulary");
  for (const auto& [token, bias] : options.logit_bias) {
    CheckToken(token, vocabulary, "a token of logit_bias");
    Expect(bias < std::numeric_limits<float>::infinity(), "logit_bias of token " + std::to_string(token), bias,
           "a finite number, or minus infinity to forbid the token");
  }
}

}  // namespace kuiper_infer::text
