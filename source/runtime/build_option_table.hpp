// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/runtime/build_options.hpp"

namespace kuiper_infer {

/// A member of BuildOptions. Its type says which values the option has: off or on; off, on or unset; a number; a text;
/// a level of precision.
using BuildOptionMember = std::variant<bool BuildOptions::*, std::optional<bool> BuildOptions::*, int BuildOptions::*,
                                       int64_t BuildOptions::*, std::string BuildOptions::*, Precision BuildOptions::*>;

/// A member of kuiper_options. Zero stands for an option that is not set.
using COptionMember =
    std::variant<int32_t kuiper_options::*, int64_t kuiper_options::*, const char * kuiper_options::*>;

/// The description of one option. The C interface, the command line and the Python module read options by it, and
/// tests compare headers, Python's signatures and documents with it.
struct BuildOption {
  BuildOption(std::string name, BuildOptionMember member, COptionMember c_member, std::string flag, std::string keyword,
              std::string help)
      : name(std::move(name)),
        member(member),
        c_member(c_member),
        flag(std::move(flag)),
        keyword(std::move(keyword)),
        help(std::move(help)) {}

  std::string name;  ///< of the member in BuildOptions and in kuiper_options
  BuildOptionMember member;
  COptionMember c_member;

  std::string flag;       ///< on the command line; the flag of a switch turns it off
  std::string keyword;    ///< of kuiper_infer.Model, and the key in kuiper-serve's config.toml
  std::string help;       ///< what the option does: an imperative without a full stop
  std::string fallback;   ///< what holds while the option is unset (empty text, 0, a switch without a value)
  std::string variable;   ///< the environment variable that sets an unset option; empty: none
  bool in_config = true;  ///< whether config.toml has the key

  std::vector<std::string> words;  ///< that the text may be; empty: any text
  bool is_folder = false;          ///< the text is a path
  int64_t least = 0;               ///< limits of a number
  int64_t most = std::numeric_limits<int64_t>::max();
  /// The largest number that makes a difference. The library limits larger numbers to this one; the command line
  /// refuses them as typing errors.
  int64_t most_useful = std::numeric_limits<int64_t>::max();
  /// The number 0 means only that the option is unset. Python says None instead, the command line refuses 0.
  bool zero_is_none = false;
};

/// All options, in the order of the documents.
const std::vector<BuildOption>& BuildOptionTable();

/// The option's value, or what holds while it is unset ("as KUIPER_FUSION says, else on").
std::string ValueText(const BuildOption& option, const BuildOptions& options);

/// Returns the values that the option may have: "0 or more", "off or on", "highest, high, or medium".
std::string ExpectedText(const BuildOption& option);

/// Throws Error if the option can't have its value: kInput for a number, kArgument for a text. The text begins with
/// `origin`, which names the option, and tells the value and what was expected.
void CheckBuildOption(const BuildOption& option, const BuildOptions& options, const std::string& origin);

/// Checks all options, each by the origin "the option NAME".
void CheckBuildOptions(const BuildOptions& options);

}  // namespace kuiper_infer
