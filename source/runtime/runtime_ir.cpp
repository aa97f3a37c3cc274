// SPDX-License-Identifier: MIT
// Loading and building; runs are in runtime_ir_run.cpp, questions about a graph in runtime_ir_report.cpp.
#include <algorithm>
#include <filesystem>

#include "data/cache_file.hpp"
#include "data/memory_budget.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/layer/abstract/operator_layer.hpp"
#include "operation/weights/weight.hpp"
#include "runtime/graph_builder.hpp"
#include "runtime/library_identity.hpp"
#include "runtime/pnnx/load_graph.hpp"
#include "runtime/runtime_graph_impl.hpp"
#include "utils/system/log.hpp"
#include "utils/system/memory_block.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {

namespace {

/// Bytes of the weights that are in memory. Weights that are read later are counted then.
int64_t WeightBytes(const pnnx::Graph& graph) {
  int64_t bytes = 0;
  for (const pnnx::Operator* op : graph.ops) {
    for (const auto& [name, attribute] : op->attrs) bytes += static_cast<int64_t>(attribute.data.size());
  }
  return bytes;
}

/// The cache of a model with these weights; null if no folder is named or if the model has no archive.
std::shared_ptr<CacheFile> OpenCache(const std::string& folder, const std::string& bin_path,
                                     const std::string& weights) {
  if (folder.empty() || weights.empty()) return nullptr;
  const std::string origin = LibraryIdentity() + "\n" + CpuIdentity() + "\n" + weights;
  return std::make_shared<CacheFile>(folder, std::filesystem::u8path(bin_path).stem().u8string(), origin);
}

/// Reads the weights that no plan has read: a built graph needs its files no more. If products round to bfloat16, the
/// file stays open for the exact weights; then they are verified only, and the first plan reads them again.
void ReadRest(const BuiltGraph& graph) {
  for (const auto& op : graph.operators) {
    for (const auto& [name, attribute] : op->attribute) {
      if (attribute == nullptr || attribute->weight == nullptr || attribute->weight->stored() == nullptr) continue;
      if (graph.context.StoresBFloat16()) {
        attribute->weight->VerifyStored();
      } else {
        attribute->weight->values();
      }
    }
  }
}

/// Makes a plan before the first run if the sizes of the inputs are known, so that weights are packed as they are read.
/// A model with growing states that is given nothing but tokens, or frames, will most likely run one by one; if it
/// cannot, the first run says why. Free extents of further inputs, as of an encoder's results, are not known.
void PlanAhead(const std::shared_ptr<BuiltGraph>& graph, Runner& runner) {
  const auto is_static = [](const auto& input) { return BuiltGraph::IsStatic(*input); };
  if (graph->states.grows()) {
    if (graph->inputs.size() != graph->states.pairs.size() + 1) return;
    try {
      Runner(graph).PrepareStep();
    } catch (const Error&) {
    }
  } else if (std::all_of(graph->inputs.begin(), graph->inputs.end(), is_static)) {
    ProgramKey key;
    for (const auto& input : graph->inputs) {
      const TensorSpec recorded = BuiltGraph::RecordedSpec(*input);
      key.specs.emplace_back(recorded.type, recorded.shape);
    }
    runner.Prepare(key);
    for (const std::string& warning : runner.current()->program->warnings) Log(Severity::kWarning, warning);
  }
}

/// Whether a creator that the program registered will make layers. It may look at any operator of the graph.
bool HasLayersOfProgram(const Operators& operators) {
  const auto& registry = LayerRegisterer::Registry();
  return std::any_of(operators.begin(), operators.end(), [&](const auto& op) {
    const auto creator = registry.find(op->type);
    return creator != registry.end() && creator->second != OperatorLayer::GetInstance;
  });
}

void CheckBorders(const BuiltGraph& graph) {
  for (const auto& output : graph.outputs) {
    if (output->input_operands_seq.size() != 1) {
      throw Error(ErrorCode::kGraph, "operator '" + output->name + "' (pnnx.Output) needs exactly one input");
    }
    if (!output->output_operands_seq.empty()) {
      throw Error(ErrorCode::kGraph, "operator '" + output->name + "' (pnnx.Output) has outputs, expected none");
    }
  }
  for (const auto& input : graph.inputs) {
    if (input->output_operands_seq.size() != 1) {
      throw Error(ErrorCode::kGraph, "operator '" + input->name + "' (pnnx.Input) needs exactly one output");
    }
  }
  if (graph.outputs.empty()) throw Error(ErrorCode::kGraph, "the graph has no pnnx.Output");
}

}  // namespace

RuntimeGraph::RuntimeGraph(std::string param_path, std::string bin_path) : impl_(std::make_unique<Impl>()) {
  impl_->param_path = std::move(param_path);
  impl_->bin_path = std::move(bin_path);
}

RuntimeGraph::RuntimeGraph(std::unique_ptr<pnnx::Graph> graph) : impl_(std::make_unique<Impl>()) {
  impl_->source = std::move(graph);
}

