// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/interrupt.hpp"
#include "cli/model_session.hpp"
#include "utils/machine_load.hpp"

namespace kuiper_infer::cli {

struct BenchOptions {
  ModelOptions model;
  double seconds = 2.0;
  int clients = 0;  ///< 0: not given
  bool json = false;
};

/// A model with inputs, and how long it took to get there.
struct LoadedModel {
  RuntimeGraph graph;
  std::map<std::string, NdArray> inputs;
  double load_ms;

  /// Throws Error.
  static LoadedModel With(ModelOptions options, int threads);
};

// Both print what they measure, also where Ctrl-C ends it early, and return the program's exit code.

/// One run after the other.
int BenchRuns(const BenchOptions& options);

/// Several clients of one model; without --threads in both ways, whose turns alternate.
int BenchClients(const BenchOptions& options);

// What both say.

/// How many threads a run has that asks for so many; 0: for none.
int ThreadsOfARun(int asked);

double PeakMebibytes();

/// Adds the machine and what it did besides to the report. Unless the report is printed as JSON, returns a note where
/// others computed or runs differ much.
std::string AddMachine(const BenchOptions& options, const LoadWatch& watch, double seconds, double spread,
                       nlohmann::json& result);

/// Prints on standard error, behind the figures on standard output, the note and whether Ctrl-C has ended the
/// measurement. Returns the program's exit code. Throws Error where the figures cannot be printed.
int FinishBench(const InterruptScope& interrupt, const std::string& note);

}  // namespace kuiper_infer::cli
