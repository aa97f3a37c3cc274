// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "text/json_part.hpp"

namespace kuiper_infer::text {

/// Makes texts that mean the same to a model equal.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// Changes a text, which is and stays UTF-8.
  virtual void Apply(std::string& text) const = 0;
};

using NormalizerPtr = std::unique_ptr<const Normalizer>;

/// Reads the part `normalizer` of a tokenizer.json.
NormalizerPtr ReadNormalizer(const JsonPart& part);

}  // namespace kuiper_infer::text
