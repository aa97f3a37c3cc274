// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/text_lines.hpp"
#include "kuiper_infer/runtime/runtime_datatype.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace pnnx {

/// The lines of a .param file, or of its text in memory, and readers for their words. Every error is an Error(kFile)
/// that names the file (kParamText for memory) and the line.
class ParamFile {
 public:
  static constexpr const char* kParamText = "the param text";

  static ParamFile Open(const std::string& path);
  /// The text is read in place and must stay valid as long as the object.
  static ParamFile FromMemory(std::string_view text);

  /// The words of the next line. If there is none, the error says that `expected` was expected.
  std::vector<std::string> NextLine(const std::string& expected);

  /// Throws if anything but blanks follows. `read` names what was read before, for the message.
  void ExpectEnd(const std::string& read);

  /// Reads a number from 0 to 2147483647.
  int64_t ReadCount(const std::string& text, const char* what) const;

  struct Spec {
    std::vector<int> extents;  ///< -1: not known
    kuiper_infer::RuntimeDataType type;
  };
  /// Reads a shape with an element type, such as "(1,3,?)f32". Unknown extents are allowed only if `dynamic`. Throws if
  /// the array would have more bytes than int64 can count.
  Spec ReadSpec(const std::string& text, const std::string& what, bool dynamic) const;

  [[noreturn]] void Fail(const std::string& text) const;

 private:
  explicit ParamFile(kuiper_infer::TextLines lines) : lines_(std::move(lines)) {}

  int ReadExtent(const std::string& what, const std::string& text, bool dynamic) const;
  void CheckSize(const std::string& what, const Spec& spec) const;

  kuiper_infer::TextLines lines_;
};

}  // namespace pnnx
