// SPDX-License-Identifier: MIT
#include "operators/movement/movement.hpp"

#include <string>
#include <utility>

#include "kernel/movement/copy.hpp"
#include "operation/computation.hpp"
#include "shape/broadcast.hpp"
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

int64_t NewAxis(const Arguments& arguments, int64_t axis, int64_t rank) {
  if (axis < -rank - 1 || axis > rank) {
    arguments.Fail(ErrorCode::kArgument, "a new axis cannot be put at " + std::to_string(axis) + ", expected " +
                                             std::to_string(-rank - 1) + " to " + std::to_string(rank));
  }
  return axis < 0 ? axis + rank + 1 : axis;
}

std::vector<int64_t> IntsOrEmpty(const Arguments& arguments, const char* name) {
  return arguments.Has(name) ? arguments.Ints(name) : std::vector<int64_t>{};
}

std::optional<int64_t> OptionalInt(const Arguments& arguments, const char* name) {
  if (!arguments.Has(name)) return std::nullopt;
  return arguments.Int(name);
}

StridedCopy::StridedCopy(const TensorArgument& source, StridedView target)
    : StridedCopy(source, StridedView(source.spec), std::move(target)) {}

StridedCopy::StridedCopy(const TensorArgument& source, const StridedView& part, StridedView target)
    : input(source.input), from_offset(part.offset), to(std::move(target)) {
  const TensorSpec given(source.spec.type, part.shape, part.strides);
  const Strides strides = BroadcastStrides(given, to.shape);
  from = TensorSpec(given.type, to.shape, strides);
  to_spec = TensorSpec(given.type, to.shape, to.strides);
}

namespace {

int64_t Bytes(int64_t elements, RuntimeDataType type) { return elements * static_cast<int64_t>(ElementBytes(type)); }

}  // namespace

void StridedCopy::Run(const RunContext& context) const {
  const ArrayView& output = context.outputs[0];
  const auto* source = context.inputs[input].as<std::byte>() + Bytes(from_offset, from.type);
  auto* target = output.as<std::byte>() + Bytes(to.offset, output.type());
  if (source == target) return;
  if (output.type() == to_spec.type) return kernel::Copy(source, from, target, to_spec);
  kernel::Copy({source, from}, {target, TensorSpec(output.type(), to.shape, to.strides)});
}

}  // namespace kuiper_infer
