// SPDX-License-Identifier: MIT
#include "kuiper_infer/runtime/runtime_ir.hpp"

#include <algorithm>
#include <deque>

#include <glog/logging.h>

#include "data/convert.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/classic_layer.hpp"
#include "runtime/executor.hpp"
#include "runtime/graph_builder.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer {
namespace {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

/// All arrays in a value, depth first.
void Flatten(const Value& value, std::vector<NdArray>& arrays) {
  if (value.Is<NdArray>()) arrays.push_back(value.Get<NdArray>());
  if (value.IsNumber()) arrays.push_back(ArrayFromNumber(value));
  if (value.Is<Value::List>()) {
    for (const Value& item : value.Get<Value::List>()) Flatten(item, arrays);
  }
}

NdArray CopyOf(const NdArray& array) {
  const NdArray contiguous = array.Contiguous();
  return contiguous.raw() == array.raw() ? array.Clone() : contiguous;
}

}  // namespace

struct RuntimeGraph::Impl {
  /// A plan with the memory of its runs.
  struct Planned {
    std::vector<TensorSpec> inputs;
    bool keep_all = false;
    std::shared_ptr<const Program> program;
    std::unique_ptr<ExecutionContext> context;
  };
  static constexpr std::size_t kMostPlans = 4;

  std::string param_path;
  std::string bin_path;
  std::string error;
  GraphState state = GraphState::NeedInit;
  std::unique_ptr<pnnx::Graph> source;  ///< a graph built in code, until Init
  Operators operators;
  Operators order;
  Operators inputs;
  Operators outputs;
  std::size_t default_input = 0;
  std::size_t default_output = 0;
  std::vector<NdArray> given;   ///< per input; undefined until set
  std::vector<NdArray> arrays;  ///< the same, contiguous, as the last run read them
  std::deque<Planned> plans;    ///< most recently used first
  int threads = 0;

  void RequireBuilt() const {
    if (state != GraphState::Complete) throw Error(ErrorCode::kState, "the graph is not built yet: call Build first");
  }

  /// Null when there is none.
  std::shared_ptr<RuntimeOperand> FindOperand(const std::string& name) const;
  /// What the operand held in the last run; throws where it was not kept.
  Value OperandValue(const std::string& operand_name) const;

  static TensorSpec RecordedSpec(const RuntimeOperator& input) {
    const RuntimeOperand& operand = *input.output_operands;
    TensorSpec spec;
    spec.type = operand.type == RuntimeDataType::kTypeUnknown ? RuntimeDataType::kTypeFloat32 : operand.type;
    spec.shape.assign(operand.shapes.begin(), operand.shapes.end());
    return spec;
  }

  static bool IsStatic(const RuntimeOperator& input) {
    const RuntimeOperand& operand = *input.output_operands;
    return operand.has_shape &&
           std::all_of(operand.shapes.begin(), operand.shapes.end(), [](int32_t extent) { return extent >= 0; });
  }

  std::size_t Find(const Operators& among, const std::string& name, const char* what) const {
    std::string names;
    for (std::size_t i = 0; i < among.size(); ++i) {
      if (among[i]->name == name) return i;
      names += (i == 0 ? "'" : ", '") + among[i]->name + "'";
    }
    throw Error(ErrorCode::kInput, std::string("the model has no ") + what + " '" + name + "', it has " + names);
  }

  void CheckInput(std::size_t index, const NdArray& array) const {
    const RuntimeOperator& op = *inputs[index];
    const RuntimeOperand& operand = *op.output_operands;
    const TensorSpec recorded = RecordedSpec(op);
    const bool type_known = operand.type != RuntimeDataType::kTypeUnknown;
    if (!array.defined() || (type_known && array.type() != recorded.type) ||
        (operand.has_shape && array.rank() != recorded.rank())) {
      throw Error(ErrorCode::kInput, "input '" + op.name + "' is " + SpecString(array.spec()) + ", expected " +
                                         (type_known ? TypeName(recorded.type) : "any type") + " " +
                                         (operand.has_shape ? ShapeString(recorded.shape) : "of any shape"));
    }
  }

