// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "text/json_part.hpp"

namespace kuiper_infer::text {

/// The tokens that are added to those of a single text.
class PostProcessor {
 public:
  PostProcessor() = default;
  PostProcessor(std::vector<int64_t> before, std::vector<int64_t> behind)
      : before_(std::move(before)), behind_(std::move(behind)) {}

  /// Adds what another one adds around the result of this one.
  void Enclose(const PostProcessor& outer) {
    before_.insert(before_.begin(), outer.before_.begin(), outer.before_.end());
    behind_.insert(behind_.end(), outer.behind_.begin(), outer.behind_.end());
  }
  const std::vector<int64_t>& before() const { return before_; }
  const std::vector<int64_t>& behind() const { return behind_; }

 private:
  std::vector<int64_t> before_;
  std::vector<int64_t> behind_;
};

/// Reads the part `post_processor` of a tokenizer.json. Tokens are not checked.
PostProcessor ReadPostProcessor(const JsonPart& part);

}  // namespace kuiper_infer::text
