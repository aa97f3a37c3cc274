// SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kuiper_infer/runtime/runtime_datatype.hpp"
#include "kuiper_infer/utils/shape.hpp"

namespace pnnx {

/// The lines of a .param file, or of such text in memory, and what their words can be. Every error is an Error(kFile)
/// that names the file (kParamText for memory) and the line.
class ParamFile {
 public:
  static constexpr const char* kParamText = "the param text";

  static ParamFile Open(const std::string& path);
  static ParamFile FromMemory(std::string_view text);

  /// The words of the next line, which should hold what `expected` says. A line has at most 16 MiB: no real one comes
  /// near, and a file may have no line ends at all.
  std::vector<std::string> NextLine(const std::string& expected);

  /// Reads a number from 0 to 2147483647.
  int64_t ReadCount(const std::string& text, const char* what) const;

  struct Spec {
    std::vector<int> extents;  ///< -1: not known
    kuiper_infer::RuntimeDataType type;
  };
  /// Reads a shape with an element type, such as "(1,3,?)f32"; unknown extents only where `dynamic`. Refuses what has
  /// more bytes than can be counted.
  Spec ReadSpec(const std::string& text, const std::string& what, bool dynamic) const;

  [[noreturn]] void Fail(const std::string& text) const;

 private:
  ParamFile(std::string name, std::unique_ptr<std::istream> stream)
      : name_(std::move(name)), stream_(std::move(stream)) {}

  int ReadExtent(const std::string& what, const std::string& text, bool dynamic) const;
  void CheckSize(const std::string& what, const Spec& spec) const;

  std::string name_;
  std::unique_ptr<std::istream> stream_;
  int64_t line_ = 0;
};

}  // namespace pnnx
