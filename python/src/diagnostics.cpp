// SPDX-License-Identifier: MIT
// The contents of a model and the times of its operators as plain tuples and dictionaries, from which the package makes
// its objects.
#include <map>
#include <optional>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "build_options.hpp"
#include "cli/build_option_flags.hpp"
#include "cli/graph/graph_drawing.hpp"
#include "cli/report/model_report.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "model_inputs.hpp"
#include "operation/operation.hpp"
#include "parts.hpp"
#include "run_call.hpp"
#include "runtime/step_times.hpp"

namespace kuiper_infer::python {
namespace {

/// A graph of the model's with these arrays, in the order of its inputs, as inputs.
std::unique_ptr<RuntimeGraph> GraphWith(const Model& model, const BorrowedArrays& inputs) {
  std::unique_ptr<RuntimeGraph> graph = model.NewGraph();
  std::map<std::string, Shape> shapes;
  for (std::size_t i = 0; i < inputs.arrays().size(); ++i) {
    const std::string& name = model.inputs()[i].name;
    graph->set_input(name, inputs.arrays()[i]);
    shapes[name] = inputs.arrays()[i].shape();
  }
  graph->InferShapes(shapes);
  return graph;
}

nb::dict Describe(const Model& model) {
  RuntimeGraph::Report report;
  std::map<std::string, int> counts;
  {
    const nb::gil_scoped_release release;
    const std::unique_ptr<RuntimeGraph> graph = model.NewGraph();
    report = graph->report();
    for (const auto& op : graph->operators()) ++counts[op->type];
  }
  nb::dict described;
  described["parameters"] = report.parameters;
  described["weight_bytes"] = report.weight_bytes;
  described["multiply_adds"] = report.multiply_adds;
  described["planned_bytes"] = report.planned ? nb::cast(report.planned_bytes) : nb::none();
  described["largest_live_bytes"] = report.planned ? nb::cast(report.largest_live_bytes) : nb::none();
  nb::dict operators;
  for (const auto& [type, count] : counts) operators[Text(type)] = count;
  described["operators"] = operators;
  nb::list warnings;
  for (const std::string& warning : report.warnings) warnings.append(Text(warning));
  described["warnings"] = warnings;
  return described;
}

/// The steps, each in the fastest of `runs` runs, and the seconds of the fastest run from end to end.
nb::tuple Profile(const Model& model, const nb::sequence& given, int runs, int threads, std::optional<double> deadline,
                  const CancelToken* cancel, const nb::object& progress) {
  const BorrowedArrays inputs = BorrowInputs(model, given);
  Steps steps;
  double seconds = 0;
  RunWith(threads, deadline, cancel, progress, [&](const RunOptions& options) {
    const std::unique_ptr<RuntimeGraph> graph = GraphWith(model, inputs);
    steps = MeasureSteps(*graph, runs, options);
    seconds = FastestRun(*graph, runs, options);
  });
  nb::list rows;
  for (const auto& step : steps) {
    rows.append(nb::make_tuple(Text(step.name), Text(step.type), step.method, ShapeTuple(step.output), step.seconds,
                               step.multiply_adds, step.bytes));
  }
  return nb::make_tuple(rows, seconds);
}

/// The graph as it is run, as text and in Graphviz's language; with times if `runs` is not 0. `param` is the model's
/// file; it is empty if there is none.
nb::tuple Graph(const Model& model, const nb::sequence& given, const nb::bytes& param, bool full, int runs, int threads,
                std::optional<double> deadline, const CancelToken* cancel, const nb::object& progress) {
  const BorrowedArrays inputs = BorrowInputs(model, given);
  const std::string file = PathOf(param);
  std::string text;
  std::string dot;
  RunWith(threads, deadline, cancel, progress, [&](const RunOptions& options) {
    const std::unique_ptr<RuntimeGraph> graph = GraphWith(model, inputs);
    const Steps steps = MeasureSteps(*graph, std::max(1, runs), options);
    const cli::GraphRows rows = full ? cli::SingleRows(*graph, steps) : cli::FoldedRows(*graph, steps);
    const double total = runs > 0 ? TotalSeconds(steps) : 0;
    text = cli::MakeText(rows, total);
    dot = cli::MakeDot(rows, cli::CaptionOf(*graph, file, total), total);
  });
  return nb::make_tuple(Text(text), Text(dot));
}

/// The page about a run. `built_with` are the options that the model was loaded with.
std::string Report(const Model& model, const nb::sequence& given, const nb::bytes& param, const nb::bytes& bin,
                   const nb::dict& built_with, int runs, int threads, std::optional<double> deadline,
                   const CancelToken* cancel, const nb::object& progress) {
  const BorrowedArrays inputs = BorrowInputs(model, given);
  const BuildOptions build = BuildOptionsOf(built_with);
  std::map<std::string, std::string> described = cli::DescribeBuildOptions(build);
  described["inputs"] = "arrays from Python";
  const int used_threads = threads > 0 ? threads : build.num_threads;
  const cli::ReportSubject subject{PathOf(param), PathOf(bin), described, used_threads, runs};
  std::string page;
  RunWith(threads, deadline, cancel, progress,
          [&](const RunOptions& options) { page = cli::MakeReport(*GraphWith(model, inputs), subject, options); });
  return page;
}

/// Every operand's array after a run, by the operands' names. Operands that hold numbers or lists are left out.
nb::dict Operands(const Model& model, const nb::sequence& given) {
  const BorrowedArrays inputs = BorrowInputs(model, given);
  std::vector<std::pair<std::string, NdArray>> arrays;
  {
    const nb::gil_scoped_release release;
    const std::unique_ptr<RuntimeGraph> graph = GraphWith(model, inputs);
    graph->Forward(true);
    for (const auto& op : graph->get_topo_queues()) {
      for (const auto& operand : op->output_operands_seq) {
        if (graph->holds_array(operand->name)) arrays.emplace_back(operand->name, graph->operand_array(operand->name));
      }
    }
  }
  nb::dict found;
  for (const auto& [name, array] : arrays) found[Text(name)] = NumpyArray(array);
  return found;
}

/// (type, family, arguments) of every spelling of an operator.
nb::list Operations() {
  nb::list list;
  for (const auto& [type, overloads] : OperationTable::Instance().rows()) {
    for (const Operation& operation : overloads) {
      list.append(nb::make_tuple(type, operation.family(), operation.schema->text()));
    }
  }
  return list;
}

/// Adds a function whose last arguments are the options of its runs.
template <typename Function, typename... Arguments>
void AddMeasurement(nb::module_& module, const char* name, Function function, const Arguments&... arguments) {
  module.def(name, function, arguments..., nb::arg("threads"), nb::arg("deadline").none(), nb::arg("cancel").none(),
             nb::arg("progress").none());
}

}  // namespace

void AddDiagnostics(nb::module_& module) {
  module.def("describe", &Describe, nb::arg("model"));
  AddMeasurement(module, "profile", &Profile, nb::arg("model"), nb::arg("arrays"), nb::arg("runs"));
  AddMeasurement(module, "graph", &Graph, nb::arg("model"), nb::arg("arrays"), nb::arg("param"), nb::arg("full"),
                 nb::arg("runs"));
  AddMeasurement(module, "report", &Report, nb::arg("model"), nb::arg("arrays"), nb::arg("param"), nb::arg("bin"),
                 nb::arg("built_with"), nb::arg("runs"));
  module.def("operands", &Operands, nb::arg("model"), nb::arg("arrays"));
  module.def("operations", &Operations);
}

}  // namespace kuiper_infer::python
