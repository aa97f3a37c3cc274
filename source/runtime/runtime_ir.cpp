// SPDX-License-Identifier: MIT
// Loading and building; runs are in runtime_ir_run.cpp, questions about a graph in runtime_ir_report.cpp.
#include <algorithm>

#include <glog/logging.h>

#include "runtime/classic_layer.hpp"
#include "runtime/graph_builder.hpp"
#include "runtime/runtime_graph_impl.hpp"

namespace kuiper_infer {

RuntimeGraph::RuntimeGraph(std::string param_path, std::string bin_path) : impl_(std::make_unique<Impl>()) {
  impl_->param_path = std::move(param_path);
  impl_->bin_path = std::move(bin_path);
}

RuntimeGraph::RuntimeGraph(std::unique_ptr<pnnx::Graph> graph) : impl_(std::make_unique<Impl>()) {
  impl_->source = std::move(graph);
}

RuntimeGraph::~RuntimeGraph() = default;
RuntimeGraph::RuntimeGraph(RuntimeGraph&&) noexcept = default;
RuntimeGraph& RuntimeGraph::operator=(RuntimeGraph&&) noexcept = default;

void RuntimeGraph::set_param_path(const std::string& param_path) { impl_->param_path = param_path; }
void RuntimeGraph::set_bin_path(const std::string& bin_path) { impl_->bin_path = bin_path; }
const std::string& RuntimeGraph::param_path() const { return impl_->param_path; }
const std::string& RuntimeGraph::bin_path() const { return impl_->bin_path; }
const std::string& RuntimeGraph::last_error() const { return impl_->error; }
GraphState RuntimeGraph::graph_state() const { return impl_->state; }

bool RuntimeGraph::Init() {
  try {
    Operators operators;
    if (impl_->source != nullptr) {
      operators = TranslateGraph(*impl_->source);
    } else {
      pnnx::Graph graph;
      graph.Load(impl_->param_path, impl_->bin_path);
      operators = TranslateGraph(graph);
    }
    if (operators.empty()) throw Error(ErrorCode::kGraph, "the graph has no operators");
    impl_->operators = std::move(operators);
  } catch (const Error& error) {
    impl_->error = error.what();
    LOG(ERROR) << error.what();
    return false;
  } catch (const std::bad_alloc&) {
    impl_->error = impl_->param_path + ": not enough memory to load the model";
    LOG(ERROR) << impl_->error;
    return false;
  }
  impl_->source.reset();
  impl_->error.clear();
  impl_->state = GraphState::NeedBuild;
  return true;
}

void RuntimeGraph::Build(const std::string& input_name, const std::string& output_name) {
  if (impl_->state == GraphState::Complete) return;
  if (impl_->state == GraphState::NeedInit && !Init()) throw Error(ErrorCode::kFile, impl_->error);
  Impl& impl = *impl_;
  const std::string unsupported = UnsupportedOperators(impl.operators);
  if (!unsupported.empty()) {
    throw Error(ErrorCode::kUnsupported, "operator types that are not supported: " + unsupported);
  }
  for (const auto& op : impl.operators) op->has_forward = false;
  impl.order = SortDepthFirst(impl.operators);
  impl.inputs = InputOperators(impl.operators);
  impl.outputs = OutputOperators(impl.operators);
  for (const auto& output : impl.outputs) {
    if (output->input_operands_seq.size() != 1) {
      throw Error(ErrorCode::kGraph, "operator '" + output->name + "' (pnnx.Output) needs exactly one input");
    }
  }
  for (const auto& input : impl.inputs) {
    if (input->output_operands_seq.size() != 1) {
      throw Error(ErrorCode::kGraph, "operator '" + input->name + "' (pnnx.Input) needs exactly one output");
    }
  }
  if (impl.outputs.empty()) throw Error(ErrorCode::kGraph, "the graph has no pnnx.Output");
  impl.default_input = input_name.empty() ? 0 : impl.Find(impl.inputs, input_name, "input");
  impl.default_output = output_name.empty() ? 0 : impl.Find(impl.outputs, output_name, "output");
  for (const auto& op : impl.order) {
    if (op->type != "pnnx.Input" && op->type != "pnnx.Output") op->layer = CreateLayer(op);
  }
  impl.given.assign(impl.inputs.size(), NdArray());
  const bool all_static =
      std::all_of(impl.inputs.begin(), impl.inputs.end(), [](const auto& input) { return Impl::IsStatic(*input); });
  if (all_static) {
    std::vector<TensorSpec> specs;
    for (const auto& input : impl.inputs) {
      const TensorSpec recorded = Impl::RecordedSpec(*input);
      specs.emplace_back(recorded.type, recorded.shape);
    }
    Impl::Planned& plan = impl.PlanFor(specs, false);
    for (const std::string& warning : plan.program->warnings) LOG(WARNING) << warning;
    plan.context = std::make_unique<ExecutionContext>(plan.program);
  }
  RuntimeOperatorUtils::InitOperatorInput(impl.order);
  for (const auto& op : impl.order) {
    for (const auto& operand : op->output_operands_seq) {
      if (operand->datas.empty()) AllocateOperandTensors(*operand);
    }
  }
  impl.state = GraphState::Complete;
}

void RuntimeGraph::Build() { Build("", ""); }

std::unique_ptr<RuntimeGraph> RuntimeGraph::Subgraph(const std::vector<std::string>& input_operands,
                                                     const std::vector<std::string>& output_operands) const {
  if (impl_->state == GraphState::NeedInit)
    throw Error(ErrorCode::kState, "the graph is not loaded yet: call Init first");
  auto graph = std::make_unique<RuntimeGraph>(impl_->param_path, impl_->bin_path);
  graph->impl_->operators = CutSubgraph(impl_->operators, input_operands, output_operands);
  graph->impl_->state = GraphState::NeedBuild;
  return graph;
}

void RuntimeGraph::set_num_threads(int count) { impl_->threads = count; }
void RuntimeGraph::set_build_options(const BuildOptions& options) { impl_->options = options; }

std::shared_ptr<Layer> RuntimeGraph::CreateLayer(const std::shared_ptr<RuntimeOperator>& op) {
  return LayerRegisterer::CreateLayer(op);
}

}  // namespace kuiper_infer
