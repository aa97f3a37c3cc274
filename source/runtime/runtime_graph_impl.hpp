// SPDX-License-Identifier: MIT
#pragma once

#include <deque>

#include "data/convert.hpp"
#include "kernel/method_measurement.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/executor.hpp"
#include "utils/parallel.hpp"
#include "utils/thread_count.hpp"

namespace kuiper_infer {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

/// What a RuntimeGraph holds: its operators, its plans and the memory of its runs.
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
  BuildOptions options;

  int used_threads() const { return threads > 0 ? threads : DefaultThreads(); }

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
    const ThreadScope scope(used_threads());
    const kernel::MeasureScope measures(options.measure_methods);
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
    const ThreadScope scope(used_threads());
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

/// A row-major copy.
inline NdArray CopyOf(const NdArray& array) {
  const NdArray contiguous = array.Contiguous();
  return contiguous.raw() == array.raw() ? array.Clone() : contiguous;
}

}  // namespace kuiper_infer
