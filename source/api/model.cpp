// SPDX-License-Identifier: MIT
#include "kuiper_infer/model.hpp"

#include <mutex>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/pnnx/load_graph.hpp"

namespace kuiper_infer {

struct Model::Impl {
  explicit Impl(RuntimeGraph loaded) : graph(std::move(loaded)) {
    graph.Build();
    for (const std::string& name : graph.input_names()) inputs.push_back({name, graph.input_spec(name)});
    output_names = graph.output_names();
    for (const std::string& name : output_names) outputs.push_back({name, graph.output_specs(name)});
  }

  /// A session that no other thread uses.
  Session Take() {
    const std::lock_guard<std::mutex> lock(mutex);
    if (idle.empty()) return graph.NewSession();
    Session session = std::move(idle.back());
    idle.pop_back();
    return session;
  }

  void Return(Session session) {
    const std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(session));
  }

  RuntimeGraph graph;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<std::string> output_names;
  std::mutex mutex;
  std::vector<Session> idle;
};

Model Model::Load(const std::string& param_path, const std::string& bin_path, const BuildOptions& options) {
  RuntimeGraph graph(param_path, bin_path);
  graph.set_build_options(options);
  return Model(std::make_shared<Impl>(std::move(graph)));
}

Model Model::LoadFromMemory(std::string_view param_text, std::string_view bin_bytes, const BuildOptions& options) {
  // The graph is built before the call ends, so weights are read in place.
  RuntimeGraph graph(
      LoadGraphFromMemory(param_text, bin_bytes, options.max_memory_bytes, WeightReading::kWhenNeeded).graph);
  graph.set_build_options(options);
  return Model(std::make_shared<Impl>(std::move(graph)));
}

std::vector<std::string> Model::Output::array_names() const {
  if (specs.size() == 1) return {name};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < specs.size(); ++i) names.push_back(name + "." + std::to_string(i));
  return names;
}

const std::vector<Model::Input>& Model::inputs() const { return impl_->inputs; }
const std::vector<Model::Output>& Model::outputs() const { return impl_->outputs; }
const std::vector<std::string>& Model::output_names() const { return impl_->output_names; }

Session Model::NewSession() const { return impl_->graph.NewSession(); }
std::vector<RuntimeGraph::State> Model::states() const { return impl_->graph.states(); }

std::unique_ptr<RuntimeGraph> Model::NewGraph() const { return impl_->graph.Duplicate(); }

std::vector<NdArray> Model::Run(const std::map<std::string, NdArray>& inputs, const RunOptions& options) const {
  // An input that is not given must not keep the array of an earlier run.
  for (const Input& input : impl_->inputs) {
    if (inputs.count(input.name) == 0) throw Error(ErrorCode::kInput, "input '" + input.name + "' is not given");
  }
  // After an error the session goes; the next run makes a new one.
  Session session = impl_->Take();
  session.Reset();
  for (const auto& [name, array] : inputs) session.set_input(name, array);
  session.Run(options);
  std::vector<NdArray> outputs = session.outputs();
  impl_->Return(std::move(session));
  return outputs;
}

std::vector<NdArray> Model::Run(const NdArray& input, const RunOptions& options) const {
  if (impl_->inputs.size() != 1) {
    throw Error(ErrorCode::kInput,
                "the model has " + std::to_string(impl_->inputs.size()) + " inputs: give them by their names");
  }
  return Run(std::map<std::string, NdArray>{{impl_->inputs.front().name, input}}, options);
}

}  // namespace kuiper_infer
