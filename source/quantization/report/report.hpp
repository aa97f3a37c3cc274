// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kuiper_infer::quantization {

/// The outcome for a layer.
struct LayerRow {
  std::string name;
  std::string type;
  std::string form;                 ///< "int8", "int4", "float"
  std::string reason;               ///< why it stays in float, or another remark
  std::optional<double> decibels;   ///< signal-to-noise ratio after rounding
  std::optional<double> before_ms;  ///< time of its steps in the float model
  std::optional<double> after_ms;
  std::optional<int64_t> before_bytes;  ///< bytes of its weights in the float model's file
  std::optional<int64_t> after_bytes;
};

struct Report {
  std::string decibels_of;           ///< what LayerRow::decibels is the ratio of: "output" or "weight"
  std::vector<LayerRow> layers;      ///< in the file's order
  std::vector<std::string> remarks;  ///< sentences about the whole
};

/// The table and the remarks as text for a terminal.
std::string ReportText(const Report& report);

}  // namespace kuiper_infer::quantization
