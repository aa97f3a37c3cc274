// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "text/json_part.hpp"

namespace kuiper_infer::text {

/// A token's text, or a part of it: decoders give out a long token as it comes.
struct TokenText {
  std::string text;
  bool begins = true;  ///< it begins a token
  bool ends = true;    ///< it ends a token
};
using TokenTexts = std::vector<TokenText>;

/// One step of decoding, as it runs: tokens go in one by one, texts come out. The texts of the last step together are
/// the decoded text.
class DecoderRun {
 public:
  virtual ~DecoderRun() = default;
  virtual void Push(TokenText token, TokenTexts& out) = 0;
  /// Gives out what was held back. Nothing is pushed afterwards.
  virtual void Finish(TokenTexts& /*out*/) {}
  /// Bytes of characters that are not complete.
  virtual std::string pending() const { return {}; }
};

/// Describes a step. Any number of runs may be under way.
class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual std::unique_ptr<DecoderRun> Start() const = 0;
};
using DecoderPtr = std::unique_ptr<const Decoder>;

/// Reads the part `decoder` of a tokenizer.json.
DecoderPtr ReadDecoder(const JsonPart& part);
/// Joins tokens with spaces: the decoder of files that have none.
DecoderPtr SpacesBetween();

}  // namespace kuiper_infer::text
