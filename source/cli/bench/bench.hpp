// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/model_session.hpp"
#include "cli/terminal/interrupt.hpp"
#include "utils/system/machine_load.hpp"

namespace kuiper_infer::cli {

struct BenchOptions {
  ModelOptions model;
  double seconds = 2.0;
  int clients = 0;      ///< 0: not given
  int64_t decode = -1;  ///< the length of the states at which single tokens are measured; -1: not given
  int64_t prompt = 0;   ///< tokens of a prompt that is measured; 0: none
  int sequences = 0;    ///< sequences that make a token together; 0: none
  bool json = false;
};

/// A model with inputs, and the time that loading it took.
struct LoadedModel {
  RuntimeGraph graph;
  std::map<std::string, NdArray> inputs;
  double load_ms;

  /// Throws Error.
  static LoadedModel With(ModelOptions options, int threads);
};

// These functions print what they measure, even if Ctrl-C ends the measurement early, and return the program's exit
// code.

/// One run after the other.
int BenchRuns(const BenchOptions& options);

/// Measures several clients of one model. Without --threads, both ways (at once and in turn) are measured alternately.
int BenchClients(const BenchOptions& options);

/// Measures a model whose states grow: runs of one token at a length, and a prompt. Free extents of inputs are the
/// number of tokens. Throws Error if no state grows.
int BenchDecoding(const BenchOptions& options);

// Functions that all three measurements share.

/// The number of threads of a run that asks for `asked` threads; 0 means that it asks for no number.
int ThreadsOfARun(int asked);

/// Adds the machine and its other load to the report. Unless the report is printed as JSON, returns a note if other
/// programs computed or if runs differ much.
std::string AddMachine(const BenchOptions& options, const LoadWatch& watch, double seconds, double spread,
                       nlohmann::json& result);

/// After the figures on standard output, prints on standard error the note, and whether Ctrl-C has ended the
/// measurement. Returns the program's exit code. Throws Error if the figures cannot be printed.
int FinishBench(const InterruptScope& interrupt, const std::string& note);

}  // namespace kuiper_infer::cli