  /// Whether a plan was made for the arrays of this run.
  bool FitsInputs(const Planned& plan) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const TensorSpec& planned = plan.inputs[i];
      if (planned.type != arrays[i].type() || planned.shape != arrays[i].shape()) return false;
    }
    return true;
  }

  Planned& PlanFor(const std::vector<TensorSpec>& specs, bool keep_all) {
    for (auto plan = plans.begin(); plan != plans.end(); ++plan) {
      if (plan->inputs != specs || plan->keep_all != keep_all) continue;
      Planned found = std::move(*plan);
      plans.erase(plan);
      plans.push_front(std::move(found));
      return plans.front();
    }
    Planned fresh;
    fresh.inputs = specs;
    fresh.keep_all = keep_all;
    fresh.program = std::make_shared<const Program>(PlanProgram(order, specs, keep_all));
    // The arena of the oldest plan goes before that of the new one comes.
    while (plans.size() >= kMostPlans) plans.pop_back();
    plans.push_front(std::move(fresh));
    return plans.front();
  }

  /// The plan for the arrays of this run: mostly the last one, which is found without making anything.
  Planned& PlanForInputs(bool keep_all) {
    if (!plans.empty() && plans.front().keep_all == keep_all && FitsInputs(plans.front())) return plans.front();
    std::vector<TensorSpec> specs;
    for (const NdArray& array : arrays) specs.emplace_back(array.type(), array.shape());
    return PlanFor(specs, keep_all);
  }

  ExecutionContext& Execute(bool keep_all, const StepObserver& observer) {
    RequireBuilt();
    arrays.resize(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!given[i].defined()) throw Error(ErrorCode::kInput, "input '" + inputs[i]->name + "' is not set");
      const bool same = arrays[i].raw() == given[i].raw() && arrays[i].spec() == given[i].spec();
      if (!same) arrays[i] = given[i].Contiguous();
    }
    const ThreadScope scope(threads);
    Planned& plan = PlanForInputs(keep_all);
    if (plan.context == nullptr) plan.context = std::make_unique<ExecutionContext>(plan.program);
    plan.context->Run(arrays, observer);
    return *plan.context;
  }

  NdArray FromTensors(std::size_t index, const Tensors& tensors) const {
    const RuntimeOperator& op = *inputs[index];
    const TensorSpec recorded = RecordedSpec(op);
    if (tensors.empty() || tensors.front() == nullptr || tensors.front()->empty()) {
      throw Error(ErrorCode::kInput, "input '" + op.name + "' is given no tensor, expected " + SpecString(recorded));
    }
    const std::vector<uint32_t> raw = tensors.front()->raw_shapes();
    Shape element(raw.begin(), raw.end());
    const bool known = op.output_operands->has_shape;
    if (known && recorded.rank() < 2) {
      const NdArray array = NdArrayFromTensors({tensors.front()}, element, recorded.type);
      return array.Reshape(recorded.rank() == 0 ? Shape{} : Shape{array.size()});
    }
    // A tensor does not tell (1,H,W) from (H,W): the recorded rank does.
    while (known && static_cast<int64_t>(element.size()) + 1 < recorded.rank()) element.insert(element.begin(), 1);
    if (known && static_cast<int64_t>(element.size()) + 1 != recorded.rank()) {
      throw Error(ErrorCode::kInput, "input '" + op.name + "' is given tensors of shape " + ShapeString(element) +
                                         ", expected one axis less than " + ShapeString(recorded.shape));
    }
    return NdArrayFromTensors(tensors, element, recorded.type);
  }

  static void Export(const Value& value, RuntimeOperand& operand) {
    if (value.Is<NdArray>() && value.Get<NdArray>().size() > 0 && !IsComplex(value.Get<NdArray>().type())) {
      operand.datas.clear();
      NdArrayToTensors(value.Get<NdArray>(), operand.datas);
    }
  }
};

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
    const ThreadScope scope(impl.threads);
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

Tensors RuntimeGraph::Forward(const Tensors& inputs, bool debug) {
  impl_->RequireBuilt();
  if (impl_->inputs.size() != 1) {
    throw Error(ErrorCode::kInput, "the model has " + std::to_string(impl_->inputs.size()) +
                                       " inputs: give each with set_inputs, then call Forward()");
  }
  set_inputs(impl_->inputs.front()->name, inputs);
  Forward(debug);
  return get_outputs(impl_->outputs[impl_->default_output]->name);
}

void RuntimeGraph::set_inputs(const std::string& input_name, const Tensors& inputs) {
  impl_->RequireBuilt();
  const std::size_t index = impl_->Find(impl_->inputs, input_name, "input");
  const NdArray array = impl_->FromTensors(index, inputs);
  impl_->CheckInput(index, array);
  impl_->given[index] = array;
  impl_->inputs[index]->output_operands->datas = inputs;
}

