// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace kuiper_infer::text {

/// What is written before and after a message.
struct TurnMarkup {
  std::string_view before;
  std::string_view after;
};

/// Where the system message goes.
enum class SystemPlace {
  kOwnTurn,    ///< a turn of its own
  kFirstUser,  ///< into the first turn of the user, before what the user said
  kLastUser,   ///< into the last message, if that is the user's
  kRefused,
};

/// How a family of models writes a conversation. What its templates do with tools is not known here.
struct ChatFamily {
  std::string_view name;
  std::vector<uint64_t> hashes;  ///< of the texts in Jinja's language (HashOfJinja)
  std::string_view beginning;    ///< before everything
  TurnMarkup system;             ///< `before` may hold {date}
  TurnMarkup user;
  TurnMarkup assistant;
  std::string_view end;     ///< the special token that ends an answer
  std::string_view prompt;  ///< the beginning of the answer
  SystemPlace place = SystemPlace::kOwnTurn;
  const char* default_system = nullptr;  ///< the system message if the conversation has none
  bool trims = false;                    ///< white space around messages is removed
  bool trims_system = false;
  bool alternates = false;  ///< user and assistant take turns, the user begins
  bool skips_empty_system = false;
};

/// All families.
const std::vector<ChatFamily>& ChatFamilies();

/// FNV-1a with 64 bits of a template's text. A line feed at its end does not count: Jinja drops it, and files have it
/// or not.
uint64_t HashOfJinja(std::string_view jinja);

}  // namespace kuiper_infer::text
