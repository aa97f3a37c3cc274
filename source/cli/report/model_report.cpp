// SPDX-License-Identifier: MIT
#include "cli/report/model_report.hpp"

#include <ctime>
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/graph/operator_kind.hpp"
#include "cli/report/descriptions.hpp"
#include "cli/report/page_template.hpp"
#include "runtime/step_times.hpp"
#include "utils/system/machine_load.hpp"

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

nlohmann::json DescribeSteps(const Steps& steps) {
  nlohmann::json described = nlohmann::json::array();
  for (const auto& step : steps) {
    described.push_back({{"name", step.name},
                         {"type", step.type},
                         {"kind", KindOf(step.type).id},
                         {"method", step.method},
                         {"shape", step.output},
                         {"stored", TypeName(step.stored)},
                         {"channels_last", step.channels_last},
                         {"seconds", step.seconds},
                         {"multiply_adds", step.multiply_adds},
                         {"bytes", step.bytes},
                         {"live_bytes", step.live_bytes}});
  }
  return described;
}

/// The page that shows this JSON. Its structure, style and script are the files page.html, *.css and *.js beside this
/// one, which the build puts together.
std::string MakePage(std::string json) {
  // Without "<", the data cannot end the element that holds it or begin another one.
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  std::string page = kPageTemplate;
  const std::string mark = "REPORT_DATA";
  page.replace(page.find(mark), mark.size(), json);
  return page;
}

}  // namespace

std::string MakeReport(RuntimeGraph& graph, const ReportSubject& subject, const RunOptions& run_options) {
  const LoadWatch watch;
  const Steps steps = (subject.means ? MeanSteps : MeasureSteps)(graph, subject.runs, run_options);
  const double seconds = (subject.means ? MeanRun : FastestRun)(graph, subject.runs, run_options);
  const std::optional<MachineLoad> load = watch.Load();
  const RuntimeGraph::Report report = graph.report();
  const nlohmann::json data = {{"made", Now()},
                               {"model", DescribeModel(graph, subject)},
                               {"machine", DescribeMachine(subject)},
                               {"run",
                                {{"seconds", seconds},
                                 {"steps_seconds", TotalSeconds(steps)},
                                 {"runs", subject.runs},
                                 {"means", subject.means},
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
