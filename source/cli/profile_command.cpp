// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "cli/trace.hpp"
#include "data/file_writer.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::cli {
namespace {

void PrintRates(double seconds, double multiply_adds, double bytes) {
  const auto print = [](double rate) { rate > 0 ? std::printf(" %9.1f", rate) : std::printf(" %9s", "-"); };
  print(2e-9 * multiply_adds / std::max(seconds, 1e-9));
  print(1e-9 * bytes / std::max(seconds, 1e-9));
}

void PrintSteps(Steps steps, std::size_t most) {
  const double total = TotalSeconds(steps);
  std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  std::printf("%9s %6s %9s %9s  %s\n", "ms", "share", "GFLOP/s", "GB/s", "operator");
  for (std::size_t i = 0; i < std::min(most, steps.size()); ++i) {
    const auto& step = steps[i];
    std::printf("%9.3f %5.1f%%", step.seconds * 1e3, 100 * step.seconds / total);
    PrintRates(step.seconds, step.multiply_adds, step.bytes);
    std::printf("  %s %s %s%s%s\n", step.type.c_str(), step.name.c_str(), ShapeString(step.output).c_str(),
                step.method.empty() ? "" : " by ", step.method.c_str());
  }
}

struct Sum {
  int count = 0;
  double seconds = 0;
  double multiply_adds = 0;
  double bytes = 0;
};

void PrintTypes(const Steps& steps) {
  std::map<std::string, Sum> sums;
  for (const auto& step : steps) {
    Sum& sum = sums[step.type + (step.method.empty() ? "" : " by " + step.method)];
    ++sum.count;
    sum.seconds += step.seconds;
    sum.multiply_adds += step.multiply_adds;
    sum.bytes += step.bytes;
  }
  std::vector<std::pair<std::string, Sum>> sorted(sums.begin(), sums.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
  const double total = TotalSeconds(steps);
  std::printf("%9s %6s %9s %9s %6s  %s\n", "ms", "share", "GFLOP/s", "GB/s", "count", "type");
  for (const auto& [type, sum] : sorted) {
    std::printf("%9.3f %5.1f%%", sum.seconds * 1e3, 100 * sum.seconds / total);
    PrintRates(sum.seconds, sum.multiply_adds, sum.bytes);
    std::printf(" %6d  %s\n", sum.count, type.c_str());
  }
  std::printf("%9.3f ms sum of the steps, each in its fastest run\n", total * 1e3);
}

}  // namespace

void AddProfileCommand(CLI::App& app, Action& action) {
  struct Options {
    ModelOptions model;
    int runs = 10;
    std::size_t most = 20;
    std::string trace;
  };
  const Command command(app, "profile", "Show the time of each operator and of each operator type");
  auto options = std::make_shared<Options>();
  options->model.AddTo(command, true);
  command
      .Add("--runs", options->runs,
           "Number of runs with times of operators, and of runs from end to end; the fastest ones count")
      .InRange(1, 100000)
      .ShowsDefault();
  command.Add("--top", options->most, "Number of operators to list").InRange(0, 1000000).ShowsDefault();
  command.Add("--trace", options->trace,
              "Also write a trace of the fastest run, with a track for each thread, for https://ui.perfetto.dev");
  command.SetFooter(
      "Examples:\n"
      "  kuiper profile --param m.pnnx.param --bin m.pnnx.bin --threads 2\n"
      "  kuiper profile --param m.pnnx.param --bin m.pnnx.bin --trace trace.json");
  command.SetAction(action, [options] {
    RuntimeGraph graph = LoadModel(options->model);
    SetInputs(graph, options->model, true);
    const Steps steps = MeasureSteps(graph, options->runs);
    PrintSteps(steps, options->most);
    std::printf("\n");
    PrintTypes(steps);
    std::printf("%9.3f ms from end to end, the fastest of %d runs\n", FastestRun(graph, options->runs) * 1e3,
                options->runs);
    if (!options->trace.empty()) WriteFile(options->trace, TraceText(FastestTrace(graph, options->runs)));
    return 0;
  });
}

}  // namespace kuiper_infer::cli
