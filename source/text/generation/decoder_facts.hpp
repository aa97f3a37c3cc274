// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kuiper_infer/model.hpp"

namespace kuiper_infer::text {

/// What a generator has to know of a decoder.
struct DecoderFacts {
  std::string input;         ///< takes the tokens
  std::string output;        ///< gives the logits
  int64_t vocabulary = 0;    ///< the number of logits of a token
  bool all_logits = false;   ///< whether there are logits for each token of a run, not for the last one only
  int64_t max_length = 0;    ///< the most tokens; 0: no limit
  bool can_truncate = true;  ///< whether the last tokens can be taken back
};

/// Throws Error(kUnsupported) that says what was found and what is expected if the model is no decoder.
DecoderFacts FactsOf(const Model& model);

}  // namespace kuiper_infer::text
