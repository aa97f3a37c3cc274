// SPDX-License-Identifier: MIT
#include <algorithm>

#include <glog/logging.h>

#include "runtime/classic_layer.hpp"
#include "runtime/runtime_graph_impl.hpp"

namespace kuiper_infer {
namespace {

/// All arrays in a value, depth first.
void Flatten(const Value& value, std::vector<NdArray>& arrays) {
  if (value.Is<NdArray>()) arrays.push_back(value.Get<NdArray>());
  if (value.IsNumber()) arrays.push_back(ArrayFromNumber(value));
  if (value.Is<Value::List>()) {
    for (const Value& item : value.Get<Value::List>()) Flatten(item, arrays);
  }
}

}  // namespace

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

}  // namespace kuiper_infer
