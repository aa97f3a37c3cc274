// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kuiper_infer/text/chat_template.hpp"

namespace kuiper_infer::text {

/// A prompt that grows; neighbours of the same kind become one part.
class PromptBuilder {
 public:
  /// `date` is what stands for {date} in markup; empty: today.
  explicit PromptBuilder(std::string date) : date_(std::move(date)) {}

  void Markup(std::string_view text);
  void Said(std::string_view text) { Append(text, false); }
  std::vector<PromptPart> Take() { return std::move(parts_); }

 private:
  void Append(std::string_view text, bool markup);

  std::string date_;
  std::vector<PromptPart> parts_;
};

}  // namespace kuiper_infer::text
