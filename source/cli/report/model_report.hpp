// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::cli {

/// What a report tells of a model and the graph does not know.
struct ReportSubject {
  std::string param;                           ///< the model's files; empty where it came from memory
  std::string bin;                             ///< empty, too, where all weights are zero
  std::map<std::string, std::string> options;  ///< how the model was loaded and run, by what they are called
  int threads = 0;                             ///< as the graph was told; 0: the default
  int runs = 10;                               ///< of which the fastest counts for each step
};

/// Runs the graph, whose shapes are inferred for the inputs that are set, and writes what was found as one page of
/// HTML, which needs no other file: the graph, the time and the memory of its steps, the forms of its layers' weights,
/// machine and options. A table beside the model, NAME.quantize.csv as `kuiper quantize` writes it, adds what it knows
/// of layers. `before` is called before each run. Throws Error.
std::string MakeReport(RuntimeGraph& graph, const ReportSubject& subject, BeforeRun before = kNothing);

}  // namespace kuiper_infer::cli
