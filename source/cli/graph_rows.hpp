// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/graph_folding.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::cli {

/// Operators that a drawing shows as one: one that takes a step of its own, and behind it those without, which are
/// joined with a neighbour or are views.
struct GraphRow {
  std::vector<const RuntimeOperator*> operators;
  std::vector<std::size_t> inputs;  ///< rows whose results it reads, each once
  bool has_step = false;
  bool channels_last = false;
  RuntimeDataType stored = RuntimeDataType::kTypeUnknown;  ///< elements of the step's first output
  std::string method;                                      ///< how the step is computed, where there is a choice
  double seconds = 0;                                      ///< of the step

  const std::string& Name() const { return operators.front()->name; }
  bool IsBorder() const;      ///< an input or an output of the model
  std::string Title() const;  ///< the first operator's type, then a short "+ type" for the others
  Shape OutputShape() const;  ///< of the last operator, of a pnnx.Output its input; empty where it is not known
};

/// What a drawing shows: rows, and how repeats of them are folded.
struct GraphRows {
  std::vector<GraphRow> rows;
  std::vector<Fold> folds;
  std::vector<std::vector<std::size_t>> repeats;  ///< as RepeatsOf gives them
  std::vector<std::size_t> shown;                 ///< the row that stands for each row

  std::string ShapeText(std::size_t row) const;   ///< "(1,64..256,56,56)" where its repeats differ; empty: not known
  std::string MethodText(std::size_t row) const;  ///< those of all repeats, the layout, and elements that aren't floats
  double Seconds(std::size_t row) const;          ///< of all repeats
  std::vector<std::size_t> Inputs(std::size_t row) const;  ///< rows that are shown
};

/// Every operator in a row of its own.
GraphRows SingleRows(const RuntimeGraph& graph, const Steps& steps);

/// Rows of steps, constants left out.
GraphRows StepRows(const RuntimeGraph& graph, const Steps& steps);

/// Rows of steps. Those that repeat others of the same types, shapes and methods, read in the same
/// way, are folded; where that leaves more than a screen, so are several rows whose types alone repeat.
GraphRows FoldedRows(const RuntimeGraph& graph, const Steps& steps);

}  // namespace kuiper_infer::cli
