// SPDX-License-Identifier: MIT
#include "runtime/built_graph.hpp"

#include <algorithm>
#include <cstring>

#include "data/cache_file.hpp"
#include "data/checksum.hpp"
#include "data/convert.hpp"
#include "data/memory_budget.hpp"
#include "kernel/convolution/method_measurement.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/binder.hpp"
#include "operation/classic_parameters.hpp"
#include "operation/weights/packed_weight.hpp"
#include "planning/passes.hpp"
#include "runtime/build_option_table.hpp"
#include "runtime/classic_layer.hpp"
#include "runtime/executor.hpp"
#include "runtime/states/state_storage.hpp"
#include "utils/system/log.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer {

namespace {

constexpr const char* kMeasurements = "measured methods";  ///< their name in a cache

/// Writes what a plan has added.
void SaveCache(const PlanningContext& context) {
  const std::string text = context.measurements == nullptr ? "" : context.measurements->Text();
  const std::optional<NdArray> known = text.empty() ? std::nullopt : context.cache->Find(kMeasurements);
  const NdArray bytes = NdArray::View(const_cast<char*>(text.data()),
                                      TensorSpec(RuntimeDataType::kTypeUInt8, {static_cast<int64_t>(text.size())}));
  const bool changed =
      !known || known->size() != bytes.size() || std::memcmp(known->raw(), bytes.raw(), text.size()) != 0;
  if (!text.empty() && changed) context.cache->Add(kMeasurements, bytes);
  context.cache->Write();
}

/// The number of bfloat16 terms into which a float32 number is split for this precision.
int PiecesOf(Precision precision) {
  switch (precision) {
    case Precision::kMedium:
      return 1;
    case Precision::kHigh:
      return 2;
    case Precision::kHighest:
      return 3;
  }
  return 0;
}

}  // namespace

PlanningContext MakePlanningContext(const BuildOptions& options) {
  CheckBuildOptions(options);
  PlanningContext context = EnvironmentContext();
  if (options.measure_methods) context.measurements = std::make_shared<kernel::MethodMeasurements>();
  context.fuses = options.fuse_operators.value_or(context.fuses);
  context.places = options.place_results.value_or(context.places);
  if (!options.convolution_method.empty()) {
    context.convolution_method = CheckedConvolutionMethod(options.convolution_method, "the option convolution_method");
  }
  context.pieces = PiecesOf(options.precision);
  if (options.max_memory_bytes > 0) context.budget = std::make_shared<MemoryBudget>(options.max_memory_bytes);
  context.packed = std::make_shared<PackedWeights>();
  return context;
}

void ReadMeasurements(const PlanningContext& context) {
  if (context.measurements == nullptr) return;
  if (const std::optional<NdArray> text = context.cache->Find(kMeasurements)) {
    context.measurements->Read({static_cast<const char*>(text->raw()), static_cast<std::size_t>(text->size())});
  }
}

int BuiltGraph::used_threads(int wanted) const {
  if (wanted > 0) return wanted;
  return threads > 0 ? threads.load() : DefaultThreads();
}

std::shared_ptr<const Program> BuiltGraph::ProgramFor(const ProgramKey& key, const std::vector<int64_t>& lengths) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Entry* const known = programs_.Find(key)) return known->program;
  if (auto held = FindHeld(key)) return programs_.Add({key, std::move(held)}).program;
  if (!key.any_length) ranges_.Check(key.specs);
  std::vector<GrowingInput> growing;
  std::vector<ReplacedState> replaced;
  for (const StatePair& pair : states.pairs) {
    if (key.any_length && pair.growing) growing.push_back(*pair.growing);
    if (!pair.growing) replaced.push_back({pair.input, states.outputs[pair.output].operand.get()});
  }
  try {
    const PlanningContext here = context.Here();
    auto program = std::make_shared<const Program>(
        key.any_length ? PlanProgram(order, key.specs, key.keep_all, growing, lengths, here, replaced)
                       : PlanProgram(order, key.specs, key.keep_all, here, replaced));
    if (context.cache != nullptr) SaveCache(context);
    ++plans;
    held_.push_back({key, program});
    return programs_.Add({key, std::move(program)}).program;
  } catch (const Error& error) {
    if (key.any_length) throw OtherShape(error.code(), error.what());
    if (error.code() != ErrorCode::kShape) throw;
    throw Error(error.code(), error.what() + NameOtherSizes(key.specs));
  }
}

