// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kuiper_infer::text {

/// The tokens of a model: names by number, and numbers by name.
class Vocabulary {
 public:
  Vocabulary() = default;
  /// Takes the names in the order of their numbers. Numbers without a token have an empty name. Of two tokens with the
  /// same name the last counts.
  explicit Vocabulary(std::vector<std::string> names);
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  int64_t size() const { return static_cast<int64_t>(names_.size()); }
  const std::string& Name(int64_t token) const { return names_[static_cast<std::size_t>(token)]; }
  /// The number of the token with that name; -1 if there is none.
  int32_t Find(std::string_view name) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? -1 : found->second;
  }
  /// The number of the token <0xHH> that stands for a byte; -1 if there is none.
  int32_t FindByte(unsigned char byte) const;
  std::size_t longest() const { return longest_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, int32_t> numbers_;  ///< of names_, which doesn't change
  std::size_t longest_ = 0;                                ///< bytes of the longest name
};

}  // namespace kuiper_infer::text
