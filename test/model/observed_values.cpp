// SPDX-License-Identifier: MIT
#include "model/observed_values.hpp"

#include <algorithm>
#include <complex>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "model/op_case.hpp"
#include "runtime/preserved_operands.hpp"

namespace kuiper_infer::test {
namespace {

using Operands = std::vector<pnnx::Operand*>;
using Number = std::pair<double, double>;

/// Returns the elements of an array as complex numbers, without NaN.
std::vector<Number> Elements(const NdArray& array) {
  const NdArray wide = array.To(RuntimeDataType::kTypeComplex128).Contiguous();
  std::vector<Number> numbers;
  for (int64_t i = 0; i < wide.size(); ++i) {
    const std::complex<double> number = wide.data<std::complex<double>>()[i];
    if (number == number) numbers.emplace_back(number.real(), number.imag());
  }
  return numbers;
}

/// The arrays of a case after a run that kept every operand.
class KeptArrays {
 public:
  explicit KeptArrays(const RuntimeGraph& graph) : graph_(graph) {}

  /// Returns the arrays among operands. For a list, which is no array itself, these are the arrays that it was made of
  /// or taken apart into.
  std::vector<NdArray> Find(const Operands& operands) const {
    std::vector<NdArray> arrays;
    for (const pnnx::Operand* operand : operands) {
      if (graph_.holds_array(operand->name)) {
        arrays.push_back(graph_.operand_array(operand->name));
        continue;
      }
      Operands parts = operand->producer != nullptr ? PreservedOperands(*operand->producer) : Operands();
      const bool taken = operand->consumers.size() == 1 && operand->consumers[0]->type == "prim::ListUnpack";
      if (taken) parts = operand->consumers[0]->outputs;
      const std::vector<NdArray> items = Find(parts);
      arrays.insert(arrays.end(), items.begin(), items.end());
    }
    return arrays;
  }

 private:
  const RuntimeGraph& graph_;
};

/// Returns whether a result is floating and not zero everywhere. Other results cannot show whether an operator moves or
/// computes.
bool TellSomething(const std::vector<NdArray>& results) {
  return std::any_of(results.begin(), results.end(), [](const NdArray& result) {
    const std::vector<Number> elements = Elements(result);
    return IsFloating(result.type()) &&
           std::any_of(elements.begin(), elements.end(), [](const Number& n) { return n != Number(0, 0); });
  });
}

void Observe(const OpCase& op_case, std::map<std::string, ObservedValues>& found) {
  const std::string folder = WriteModel(op_case);
  pnnx::Graph file;
  if (file.load(folder + "/model.param", folder + "/model.bin") != 0) throw std::runtime_error(op_case.text());
  RuntimeGraph graph(folder + "/model.param", folder + "/model.bin");
  graph.Build();
  const std::vector<NdArray> inputs = Arrays(op_case, "in");
  for (const std::string& name : graph.input_names()) graph.set_input(name, InputFor(name, inputs));
  graph.Forward(true);
  std::filesystem::remove_all(folder);
  const KeptArrays kept(graph);
  for (const pnnx::Operator* op : file.ops) {
    const std::vector<NdArray> results = kept.Find(op->outputs);
    if (op->inputs.empty() || results.empty() || op->type == "pnnx.Output") continue;
    const std::vector<NdArray> sources = kept.Find(PreservedOperands(*op));
    ObservedValues& type = found[op->type];
    if (!sources.empty()) {
      type.claimed.push_back(op_case.text());
      if (!HoldElementsOf(sources, results)) type.broken.push_back(op_case.text());
    }
    if (!TellSomething(results)) continue;
    ++(HoldElementsOf(kept.Find(op->inputs), results) ? type.preserving : type.computing);
  }
}

}  // namespace

bool HoldElementsOf(const std::vector<NdArray>& sources, const std::vector<NdArray>& results) {
  std::set<Number> known{{0, 0}};
  for (const NdArray& source : sources) {
    const std::vector<Number> elements = Elements(source);
    known.insert(elements.begin(), elements.end());
  }
  return std::all_of(results.begin(), results.end(), [&](const NdArray& result) {
    const std::vector<Number> elements = Elements(result);
    return std::all_of(elements.begin(), elements.end(), [&](const Number& n) { return known.count(n) != 0; });
  });
}

std::map<std::string, ObservedValues> ObserveCases() {
  std::map<std::string, ObservedValues> found;
  ForEachOpCase([&](const OpCase& op_case) { Observe(op_case, found); });
  return found;
}

}  // namespace kuiper_infer::test
