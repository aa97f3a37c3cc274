// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kuiper_infer::text {

/// Throws Error(kInput) if one of GenerateOptions::stop is empty: every text holds it.
void CheckStops(const std::vector<std::string>& stops);

/// Holds back text that may be the beginning of a stop string, and ends at one. If texts and stop strings are UTF-8,
/// what it gives are whole characters: no character begins within another one.
class StopFilter {
 public:
  /// Throws as CheckStops does.
  explicit StopFilter(std::vector<std::string> stops);

  /// Takes text and returns what can be given out: nothing from the first stop string on.
  std::string Push(std::string_view text);
  /// Returns what is held back, at the end of the answer.
  std::string Finish();
  /// Whether a stop string has come.
  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stops_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace kuiper_infer::text
