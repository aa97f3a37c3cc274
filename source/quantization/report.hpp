// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kuiper_infer::quantization {

/// What became of a layer.
struct LayerRow {
  std::string name;
  std::string type;
  std::string form;                 ///< "int8", "int4", "float"
  std::string reason;               ///< why it stays in float, or what else is to be said
  std::optional<double> decibels;   ///< signal-to-noise ratio of what rounding does to it
  std::optional<double> before_ms;  ///< time of its steps in the float model, and in the quantised one
  std::optional<double> after_ms;
  std::optional<int64_t> before_bytes;  ///< of its weights in the file
  std::optional<int64_t> after_bytes;
};

struct Report {
  std::string decibels_of;           ///< what LayerRow::decibels tells of: "output", "weight"
  std::vector<LayerRow> layers;      ///< in the file's order
  std::vector<std::string> remarks;  ///< sentences about the whole
};

/// The table and the remarks for a terminal.
std::string ReportText(const Report& report);

}  // namespace kuiper_infer::quantization
