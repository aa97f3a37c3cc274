// SPDX-License-Identifier: MIT
#include "api/c_options.hpp"

#include <algorithm>
#include <cstring>
#include <variant>

#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/version.h"
#include "runtime/build_option_table.hpp"

namespace kuiper_infer {
namespace {

/// Copies options of any version. Members that the caller's version lacks are zero. Throws if a member that this
/// version lacks is not zero.
template <class Options>
Options ReadOptions(const Options* given, const char* what) {
  Options options{};
  options.size = sizeof options;
  if (given == nullptr) return options;
  constexpr std::size_t kMostBytes = 4096;  // no version's options have more
  const std::size_t size = given->size;
  if (size < sizeof size || size > kMostBytes) {
    throw Error(ErrorCode::kInput, std::string(what) + ".size is " + std::to_string(size) + ", expected sizeof(" +
                                       what + "), here " + std::to_string(sizeof options));
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  const std::size_t known = std::min(size, sizeof options);
  if (std::any_of(bytes + known, bytes + size, [](unsigned char byte) { return byte != 0; })) {
    throw Error(ErrorCode::kInput, std::string(what) + " has " + std::to_string(size) +
                                       " bytes, expected zeros behind the " + std::to_string(known) +
                                       " that version " KUIPER_VERSION " knows");
  }
  std::memcpy(&options, given, known);
  return options;
}

/// Copies one option. Its type in BuildOptions chooses the function.
struct CopyToMember {
  const BuildOption& option;
  const kuiper_options& given;
  BuildOptions& build;
  const std::string& origin;

  void operator()(bool BuildOptions::*member) const { build.*member = Number() != 0; }
  /// 1, -1 or 0: on, off or not set.
  void operator()(std::optional<bool> BuildOptions::*member) const {
    const int64_t number = Number();
    if (number < -1 || number > 1) {
      throw Error(ErrorCode::kInput, origin + " is " + std::to_string(number) + ", expected 1, -1 or 0");
    }
    if (number != 0) build.*member = number > 0;
  }
  void operator()(std::string BuildOptions::*member) const { build.*member = Text(); }
  void operator()(Precision BuildOptions::*member) const {
    if (const std::string text = Text(); !text.empty()) build.*member = PrecisionOf(text);
  }
  template <class T>
  void operator()(T BuildOptions::*member) const {
    build.*member = static_cast<T>(Number());
  }

  int64_t Number() const {
    if (const auto* const wide = std::get_if<int64_t kuiper_options::*>(&option.c_member)) return given.*(*wide);
    return given.*std::get<int32_t kuiper_options::*>(option.c_member);
  }
  std::string Text() const {
    const char* const text = given.*std::get<const char * kuiper_options::*>(option.c_member);
    return text == nullptr ? "" : text;
  }
};

std::vector<NamedState> ReadStates(const kuiper_options& options) {
  if (options.states == nullptr && options.state_count > 0) {
    throw Error(ErrorCode::kInput, "kuiper_options.states is null, expected " + std::to_string(options.state_count) +
                                       " states as state_count says");
  }
  std::vector<NamedState> states;
  for (std::size_t i = 0; i < options.state_count; ++i) {
    const kuiper_named_state& state = options.states[i];
    const std::string origin = "kuiper_options.states[" + std::to_string(i) + "].";
    if (state.output == nullptr) throw Error(ErrorCode::kInput, origin + "output is null, expected a name or a number");
    if (state.input == nullptr) throw Error(ErrorCode::kInput, origin + "input is null, expected a name");
    if (state.reserved != 0) throw Error(ErrorCode::kInput, origin + "reserved is not 0");
    states.push_back({state.output, state.input, state.window});
  }
  return states;
}

}  // namespace

BuildOptions ReadBuildOptions(const kuiper_options* given) {
  const kuiper_options options = ReadOptions(given, "kuiper_options");
  BuildOptions build;
  for (const BuildOption& option : BuildOptionTable()) {
    const std::string origin = "kuiper_options." + option.name;
    std::visit(CopyToMember{option, options, build, origin}, option.member);
    CheckBuildOption(option, build, origin);
  }
  build.states = ReadStates(options);
  return build;
}

kuiper_run_options ReadRunOptions(const kuiper_run_options* given) {
  kuiper_run_options options = ReadOptions(given, "kuiper_run_options");
  if (options.num_threads < 0) {
    throw Error(ErrorCode::kInput,
                "kuiper_run_options.num_threads is " + std::to_string(options.num_threads) + ", expected 0 or more");
  }
  if (options.reserved != 0) throw Error(ErrorCode::kInput, "kuiper_run_options.reserved is not 0");
  return options;
}

}  // namespace kuiper_infer
