// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/picture/image_options.hpp"
#include "kuiper_infer/runtime/build_options.hpp"

namespace kuiper_infer::cli {

/// The options of `kuiper quantize`.
struct QuantizeOptions {
  static constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

  std::string param;
  std::string bin;
  std::string output;
  std::string pictures;
  std::string arrays;
  std::size_t most_samples = 0;
  bool cast = false;
  ImageOptions images;
  std::string weights_only;
  int group = 0;
  bool asymmetric = false;
  std::string observer = "mse";
  double percentile = 99.99;
  double keep = kNotGiven;
  std::vector<int64_t> axis;
  double decibels = kNotGiven;
  std::string gate;
  double at_least = kNotGiven;
  double gate_seconds = 3600;
  bool untimed = false;
  std::string pairs = "auto";
  BuildOptions build;
  std::vector<std::string> plugins;

  std::string OutputFile(const char* ending) const { return output + ending; }
  /// The object must outlive the command.
  void AddTo(const Command& command);
  /// A fault of the options taken together; empty if there is none.
  std::string UsageFault() const;
};

}  // namespace kuiper_infer::cli
