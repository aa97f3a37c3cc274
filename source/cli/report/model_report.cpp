// SPDX-License-Identifier: MIT
#include "cli/report/model_report.hpp"

#include <ctime>
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/operator_kind.hpp"
#include "cli/report/descriptions.hpp"
#include "cli/report/page.hpp"
#include "utils/machine_load.hpp"

namespace kuiper_infer::cli {
namespace {

/// The time of day as "2026-01-31 23:59 UTC".
std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32];
  return gmtime_r(&now, &parts) != nullptr && std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &parts) > 0 ? text
                                                                                                                  : "";
}

nlohmann::json DescribeKinds() {
  nlohmann::json kinds = nlohmann::json::array();
  for (const OperatorKind& kind : OperatorKinds()) {
    kinds.push_back({{"id", kind.id}, {"name", kind.name}, {"color", kind.color}});
  }
  return kinds;
}

}  // namespace

std::string MakeReport(RuntimeGraph& graph, const ReportSubject& subject, BeforeRun before) {
  const LoadWatch watch;
  const Steps steps = MeasureSteps(graph, subject.runs, before);
  const double seconds = FastestRun(graph, subject.runs, before);
  const std::optional<MachineLoad> load = watch.Load();
  const RuntimeGraph::Report report = graph.report();
  const nlohmann::json data = {{"made", Now()},
                               {"model", DescribeModel(graph, subject)},
                               {"machine", DescribeMachine(subject)},
                               {"run",
                                {{"seconds", seconds},
                                 {"steps_seconds", TotalSeconds(steps)},
                                 {"runs", subject.runs},
                                 {"others", load ? nlohmann::json(load->others + load->stolen) : nullptr},
                                 {"multiply_adds", report.multiply_adds},
                                 {"planned_bytes", report.planned_bytes},
                                 {"largest_live_bytes", report.largest_live_bytes}}},
                               {"kinds", DescribeKinds()},
                               {"steps", DescribeSteps(steps)},
                               {"graph", DescribeGraph(graph, steps)},
                               {"layers", DescribeLayers(graph, steps, subject.param)}};
  // Names may hold anything: bytes that are no UTF-8 become question marks.
  return MakePage(data.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

}  // namespace kuiper_infer::cli