std::shared_ptr<const Program> BuiltGraph::FindHeld(const ProgramKey& key) {
  const auto freed = [](const HeldProgram& held) { return held.program.expired(); };
  held_.erase(std::remove_if(held_.begin(), held_.end(), freed), held_.end());
  const auto found = std::find_if(held_.begin(), held_.end(), [&](const HeldProgram& held) { return held.key == key; });
  return found == held_.end() ? nullptr : found->program.lock();
}

std::shared_ptr<const JointProgram> BuiltGraph::JointProgramFor(const std::vector<ProgramRuns>& runs) {
  constexpr std::size_t kMost = 32;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(joint_.begin(), joint_.end(), [&](const auto& joint) { return joint->runs == runs; });
  if (found != joint_.end()) {
    std::rotate(joint_.begin(), found, found + 1);
    return joint_.front();
  }
  if (joint_.size() >= kMost) joint_.pop_back();
  joint_.push_front(std::make_shared<const JointProgram>(JoinRuns(runs, context.Here())));
  return joint_.front();
}

std::string BuiltGraph::NameOtherSizes(const std::vector<TensorSpec>& given) const {
  std::string text;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Shape& shape = given[i].shape;
    const Shape recorded = RecordedSpec(*inputs[i]).shape;
    const auto fits = [](int64_t of_file, int64_t extent) { return of_file < 0 || of_file == extent; };
    const bool known = inputs[i]->output_operands->has_shape;
    if (!known || std::equal(recorded.begin(), recorded.end(), shape.begin(), shape.end(), fits)) continue;
    text += "; input '" + inputs[i]->name + "' is " + ShapeString(shape) + ", the export had " + ShapeString(recorded);
  }
  return text.empty() ? text : text + ": for other sizes export with a second set of inputs (inputs2=...)";
}

void BuiltGraph::PlanEachLength(const ProgramKey& key, const std::string& reason) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Log(Severity::kWarning, "each length of the states is planned anew: " + reason);
  planned_each_length_.push_back(key);
}

bool BuiltGraph::PlansEachLength(const ProgramKey& key) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::find(planned_each_length_.begin(), planned_each_length_.end(), key) != planned_each_length_.end();
}

TensorSpec BuiltGraph::FirstSpec(const StatePair& pair, const std::vector<TensorSpec>& given) const {
  const std::string advice = ": set the state as an input before the first run";
  if (pair.initial.defined()) return TensorSpec(pair.initial.type(), pair.initial.shape());
  if (!inputs[pair.input]->output_operands->has_shape) {
    throw Error(ErrorCode::kInput, "the file does not record the shape of state '" + pair.name + "'" + advice);
  }
  const TensorSpec recorded = RecordedSpec(*inputs[pair.input]);
  Shape shape = recorded.shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (pair.growing && pair.growing->axis == static_cast<int64_t>(axis)) shape[axis] = 0;
    if (shape[axis] < 0) shape[axis] = ranges_.SameExtent(pair.input, axis, given);
    if (shape[axis] < 0) {
      throw Error(ErrorCode::kInput,
                  "the first value of state '" + pair.name + "' has the shape " + ShapeString(recorded.shape) +
                      ", of which the extent is not known along axis " + std::to_string(axis) + advice);
    }
  }
  return TensorSpec(recorded.type, shape);
}

