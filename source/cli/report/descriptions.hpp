// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/report/model_report.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::cli {

// The parts of a report as JSON, of a graph that ran. Times are in seconds, memory is in bytes.

/// The steps in their order.
nlohmann::json DescribeSteps(const Steps& steps);

/// Boxes and lines of a drawing, and what the boxes stand for.
nlohmann::json DescribeGraph(const RuntimeGraph& graph, const Steps& steps);

/// The layers with weights in integers, and those that stay in float beside them; null where no weight is in integers.
/// Throws Error where a table of `kuiper quantize` beside the model cannot be read.
nlohmann::json DescribeLayers(const RuntimeGraph& graph, const Steps& steps, const std::string& param);

/// The model's files, inputs, outputs and sizes.
nlohmann::json DescribeModel(const RuntimeGraph& graph, const ReportSubject& subject);

/// The machine, the library and how it was told to run.
nlohmann::json DescribeMachine(const ReportSubject& subject);

}  // namespace kuiper_infer::cli
