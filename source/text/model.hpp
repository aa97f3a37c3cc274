// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "text/json_part.hpp"
#include "text/vocabulary.hpp"

namespace kuiper_infer::text {

/// Turns pieces of a text into the tokens of a vocabulary.
class Model {
 public:
  explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  /// Appends the tokens of a piece, which is UTF-8 and not empty.
  virtual void Append(std::string_view piece, std::vector<int64_t>& tokens) const = 0;

 private:
  Vocabulary vocabulary_;
};

using ModelPtr = std::unique_ptr<const Model>;

/// Reads the part `model` of a tokenizer.json.
ModelPtr ReadModel(const JsonPart& part);

}  // namespace kuiper_infer::text
