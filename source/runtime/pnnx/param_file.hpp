// SPDX-License-Identifier: MIT
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/runtime_datatype.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace pnnx {

/// The lines of a .param file and what their words can be. Every error is an Error(kFile) that names the file and the
/// line.
class ParamFile {
 public:
  explicit ParamFile(const std::string& path);

  /// The words of the next line, which should hold what `expected` says.
  std::vector<std::string> NextLine(const std::string& expected);

  /// A number from 0 to 2147483647.
  int64_t ReadCount(const std::string& text, const char* what) const;

  struct Spec {
    std::vector<int> extents;  ///< -1: not known
    kuiper_infer::RuntimeDataType type;
  };
  /// "(1,3,?)f32"; unknown extents only where `dynamic`. Refuses what has more bytes than can be counted.
  Spec ReadSpec(const std::string& text, const std::string& what, bool dynamic) const;

  [[noreturn]] void Fail(const std::string& text) const;

  /// Text of a broken file for a message.
  static std::string Shorten(const std::string& text);

 private:
  int ReadExtent(const std::string& what, const std::string& text, bool dynamic) const;
  void CheckSize(const std::string& what, const Spec& spec) const;

  std::string path_;
  std::ifstream file_;
  int64_t line_ = 0;
};

}  // namespace pnnx
