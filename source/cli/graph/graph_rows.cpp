// SPDX-License-Identifier: MIT
#include "cli/graph/graph_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace kuiper_infer::cli {
namespace {

std::string TypesOf(const GraphRow& row) {
  std::string text;
  for (const RuntimeOperator* op : row.operators) text += op->type + "\n";
  return text;
}

bool IsBorder(const RuntimeOperator& op) { return op.type == "pnnx.Input" || op.type == "pnnx.Output"; }

std::unordered_map<std::string, GraphRow> CollectSteps(const Steps& steps) {
  std::unordered_map<std::string, GraphRow> collected;
  for (const auto& step : steps) {
    GraphRow& row = collected[step.name];
    row.has_step = true;
    row.seconds += step.seconds;
    row.channels_last = row.channels_last || step.channels_last;
    row.stored = step.stored;
    if (!step.method.empty()) row.method = step.method;
  }
  return collected;
}

/// Rows in the file's order. If `join`, an operator without a step is added to the last row that it reads, or left out
/// if it reads nothing.
std::vector<GraphRow> CollectRows(const RuntimeGraph& graph, const Steps& steps, bool join) {
  const std::unordered_map<std::string, GraphRow> by_name = CollectSteps(steps);
  std::vector<GraphRow> rows;
  std::unordered_map<const RuntimeOperand*, std::size_t> producers;
  for (const auto& op : graph.operators()) {
    std::set<std::size_t> inputs;
    for (const auto& operand : op->input_operands_seq) {
      const auto producer = producers.find(operand.get());
      if (producer != producers.end()) inputs.insert(producer->second);
    }
    const auto step = by_name.find(op->name);
    const bool alone = !join || step != by_name.end() || IsBorder(*op);
    if (!alone && inputs.empty()) continue;
    std::size_t at = rows.size();
    if (alone) {
      rows.push_back(step != by_name.end() ? step->second : GraphRow{});
    } else {
      at = *inputs.rbegin();
      inputs.erase(at);
    }
    rows[at].operators.push_back(op.get());
    for (const std::size_t input : inputs) {
      auto& known = rows[at].inputs;
      if (std::find(known.begin(), known.end(), input) == known.end()) known.push_back(input);
    }
    for (const auto& operand : op->output_operands_seq) producers[operand.get()] = at;
  }
  return rows;
}

/// A number for each row; rows of equal text have equal numbers. Inputs and outputs are equal to none.
std::vector<int> NumberByText(const std::vector<GraphRow>& rows,
                              const std::function<std::string(const GraphRow&)>& text) {
  std::map<std::string, int> numbers;
  std::vector<int> numbered;
  for (const GraphRow& row : rows) {
    const RuntimeOperator& first = *row.operators.front();
    const std::string key = IsBorder(first) ? first.type + " " + first.name : text(row);
    numbered.push_back(numbers.emplace(key, static_cast<int>(numbers.size())).first->second);
  }
  return numbered;
}

/// Whether row j reads the same rows as row i, or rows that follow these by j - i rows.
bool ReadsAlike(const std::vector<GraphRow>& rows, std::size_t i, std::size_t j) {
  const auto& from = rows[i].inputs;
  const auto& to = rows[j].inputs;
  if (from.size() != to.size()) return false;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (to[k] != from[k] && to[k] - from[k] != j - i) return false;
  }
  return true;
}

std::size_t CountShown(const std::vector<Fold>& folds) {
  std::size_t count = 0;
  for (const Fold& fold : folds) count += fold.parts.empty() ? 1 : CountShown(fold.parts);
  return count;
}

std::vector<Fold> FoldRows(const std::vector<GraphRow>& rows) {
  const std::vector<int> exact = NumberByText(rows, [](const GraphRow& row) {
    return TypesOf(row) + row.Title() + ShapeString(row.OutputShape()) + row.method + (row.channels_last ? "1" : "0") +
           TypeName(row.stored);
  });
  const auto repeats = [&](std::size_t i, std::size_t j) { return exact[i] == exact[j] && ReadsAlike(rows, i, j); };
  const std::vector<Fold> folds = FoldRepeats(rows.size(), repeats);
  constexpr std::size_t kScreen = 50;
  if (CountShown(folds) <= kScreen) return folds;
  // Repeats of one row still have to be equal: successive convolutions often differ in kind but not in type.
  const std::vector<int> types = NumberByText(rows, TypesOf);
  return FoldRepeats(rows.size(),
                     [&](std::size_t i, std::size_t j) { return j - i == 1 ? repeats(i, j) : types[i] == types[j]; });
}

GraphRows Assemble(std::vector<GraphRow> rows, std::vector<Fold> folds) {
  GraphRows graph{std::move(rows), std::move(folds), {}, {}};
  graph.repeats = RepeatsOf(graph.folds, graph.rows.size());
  graph.shown.resize(graph.rows.size());
  for (std::size_t row = 0; row < graph.rows.size(); ++row) {
    for (const std::size_t repeat : graph.repeats[row]) graph.shown[repeat] = row;
  }
  return graph;
}

GraphRows AssembleUnfolded(std::vector<GraphRow> rows) {
  std::vector<Fold> folds(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) folds[row].first = row;
  return Assemble(std::move(rows), std::move(folds));
}

}  // namespace

bool GraphRow::IsBorder() const { return cli::IsBorder(*operators.front()); }

Shape GraphRow::OutputShape() const {
  const RuntimeOperator& last = *operators.back();
  const auto& operands = last.type == "pnnx.Output" ? last.input_operands_seq : last.output_operands_seq;
  if (operands.empty() || !operands.front()->has_shape) return {};
  return {operands.front()->shapes.begin(), operands.front()->shapes.end()};
}

double GraphRows::Seconds(std::size_t row) const {
  double seconds = 0;
  for (const std::size_t repeat : repeats[row]) seconds += rows[repeat].seconds;
  return seconds;
}

std::vector<std::size_t> GraphRows::Inputs(std::size_t row) const {
  std::set<std::size_t> inputs;
  for (const std::size_t input : rows[row].inputs) inputs.insert(shown[input]);
  inputs.erase(row);
  return {inputs.begin(), inputs.end()};
}

GraphRows SingleRows(const RuntimeGraph& graph, const Steps& steps) {
  return AssembleUnfolded(CollectRows(graph, steps, false));
}

GraphRows StepRows(const RuntimeGraph& graph, const Steps& steps) {
  return AssembleUnfolded(CollectRows(graph, steps, true));
}

GraphRows FoldedRows(const RuntimeGraph& graph, const Steps& steps) {
  std::vector<GraphRow> rows = CollectRows(graph, steps, true);
  std::vector<Fold> folds = FoldRows(rows);
  return Assemble(std::move(rows), std::move(folds));
}

}  // namespace kuiper_infer::cli
