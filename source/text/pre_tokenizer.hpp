// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "text/json_part.hpp"
#include "text/pieces.hpp"

namespace kuiper_infer::text {

/// Cuts a text into pieces, which the model then takes one by one: no token reaches over a cut.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  /// Cuts each piece further; may also change their text.
  virtual void Apply(Pieces& pieces) const = 0;
};

using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

/// Reads the part `pre_tokenizer` of a tokenizer.json.
PreTokenizerPtr ReadPreTokenizer(const JsonPart& part);

}  // namespace kuiper_infer::text
