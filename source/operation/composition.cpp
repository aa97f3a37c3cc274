// SPDX-License-Identifier: MIT
#include "operation/composition.hpp"

#include <algorithm>

#include "kernel/movement/copy.hpp"
#include "operation/binder.hpp"
#include "operation/evaluate.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

/// Results of calls are numbered from here on, beyond the numbers of the outer call's arrays.
constexpr int kFirstResult = 1 << 24;

/// Renumbers the arrays of an argument for an inner call and collects them.
Argument Renumber(const Argument& argument, std::vector<TensorArgument>& arrays) {
  if (const TensorArgument* tensor = argument.tensor()) {
    TensorArgument inner = *tensor;
    inner.input = static_cast<int>(arrays.size());
    arrays.push_back(*tensor);
    return Argument{inner};
  }
  if (const Argument::List* list = argument.list()) {
    Argument::List items;
    for (const Argument& item : *list) items.push_back(Renumber(item, arrays));
    return Argument{std::move(items)};
  }
  return argument;
}

/// Gives the arrays of an argument, which Renumber numbered, the specs of `arrays`.
void TakeSpecs(const std::vector<TensorArgument>& arrays, Argument& argument) {
  if (auto* tensor = std::get_if<TensorArgument>(&argument.value)) {
    tensor->spec = arrays[static_cast<std::size_t>(tensor->input)].spec;
  } else if (auto* list = std::get_if<Argument::List>(&argument.value)) {
    for (Argument& item : *list) TakeSpecs(arrays, item);
  }
}

}  // namespace

Composition::Composition(const Arguments& outer) : outer_(outer) {}

Composition::Place Composition::PlaceOf(const TensorArgument& tensor) const {
  if (tensor.input >= kFirstResult) return results_[static_cast<std::size_t>(tensor.input - kFirstResult)];
  return {tensor.input, 0, {}};
}

TensorArgument Composition::AddResult(Place place, const TensorSpec& spec) {
  results_.push_back(std::move(place));
  return {spec, kFirstResult + static_cast<int>(results_.size()) - 1, {}};
}

int64_t Composition::Reserve(int64_t bytes) {
  const int64_t start = bytes_;
  bytes_ += AlignedBytes(bytes);
  return start;
}

TensorArgument Composition::Contiguous(const TensorArgument& tensor) {
  const TensorSpec packed(tensor.spec.type, tensor.spec.shape);
  if (tensor.spec.strides == packed.strides) return tensor;
  Step step;
  step.inputs = {PlaceOf(tensor)};
  step.input_specs = {tensor.spec};
  step.outputs = {Reserve(ByteCount(packed.type, packed.shape))};
  step.output_specs = {packed};
  step.run = [](const RunContext& c) { kernel::Copy(c.inputs[0], c.outputs[0]); };
  const TensorArgument copy = AddResult({-1, step.outputs.front(), {}}, packed);
  steps_.push_back(std::move(step));
  return copy;
}

TensorArgument Composition::Call(const std::string& type, const CallArguments& arguments) {
  return CallAll(type, arguments, 1).front();
}

std::vector<TensorArgument> Composition::CallAll(const std::string& type, const CallArguments& arguments, int outputs) {
  OperatorCall call;
  call.type = type;
  call.output_count = outputs;
  std::vector<TensorArgument> arrays;
  std::vector<Argument> inputs;
  for (const auto& [name, argument] : arguments) {
    if (argument.known() != nullptr) {
      call.params[name] = *argument.known();
      continue;
    }
    if (argument.absent()) continue;
    const Argument::List items =
        name.empty() && argument.list() != nullptr ? *argument.list() : Argument::List{argument};
    for (const Argument& item : items) {
      call.input_names.push_back(name);
      inputs.push_back(Renumber(item, arrays));
    }
  }
  call.input_count = static_cast<int>(inputs.size());
  const InputLayout layout = LayoutOf(type);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (NeedsRowMajor(layout, i == 0)) arrays[i] = Contiguous(arrays[i]);
  }
  for (Argument& input : inputs) TakeSpecs(arrays, input);
  const Binding binding = Bind(call, inputs, static_cast<int>(arrays.size()), outer_.context());
  std::vector<TensorArgument> results = AddStep(MakePlan(binding), arrays, binding.constants);
  if (static_cast<int>(results.size()) < outputs)
    outer_.Fail(ErrorCode::kUnsupported,
                "its part " + type + " gives fewer than " + std::to_string(outputs) + " arrays");
  return results;
}