void RuntimeGraph::Forward(bool debug) {
  StepObserver observer;
  if (debug) {
    observer = [](const RuntimeOperator& op, const Step& /*step*/, double seconds) {
      LOG(INFO) << op.type << " " << op.name << ": " << seconds * 1e3 << " ms";
    };
  }
  const ExecutionContext& context = impl_->Execute(debug, observer);
  if (debug) {
    for (const auto& op : impl_->order) {
      if (op->type == "pnnx.Input") continue;
      for (const auto& operand : op->output_operands_seq) Impl::Export(context.Get(operand.get()), *operand);
    }
  }
  for (const auto& output : impl_->outputs) {
    const auto& operand = output->input_operands_seq.front();
    Impl::Export(context.Get(operand.get()), *operand);
  }
}

Tensors RuntimeGraph::get_outputs(const std::string& output_name) const {
  impl_->RequireBuilt();
  const RuntimeOperator& op = *impl_->outputs[impl_->Find(impl_->outputs, output_name, "output")];
  if (impl_->plans.empty() || impl_->plans.front().context == nullptr) {
    throw Error(ErrorCode::kState, "there are no outputs before the first Forward");
  }
  std::vector<NdArray> arrays;
  Flatten(impl_->plans.front().context->Get(op.input_operands_seq.front().get()), arrays);
  Tensors tensors;
  for (const NdArray& array : arrays) {
    Tensors part;
    NdArrayToTensors(array, part);
    tensors.insert(tensors.end(), part.begin(), part.end());
  }
  return tensors;
}

std::vector<RuntimeGraph::StepProfile> RuntimeGraph::Profile() {
  std::vector<StepProfile> steps;
  double start = 0;
  impl_->Execute(false, [&](const RuntimeOperator& op, const Step& step, double seconds) {
    const Program& program = *impl_->plans.front().program;
    const auto bytes = [](const TensorSpec& spec) { return static_cast<double>(ByteCount(spec.type, spec.shape)); };
    StepProfile profile{op.name, step.layout_copy ? "layout copy" : op.type, step.method, {}, start, seconds};
    profile.multiply_adds = step.multiply_adds;
    for (const Source& source : step.inputs) {
      profile.bytes += bytes(source.slot >= 0 ? program.slots[source.slot].spec : source.constant.spec());
    }
    for (const int slot : step.outputs) profile.bytes += bytes(program.slots[slot].spec);
    if (!step.outputs.empty()) profile.output = program.slots[step.outputs.front()].spec.shape;
    steps.push_back(std::move(profile));
    start += seconds;
  });
  return steps;
}

std::vector<std::string> RuntimeGraph::input_names() const {
  std::vector<std::string> names;
  for (const auto& op : InputOperators(impl_->operators)) names.push_back(op->name);
  return names;
}

std::vector<std::string> RuntimeGraph::output_names() const {
  std::vector<std::string> names;
  for (const auto& op : OutputOperators(impl_->operators)) names.push_back(op->name);
  return names;
}

TensorSpec RuntimeGraph::input_spec(const std::string& input_name) const {
  const Operators inputs = InputOperators(impl_->operators);
  return Impl::RecordedSpec(*inputs[impl_->Find(inputs, input_name, "input")]);
}

void RuntimeGraph::set_input(const std::string& input_name, const NdArray& array) {
  impl_->RequireBuilt();
  const std::size_t index = impl_->Find(impl_->inputs, input_name, "input");
  impl_->CheckInput(index, array);
  impl_->given[index] = array;
}

void RuntimeGraph::Run() { impl_->Execute(false, {}); }

std::vector<NdArray> RuntimeGraph::outputs() const {
  impl_->RequireBuilt();
  if (impl_->plans.empty() || impl_->plans.front().context == nullptr) {
    throw Error(ErrorCode::kState, "there are no outputs before the first Run");
  }
  std::vector<NdArray> arrays;
  for (const auto& output : impl_->outputs) {
    Flatten(impl_->plans.front().context->Get(output->input_operands_seq.front().get()), arrays);
  }
  for (NdArray& array : arrays) array = CopyOf(array);
  return arrays;
}

const Operators& RuntimeGraph::operators() const { return impl_->operators; }

const Operators& RuntimeGraph::get_topo_queues() const { return impl_->order; }

bool RuntimeGraph::is_input_op(const std::string& op_name) const {
  const auto names = input_names();
  return std::find(names.begin(), names.end(), op_name) != names.end();
}

bool RuntimeGraph::is_output_op(const std::string& op_name) const {
  const auto names = output_names();
  return std::find(names.begin(), names.end(), op_name) != names.end();
}

std::shared_ptr<RuntimeOperand> RuntimeGraph::Impl::FindOperand(const std::string& name) const {
  for (const auto& op : operators) {
    for (const auto& operand : op->output_operands_seq) {
      if (operand->name == name) return operand;
    }
  }
  return nullptr;
}

