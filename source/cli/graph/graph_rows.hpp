// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/graph/graph_folding.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::cli {

/// Operators that a drawing shows as one row: an operator with a step of its own, and the following operators without
/// one, which are fused with a neighbour or are views.
struct GraphRow {
  std::vector<const RuntimeOperator*> operators;
  std::vector<std::size_t> inputs;  ///< rows whose results this row reads, each once
  bool has_step = false;
  bool channels_last = false;
  RuntimeDataType stored =
      RuntimeDataType::kTypeUnknown;  ///< type of the elements of the step's first output in memory
  std::string method;                 ///< the step's algorithm, if there is a choice
  double seconds = 0;                 ///< time of the step

  const std::string& Name() const { return operators.front()->name; }
  bool IsBorder() const;      ///< an input or an output of the model
  std::string Title() const;  ///< the first operator's type, then a short "+ type" for each further operator
  Shape OutputShape() const;  ///< of the last operator, or of a pnnx.Output's input; empty if it is not known
};

/// The contents of a drawing: rows, and how repeats of them are folded.
struct GraphRows {
  std::vector<GraphRow> rows;
  std::vector<Fold> folds;
  std::vector<std::vector<std::size_t>> repeats;  ///< as RepeatsOf gives them
  std::vector<std::size_t> shown;                 ///< the row that stands for each row

  std::string ShapeText(std::size_t row) const;  ///< "(1,64..256,56,56)" if its repeats differ; empty: not known
  std::string MethodText(
      std::size_t row) const;             ///< methods of all repeats, layout, and the stored type unless float32
  double Seconds(std::size_t row) const;  ///< time of all repeats
  std::vector<std::size_t> Inputs(std::size_t row) const;  ///< rows that are shown
};

/// Every operator in a row of its own.
GraphRows SingleRows(const RuntimeGraph& graph, const Steps& steps);

/// A row for each step, without constants.
GraphRows StepRows(const RuntimeGraph& graph, const Steps& steps);

/// A row for each step. Rows are folded if they repeat rows of the same types, shapes, methods and inputs. If that
/// leaves more than a screen, several rows are also folded if only their types repeat.
GraphRows FoldedRows(const RuntimeGraph& graph, const Steps& steps);

}  // namespace kuiper_infer::cli