TensorArgument Composition::Apply(const std::vector<TensorArgument>& arrays,
                                  const std::function<OperationPlan(const std::vector<TensorArgument>&)>& make) {
  std::vector<TensorArgument> inner = arrays;
  for (std::size_t i = 0; i < inner.size(); ++i) inner[i].input = static_cast<int>(i);
  return AddStep(make(inner), arrays, {}).front();
}

std::vector<TensorArgument> Composition::AddStep(const OperationPlan& plan, const std::vector<TensorArgument>& arrays,
                                                 const std::vector<TensorArgument>& constants) {
  Step step;
  for (const TensorArgument& array : arrays) {
    step.inputs.push_back(PlaceOf(array));
    step.input_specs.push_back(array.spec);
  }
  for (const TensorArgument& constant : constants) {
    step.inputs.push_back({-1, 0, constant.values()});
    step.input_specs.push_back(constant.spec);
  }
  std::vector<TensorArgument> results;
  for (const OutputPlan& output : plan.outputs) {
    if (output.kind == OutputPlan::Kind::kNew) {
      step.outputs.push_back(Reserve(ByteCount(output.spec.type, output.spec.shape)));
      step.output_specs.push_back(output.spec);
      results.push_back(AddResult({-1, step.outputs.back(), {}}, output.spec));
    } else if (output.kind == OutputPlan::Kind::kView) {
      Place place = step.inputs[static_cast<std::size_t>(output.input)];
      place.offset += output.offset * static_cast<int64_t>(ElementBytes(output.spec.type));
      results.push_back(AddResult(std::move(place), output.spec));
    } else if (output.kind == OutputPlan::Kind::kForward && output.argument.tensor() != nullptr) {
      results.push_back(arrays[static_cast<std::size_t>(output.argument.tensor()->input)]);
    } else if (output.kind == OutputPlan::Kind::kKnown && output.known.Is<NdArray>()) {
      const NdArray& constant = output.known.Get<NdArray>();
      results.push_back(AddResult({-1, 0, constant}, constant.spec()));
    }
  }
  KernelCall call = CallOf(plan, outer_.context());
  scratch_bytes_ = std::max(scratch_bytes_, call.workspace_bytes);
  multiply_adds_ += call.multiply_adds;
  step.run = std::move(call.run);
  if (step.run) steps_.push_back(std::move(step));
  return results;
}

TensorArgument Composition::Constant(const NdArray& array) {
  TensorArgument tensor = AddResult({-1, 0, array}, array.spec());
  tensor.SetValues(array);
  return tensor;
}

TensorArgument Composition::Slice(const TensorArgument& x, int64_t axis, int64_t start, int64_t end) {
  return Call("Tensor.slice", {{"input", x}, {"dim", axis}, {"start", start}, {"end", end}, {"step", 1}});
}

TensorArgument Composition::Convert(const TensorArgument& x, RuntimeDataType type) {
  return x.spec.type == type ? x : Call("Tensor.to", {{"input", x}, {"dtype", type}});
}

OperationPlan Composition::Finish(const std::vector<TensorArgument>& results) {
  OperationPlan plan;
  std::vector<Place> places;
  std::vector<TensorSpec> specs;
  for (const TensorArgument& result : results) {
    places.push_back(PlaceOf(result));
    specs.push_back(result.spec);
    plan.outputs.push_back(OutputPlan::New(result.spec.type, result.spec.shape));
  }
  plan.workspace_bytes = bytes_ + scratch_bytes_;
  plan.multiply_adds = multiply_adds_;
  plan.run = [steps = std::move(steps_), places, specs, scratch = bytes_](const RunContext& c) {
    const auto find = [&c](const Place& place) -> const std::byte* {
      if (place.constant.defined()) return place.constant.data<std::byte>() + place.offset;
      return place.input >= 0 ? c.inputs[place.input].as<std::byte>() + place.offset : c.workspace + place.offset;
    };
    for (const Step& step : steps) {
      std::vector<ConstArrayView> inputs;
      std::vector<ArrayView> outputs;
      for (std::size_t i = 0; i < step.inputs.size(); ++i)
        inputs.push_back({find(step.inputs[i]), step.input_specs[i]});
      for (std::size_t i = 0; i < step.outputs.size(); ++i) {
        outputs.push_back({c.workspace + step.outputs[i], step.output_specs[i]});
      }
      step.run({inputs.data(), outputs.data(), c.workspace + scratch});
    }
    for (std::size_t i = 0; i < places.size(); ++i) kernel::Copy({find(places[i]), specs[i]}, c.outputs[i]);
  };
  return plan;
}

}  // namespace kuiper_infer
