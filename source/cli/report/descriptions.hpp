// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/report/model_report.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::cli {

// The parts of a report as JSON, for a graph that has run. Times are in seconds, memory is in bytes.

/// Boxes and lines of a drawing, and the operators that the boxes stand for.
nlohmann::json DescribeGraph(const RuntimeGraph& graph, const Steps& steps);

/// The layers with weights in integers, and the layers that stay in float; null if no weight is in integers. Throws
/// Error if a table of `kuiper quantize` beside the model cannot be read.
nlohmann::json DescribeLayers(const RuntimeGraph& graph, const Steps& steps, const std::string& param);

/// The model's files, inputs, outputs and sizes.
nlohmann::json DescribeModel(const RuntimeGraph& graph, const ReportSubject& subject);

/// The machine, the library and its options.
nlohmann::json DescribeMachine(const ReportSubject& subject);

}  // namespace kuiper_infer::cli
