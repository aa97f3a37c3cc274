// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "quantization/report/report.hpp"

namespace kuiper_infer::quantization {

/// The table as comma-separated values (RFC 4180), unknown numbers empty.
std::string ReportCsv(const Report& report);

/// Reads the rows of a table in this format. Throws Error(kFile) that names `file` and the line at fault.
std::vector<LayerRow> ReadReportCsv(const std::string& text, const std::string& file);

}  // namespace kuiper_infer::quantization
