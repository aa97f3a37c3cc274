// SPDX-License-Identifier: MIT
#include "kuiper_infer/model.hpp"

#include <map>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "borrowed_arrays.hpp"
#include "build_options.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "parts.hpp"
#include "run_call.hpp"
#include "runtime/pnnx/foreign_files.hpp"

namespace kuiper_infer::python {
namespace {

Model LoadFiles(const nb::bytes& param, const nb::bytes& bin, const nb::dict& given) {
  const std::string param_path = PathOf(param);
  const std::string bin_path = PathOf(bin);
  const BuildOptions options = BuildOptionsOf(given);
  const nb::gil_scoped_release release;
  return Model::Load(param_path, bin_path, options);
}

Model LoadBytes(const nb::bytes& param, const nb::bytes& bin, const nb::dict& given) {
  const BuildOptions options = BuildOptionsOf(given);
  const nb::gil_scoped_release release;
  return Model::LoadFromMemory({param.c_str(), param.size()}, {bin.c_str(), bin.size()}, options);
}

/// (name, element type, shape); element type and shape are None if they are not known.
nb::tuple Description(const std::string& name, const TensorSpec& spec) {
  if (spec.type == RuntimeDataType::kTypeUnknown) return nb::make_tuple(Text(name), nb::none(), nb::none());
  return nb::make_tuple(Text(name), TypeName(spec.type), ShapeTuple(spec.shape));
}

nb::list Inputs(const Model& model) {
  nb::list inputs;
  for (const Model::Input& input : model.inputs()) inputs.append(Description(input.name, input.spec));
  return inputs;
}

/// All arrays of the outputs.
nb::list Descriptions(const std::vector<Model::Output>& outputs) {
  nb::list list;
  for (const Model::Output& output : outputs) {
    const std::vector<std::string> names = output.array_names();
    for (std::size_t i = 0; i < names.size(); ++i) list.append(Description(names[i], output.specs[i]));
  }
  return list;
}

/// (input, output, element type, shape, axis, window, most elements, kept type) of each state; the axis is None if the
/// state is replaced in each run, the window if it keeps all elements, the number if it may have any.
nb::list States(const Model& model) {
  nb::list states;
  for (const RuntimeGraph::State& state : model.states()) {
    const nb::object axis = state.axis < 0 ? nb::none() : nb::object(nb::int_(state.axis));
    const nb::object window = state.window > 0 ? nb::object(nb::int_(state.window)) : nb::none();
    const nb::object most = state.max_length > 0 ? nb::object(nb::int_(state.max_length)) : nb::none();
    states.append(nb::make_tuple(Text(state.input), Text(state.output), TypeName(state.spec.type),
                                 ShapeTuple(state.spec.shape), axis, window, most, TypeName(state.kept)));
  }
  return states;
}

/// The outputs for inputs of other shapes than the recorded ones, in the order of the model's inputs.
nb::list OutputsFor(const Model& model, const std::vector<Shape>& ordered) {
  std::vector<Model::Output> outputs;
  {
    std::map<std::string, Shape> shapes;
    for (std::size_t i = 0; i < ordered.size(); ++i) shapes[model.inputs().at(i).name] = ordered[i];
    const nb::gil_scoped_release release;
    const std::unique_ptr<RuntimeGraph> graph = model.NewGraph();
    graph->InferShapes(shapes);
    for (const std::string& name : model.output_names()) outputs.push_back({name, graph->output_specs(name)});
  }
  return Descriptions(outputs);
}

/// Runs on arrays in the order of the model's inputs.
nb::list Run(const Model& model, const nb::sequence& given, int threads, std::optional<double> deadline,
             const CancelToken* cancel, const nb::object& progress) {
  return RunOn(model, given, threads, deadline, cancel, progress,
               [&](const std::map<std::string, NdArray>& arrays, const RunOptions& options) {
                 return model.Run(arrays, options);
               });
}

}  // namespace

void AddModel(nb::module_& module) {
  nb::class_<CancelToken>(module, "CancelToken",
                          "A request to stop, which any thread may make at any time.\n\n"
                          "Given to runs by RunOptions; those that are under way end with KuiperError (CANCELLED) "
                          "between two operators.")
      .def(nb::init<>())
      .def("cancel", &CancelToken::Cancel, "Makes the request.")
      .def("reset", &CancelToken::Reset, "Withdraws it, so that the token can serve once more.")
      .def_prop_ro("cancelled", &CancelToken::cancelled, "Whether the request has been made.");
  module.def(
      "read_address",
      [](const nb::object& array) {
        BorrowedArrays borrowed;
        return reinterpret_cast<std::uintptr_t>(borrowed.Add(array, [] { return std::string("the array"); }).raw());
      },
      nb::arg("array"), "Where a model would read an array: its own memory, unless it has to be copied.");
  module.def(
      "way_from_foreign_file", [](const nb::bytes& path) { return Text(pnnx::WayFromForeignFile(PathOf(path))); },
      nb::arg("path"),
      "What a file of another format is, by its name, and how a model comes of it; empty for other names.");
  nb::class_<Model>(module, "Model")
      .def_static("load_files", &LoadFiles, nb::arg("param"), nb::arg("bin"), nb::arg("options"))
      .def_static("load_bytes", &LoadBytes, nb::arg("param"), nb::arg("bin"), nb::arg("options"))
      .def("inputs", &Inputs)
      .def("outputs", [](const Model& model) { return Descriptions(model.outputs()); })
      .def("outputs_for", &OutputsFor, nb::arg("shapes"))
      .def("states", &States)
      .def("session", &Model::NewSession, nb::call_guard<nb::gil_scoped_release>())
      .def("run", &Run, nb::arg("arrays"), nb::arg("threads"), nb::arg("deadline").none(), nb::arg("cancel").none(),
           nb::arg("progress").none());
}

}  // namespace kuiper_infer::python