std::string BuiltGraph::Identity() const {
  std::string text = weights;
  for (const auto& op : operators) {
    text += "\n" + op->type + " " + op->name;
    for (const auto& operand : op->input_operands_seq) text += " " + operand->name;
    if (op->call == nullptr) continue;
    for (const auto& [name, value] : op->call->params) text += " " + name + "=" + ValueString(value);
  }
  return std::to_string(Crc32(text.data(), text.size())) + " " + weights;
}

void BuiltGraph::ShowParameters() {
  const std::lock_guard<std::mutex> lock(parameters_mutex_);
  if (shows_parameters_) return;
  for (const auto& op : operators) kuiper_infer::ShowParameters(*op);
  shows_parameters_ = true;
}

bool BuiltGraph::shows_parameters() const {
  const std::lock_guard<std::mutex> lock(parameters_mutex_);
  return shows_parameters_;
}

void BuiltGraph::AllocateTensors() {
  const std::lock_guard<std::mutex> lock(parameters_mutex_);
  if (has_tensors_) return;
  const BudgetScope budget(context.budget);
  RuntimeOperatorUtils::InitOperatorInput(order);
  for (const auto& op : order) {
    for (const auto& operand : op->output_operands_seq) {
      if (operand->datas.empty()) AllocateOperandTensors(*operand);
    }
  }
  has_tensors_ = true;
}

void BuiltGraph::SetOperators(Operators in_file_order) {
  operators = std::move(in_file_order);
  if (shows_parameters_) {
    for (const auto& op : operators) kuiper_infer::ShowParameters(*op);
  }
  inputs = InputOperators(operators);
  outputs = OutputOperators(operators);
  ranges_ = InputRanges(inputs);
  states = FindStates(operators, inputs, outputs, options);
  ChooseStateStorage(states, operators, inputs, options);
  const auto number = [](const Operators& among) {
    Numbers numbers;
    for (std::size_t i = 0; i < among.size(); ++i) numbers.emplace(among[i]->name, i);
    return numbers;
  };
  input_numbers_ = number(inputs);
  output_numbers_ = number(outputs);
}

TensorSpec BuiltGraph::RecordedSpec(const RuntimeOperator& input) {
  if (input.output_operands == nullptr) {
    throw Error(ErrorCode::kGraph, "operator '" + input.name + "' (pnnx.Input) needs exactly one output");
  }
  const RuntimeOperand& operand = *input.output_operands;
  TensorSpec spec;
  spec.type = operand.type == RuntimeDataType::kTypeUnknown ? RuntimeDataType::kTypeFloat32 : operand.type;
  spec.shape.assign(operand.shapes.begin(), operand.shapes.end());
  return spec;
}

bool BuiltGraph::IsStatic(const RuntimeOperator& input) {
  const RuntimeOperand& operand = *input.output_operands;
  return operand.has_shape &&
         std::all_of(operand.shapes.begin(), operand.shapes.end(), [](int32_t extent) { return extent >= 0; });
}

std::size_t BuiltGraph::FindInput(const std::string& name) const { return Find(inputs, input_numbers_, name, "input"); }

std::size_t BuiltGraph::FindOutput(const std::string& name) const {
  return Find(outputs, output_numbers_, name, "output");
}

std::size_t BuiltGraph::Find(const Operators& among, const Numbers& numbers, const std::string& name,
                             const char* what) {
  if (const auto found = numbers.find(name); found != numbers.end()) return found->second;
  std::string names;
  for (const auto& op : among) names += (names.empty() ? "'" : ", '") + op->name + "'";
  throw Error(ErrorCode::kInput, std::string("the model has no ") + what + " '" + name + "', it has " + names);
}

std::shared_ptr<RuntimeOperand> BuiltGraph::FindOperand(const std::string& name) const {
  for (const auto& op : operators) {
    for (const auto& operand : op->output_operands_seq) {
      if (operand->name == name) return operand;
    }
  }
  return nullptr;
}

void BuiltGraph::CheckInput(std::size_t index, const NdArray& array) const {
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

NdArray BuiltGraph::FromTensors(std::size_t index, const Tensors& tensors) const {
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

}  // namespace kuiper_infer
