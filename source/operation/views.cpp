// SPDX-License-Identifier: MIT
#include "operation/views.hpp"

#include <utility>

#include "kernel/movement/copy.hpp"
#include "operation/computation.hpp"
#include "shape/reshape.hpp"

namespace kuiper_infer {
namespace {

/// A view's elements in row-major order.
class ViewCopy : public Computation {
 public:
  ViewCopy(const TensorArgument& input, const StridedView& view)
      : input_(input.input),
        from_(input.spec.type, view.shape, view.strides),
        to_(input.spec.type, view.shape),
        offset_(view.offset) {}

  bool Reads(RuntimeDataType /*stored*/, int /*input*/, const Fusion& /*fusion*/) const override { return true; }
  bool Writes(RuntimeDataType /*stored*/, const Fusion& /*fusion*/) const override { return true; }
  bool KeepsStorage() const override { return true; }

  KernelCall MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const override {
    KernelCall call;
    TensorSpec from = from_;
    TensorSpec to = to_;
    if (from.type == RuntimeDataType::kTypeFloat32) from.type = to.type = fusion.result.type;
    const int64_t offset = offset_ * static_cast<int64_t>(ElementBytes(from.type));
    call.run = [from, to, offset, input = input_](const RunContext& c) {
      kernel::Copy(c.inputs[input].as<std::byte>() + offset, from, c.outputs[0].data, to);
    };
    return call;
  }

 private:
  int input_;
  TensorSpec from_;
  TensorSpec to_;
  int64_t offset_;  ///< in elements
};

}  // namespace

OutputPlan ViewOutput(const TensorArgument& input, const StridedView& view) {
  return OutputPlan::View(input, view.shape, view.strides, view.offset);
}

OperationPlan PlanView(const TensorArgument& input, const StridedView& view) {
  OperationPlan plan;
  plan.outputs = {ViewOutput(input, view)};
  return plan;
}

OperationPlan PlanViews(const TensorArgument& input, const std::vector<StridedView>& views) {
  std::vector<OutputPlan> outputs;
  for (const StridedView& view : views) outputs.push_back(ViewOutput(input, view));
  OperationPlan plan;
  plan.outputs = {OutputPlan::List(std::move(outputs))};
  return plan;
}

OperationPlan PlanCopy(const TensorArgument& input, const StridedView& view, const Shape& shape) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, shape)};
  plan.computation = std::make_shared<const ViewCopy>(input, view);
  return plan;
}

OperationPlan PlanReshape(const TensorArgument& input, const Shape& shape) {
  StridedView view(input.spec);
  const std::optional<Strides> strides = ReshapeStrides(input.spec, shape);
  if (!strides) return PlanCopy(input, view, shape);
  view.shape = shape;
  view.strides = *strides;
  return PlanView(input, view);
}

OperationPlan PlanForward(const Argument& argument) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Forward(argument)};
  return plan;
}

}  // namespace kuiper_infer
