// SPDX-License-Identifier: MIT
#include "cli/bench/bench.hpp"

#include <iostream>

#include <nlohmann/json.hpp>

#include "cli/bench/run_times.hpp"
#include "cli/machine.hpp"
#include "cli/terminal/standard_output.hpp"
#include "runtime/precision.hpp"
#include "utils/system/cpu_info.hpp"
#include "utils/threads/parallel.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer::cli {

int ThreadsOfARun(int asked) {
  const int wanted = asked > 0 ? asked : DefaultThreads();
  return PrepareTeam(wanted > 0 ? wanted : MaxThreads());
}

LoadedModel LoadedModel::With(ModelOptions options, int threads) {
  options.build.num_threads = threads;
  const BenchClock::time_point start = BenchClock::now();
  RuntimeGraph graph = LoadModel(options);
  const double load_ms = MillisecondsSince(start);
  auto inputs = ReadInputs(graph, options, true);
  return {std::move(graph), std::move(inputs), load_ms};
}

std::string AddMachine(const BenchOptions& options, const LoadWatch& watch, double seconds, double spread,
                       nlohmann::json& result) {
  result["isa"] = IsaName();
  result["precision"] = PrecisionName(options.model.build.precision);
  result["unit"] = MatrixUnitName();
  result["peak_mib"] = PeakMebibytes();
  result["spread"] = spread;
  const std::optional<MachineLoad> load = watch.Load();
  if (load) {
    result["load_average"] = load->load_average;
    result["others_busy"] = load->others;
    result["stolen"] = load->stolen;
  }
  return options.json ? "" : NoteOnLoad(load.value_or(MachineLoad{}), seconds, UsableCores(), spread);
}

int FinishBench(const InterruptScope& interrupt, const std::string& note) {
  FinishStandardOutput();
  if (!note.empty()) std::cerr << note << "\n";
  if (!interrupt.requested()) return 0;
  std::cerr << "interrupted: the figures are those of the runs until then\n";
  return kInterruptedCode;
}

}  // namespace kuiper_infer::cli
