// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/output_specs.hpp"
#include "runtime/pnnx/weight_reader.hpp"
#include "runtime/runner.hpp"

namespace kuiper_infer {

/// The contents of a RuntimeGraph: its source, the part that it shares with its sessions, and its own runner.
struct RuntimeGraph::Impl {
  std::string param_path;
  std::string bin_path;
  std::string error;  ///< of the last Load
  GraphState state = GraphState::NeedInit;
  std::unique_ptr<pnnx::Graph> source;  ///< a graph built in code, until Init
  std::shared_ptr<BuiltGraph> graph = std::make_shared<BuiltGraph>();
  std::unique_ptr<Runner> runner;  ///< from Build on
  std::size_t default_input = 0;
  std::size_t default_output = 0;
  std::optional<OutputSpecs> free_outputs;  ///< outputs of a graph without a plan; set by the first question for them

  /// Reads the files, or takes the graph that was built in code. Throws Error and sets `error` to its text.
  void Load(WeightReading reading);

  /// Fills the members of the operators that only programs read: parameters and tensors.
  void Show() const;

  Runner& built() const {
    if (state != GraphState::Complete) throw Error(ErrorCode::kState, "the graph is not built yet: call Build first");
    return *runner;
  }

  /// The value of the operand in the last run. Throws if it was not kept.
  Value OperandValue(const std::string& operand_name) const;
};

}  // namespace kuiper_infer