RuntimeGraph RuntimeGraph::FromMemory(std::string_view param_text, std::string_view bin_bytes,
                                      const BuildOptions& options) {
  RuntimeGraph graph(LoadGraphFromMemory(param_text, bin_bytes, options.max_memory_bytes, WeightReading::kNow).graph);
  graph.set_build_options(options);
  return graph;
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

void RuntimeGraph::Impl::Load(WeightReading reading) {
  try {
    const ThreadScope threads(graph->used_threads(0));
    graph->context = MakePlanningContext(graph->options);
    const std::shared_ptr<MemoryBudget>& budget = graph->context.budget;
    const BudgetScope scope(budget);
    LoadedGraph file;
    if (source == nullptr) {
      file = LoadGraph(param_path, bin_path, graph->options.max_memory_bytes, reading);
      graph->context.cache = OpenCache(graph->options.cache_directory, bin_path, file.weights);
      if (graph->context.cache != nullptr) ReadMeasurements(graph->context);
    }
    pnnx::Graph& loaded = source != nullptr ? *source : *file.graph;
    // The budget is asked before the weights leave the graph, so that after a refusal Build may be called again.
    if (budget != nullptr) budget->Take(WeightBytes(loaded));
    Operators operators = TranslateGraph(loaded, graph->warnings);
    if (operators.empty()) throw Error(ErrorCode::kGraph, "the graph has no operators");
    graph->weights = file.weights;
    graph->SetOperators(std::move(operators));
  } catch (const Error& fault) {
    error = fault.what();
    throw;
  } catch (const std::bad_alloc&) {
    error = (source == nullptr ? param_path + ": " : "") + "not enough memory to load the model";
    throw Error(ErrorCode::kResource, error);
  }
  source.reset();
  error.clear();
  state = GraphState::NeedBuild;
}

bool RuntimeGraph::Init() {
  try {
    impl_->Load(WeightReading::kNow);
    return true;
  } catch (const Error& error) {
    Log(Severity::kError, error.what());
    return false;
  }
}

void RuntimeGraph::Build(const std::string& input_name, const std::string& output_name) {
  if (impl_->state == GraphState::Complete) return;
  if (impl_->state == GraphState::NeedInit) impl_->Load(WeightReading::kWhenNeeded);
  BuiltGraph& graph = *impl_->graph;
  const std::string unsupported = UnsupportedOperators(graph.operators);
  if (!unsupported.empty()) {
    throw Error(ErrorCode::kUnsupported, "operator types that are not supported: " + unsupported + LeftOutHint());
  }
  for (const auto& op : graph.operators) op->has_forward = false;
  graph.order = SortDepthFirst(graph.operators);
  CheckBorders(graph);
  impl_->default_input = input_name.empty() ? 0 : graph.FindInput(input_name);
  impl_->default_output = output_name.empty() ? 0 : graph.FindOutput(output_name);
  if (HasLayersOfProgram(graph.operators)) graph.ShowParameters();
  {
    const BudgetScope budget(graph.context.budget);
    for (const auto& op : graph.order) {
      if (op->type != "pnnx.Input" && op->type != "pnnx.Output") op->layer = CreateLayer(op);
    }
  }
  for (const std::string& warning : graph.warnings) Log(Severity::kWarning, warning);
  auto runner = std::make_unique<Runner>(impl_->graph);
  PlanAhead(impl_->graph, *runner);
  {
    const BudgetScope budget(graph.context.budget);
    const ThreadScope threads(graph.used_threads(0));
    ReadRest(graph);
  }
  if (graph.shows_parameters()) graph.AllocateTensors();
  impl_->runner = std::move(runner);
  impl_->state = GraphState::Complete;
  ReturnFreePages();  // most weights have given way to packed ones
}

void RuntimeGraph::Build() { Build("", ""); }

std::unique_ptr<RuntimeGraph> RuntimeGraph::Subgraph(const std::vector<std::string>& input_operands,
                                                     const std::vector<std::string>& output_operands) const {
  if (impl_->state == GraphState::NeedInit)
    throw Error(ErrorCode::kState, "the graph is not loaded yet: call Init first");
  auto graph = std::make_unique<RuntimeGraph>(impl_->param_path, impl_->bin_path);
  graph->impl_->graph->options = impl_->graph->options;
  graph->impl_->graph->options.states.clear();  // the parts of a model have other inputs and outputs
  graph->impl_->graph->context = impl_->graph->context;
  graph->impl_->graph->warnings = impl_->graph->warnings;
  {
    const std::lock_guard<std::mutex> lock(impl_->graph->parameters_mutex());
    graph->impl_->graph->SetOperators(CutSubgraph(impl_->graph->operators, input_operands, output_operands));
  }
  graph->impl_->state = GraphState::NeedBuild;
  return graph;
}

std::unique_ptr<RuntimeGraph> RuntimeGraph::Duplicate() const {
  const BuiltGraph& graph = impl_->built().graph();
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  for (const auto& input : graph.inputs) inputs.push_back(input->output_operands->name);
  for (const auto& output : graph.outputs) outputs.push_back(output->input_operands_seq.front()->name);
  std::unique_ptr<RuntimeGraph> copy = Subgraph(inputs, outputs);
  BuiltGraph& copied = *copy->impl_->graph;
  for (std::size_t i = 0; i < inputs.size(); ++i) copied.inputs[i]->name = graph.inputs[i]->name;
  for (std::size_t i = 0; i < outputs.size(); ++i) copied.outputs[i]->name = graph.outputs[i]->name;
  for (const StatePair& pair : graph.states.pairs) {
    copied.options.states.push_back({std::to_string(pair.output), pair.name, pair.window});
  }
  copied.weights = graph.weights;
  copied.SetOperators(copied.operators);
  copied.threads = graph.threads.load();
  copy->Build();
  return copy;
}

Session RuntimeGraph::NewSession() const {
  impl_->built();
  return Session(impl_->graph);
}

void RuntimeGraph::set_num_threads(int count) { impl_->graph->threads = count; }
void RuntimeGraph::set_build_options(const BuildOptions& options) {
  if (impl_->state != GraphState::NeedInit) throw Error(ErrorCode::kState, "build options have to be set before Init");
  impl_->graph->options = options;
  if (options.num_threads > 0) impl_->graph->threads = options.num_threads;
}

std::shared_ptr<Layer> RuntimeGraph::CreateLayer(const std::shared_ptr<RuntimeOperator>& op) {
  return LayerRegisterer::CreateLayer(op);
}

}  // namespace kuiper_infer
