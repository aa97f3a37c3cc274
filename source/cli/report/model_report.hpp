// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::cli {

/// Facts about a model for its report that the graph does not have.
struct ReportSubject {
  std::string param;                           ///< the .param file; empty if the model came from memory
  std::string bin;                             ///< the .bin file; empty if there is none
  std::map<std::string, std::string> options;  ///< options of loading and running, by name
  int threads = 0;                             ///< the graph's number of threads; 0: the default
  int runs = 10;                               ///< number of runs; for each step the fastest counts
  bool means = false;                          ///< the mean counts instead: for a clock too coarse to time a step once
};

/// Runs the graph, whose shapes are inferred for the inputs that are set, and returns a page of HTML that needs no
/// other file: the graph, the time and the memory of its steps, the forms of its layers' weights, machine and options.
/// If there is a table NAME.quantize.csv of `kuiper quantize` beside the model, the page shows its data about layers.
/// `run_options` hold for each run. Throws Error.
std::string MakeReport(RuntimeGraph& graph, const ReportSubject& subject, const RunOptions& run_options = {});

}  // namespace kuiper_infer::cli