std::shared_ptr<RuntimeOperand> RuntimeGraph::find_operand(const std::string& operand_name) const {
  return impl_->FindOperand(operand_name);
}

Value RuntimeGraph::Impl::OperandValue(const std::string& operand_name) const {
  RequireBuilt();
  const std::shared_ptr<RuntimeOperand> operand = FindOperand(operand_name);
  if (operand == nullptr) throw Error(ErrorCode::kInput, "the graph has no operand '" + operand_name + "'");
  if (plans.empty() || plans.front().context == nullptr) {
    throw Error(ErrorCode::kState, "operands hold nothing before the first run");
  }
  const bool border =
      std::any_of(outputs.begin(), outputs.end(),
                  [&](const auto& output) { return output->input_operands_seq.front() == operand; }) ||
      std::any_of(inputs.begin(), inputs.end(), [&](const auto& input) { return input->output_operands == operand; });
  if (!plans.front().keep_all && !border) {
    throw Error(ErrorCode::kState, "operand '" + operand_name + "' is kept only by Forward(debug = true)");
  }
  return plans.front().context->Get(operand.get());
}

NdArray RuntimeGraph::operand_array(const std::string& operand_name) const {
  const Value value = impl_->OperandValue(operand_name);
  if (!value.Is<NdArray>()) {
    throw Error(ErrorCode::kInput, "operand '" + operand_name + "' holds " + KindName(value) + ", no array");
  }
  return CopyOf(value.Get<NdArray>());
}

bool RuntimeGraph::holds_array(const std::string& operand_name) const {
  return impl_->OperandValue(operand_name).Is<NdArray>();
}

void RuntimeGraph::InferShapes(const std::map<std::string, Shape>& input_shapes) {
  impl_->RequireBuilt();
  std::vector<TensorSpec> specs;
  for (const auto& input : impl_->inputs) {
    const TensorSpec recorded = Impl::RecordedSpec(*input);
    const auto given = input_shapes.find(input->name);
    specs.emplace_back(recorded.type, given != input_shapes.end() ? given->second : recorded.shape);
  }
  for (const auto& [name, shape] : input_shapes) impl_->Find(impl_->inputs, name, "input");
  const Program& program = *impl_->PlanFor(specs, false).program;
  const auto store = [](RuntimeOperand& operand, const TensorSpec& spec) {
    operand.shapes.assign(spec.shape.begin(), spec.shape.end());
    operand.type = spec.type;
    operand.has_shape = true;
    AllocateOperandTensors(operand);
  };
  for (const auto& op : impl_->order) {
    for (const auto& operand : op->output_operands_seq) {
      const auto symbol = program.symbols.find(operand.get());
      if (symbol == program.symbols.end()) continue;
      if (const int* slot = symbol->second.slot()) store(*operand, program.slots[*slot].spec);
      const Value* known = symbol->second.known();
      if (known != nullptr && known->Is<NdArray>()) store(*operand, known->Get<NdArray>().spec());
    }
  }
}

std::unique_ptr<RuntimeGraph> RuntimeGraph::Subgraph(const std::vector<std::string>& input_operands,
                                                     const std::vector<std::string>& output_operands) const {
  if (impl_->state == GraphState::NeedInit)
    throw Error(ErrorCode::kState, "the graph is not loaded yet: call Init first");
  auto graph = std::make_unique<RuntimeGraph>(impl_->param_path, impl_->bin_path);
  graph->impl_->operators = CutSubgraph(impl_->operators, input_operands, output_operands);
  graph->impl_->state = GraphState::NeedBuild;
  return graph;
}

void RuntimeGraph::Dump(std::ostream& stream) const { DumpOperators(impl_->operators, stream); }

RuntimeGraph::Report RuntimeGraph::report() const {
  Report report;
  for (const auto& op : impl_->operators) {
    for (const auto& [name, attribute] : op->attribute) {
      report.parameters += ElementCount(Shape(attribute->shape.begin(), attribute->shape.end()));
    }
  }
  if (impl_->plans.empty()) return report;
  const Program& program = *impl_->plans.front().program;
  report.planned = true;
  report.multiply_adds = program.multiply_adds;
  report.planned_bytes = program.arena_bytes + program.workspace_bytes;
  report.largest_live_bytes = program.largest_live_bytes;
  report.warnings = program.warnings;
  return report;
}

void RuntimeGraph::set_num_threads(int count) { impl_->threads = count; }

std::shared_ptr<Layer> RuntimeGraph::CreateLayer(const std::shared_ptr<RuntimeOperator>& op) {
  return LayerRegisterer::CreateLayer(op);
}

}  // namespace kuiper_infer
