// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include "data/convert.hpp"
#include "data/memory_budget.hpp"
#include "planning/passes.hpp"
#include "runtime/runtime_graph_impl.hpp"
#include "runtime/thread_spans.hpp"
#include "utils/system/log.hpp"

namespace kuiper_infer {
namespace {

/// Copies an array for the classic interface. A broadcast array takes less memory than its copy. Each copy alone has to
/// fit the model's limit; copies are not added up, because it isn't known when the program frees tensors.
void CopyToTensors(const BuiltGraph& graph, const NdArray& array, Tensors& tensors) {
  const BudgetScope budget(graph.context.budget);
  RequireMemory(array.size(), sizeof(float));
  RequireMemory(array.rank() < 2 ? 1 : array.shape().front(), sizeof(Tensor<float>));
  NdArrayToTensors(array, tensors);
}

/// Sets the tensors of an operand for the classic interface.
void Export(const BuiltGraph& graph, const Value& value, RuntimeOperand& operand) {
  if (value.Is<NdArray>() && value.Get<NdArray>().size() > 0 && !IsComplex(value.Get<NdArray>().type())) {
    Tensors tensors;
    CopyToTensors(graph, value.Get<NdArray>(), tensors);
    const std::lock_guard<std::mutex> lock(graph.parameters_mutex());
    operand.datas = std::move(tensors);
  }
}

}  // namespace

Tensors RuntimeGraph::Forward(const Tensors& inputs, bool debug) {
  const BuiltGraph& graph = impl_->built().graph();
  if (graph.inputs.size() != 1) {
    throw Error(ErrorCode::kInput, "the model has " + std::to_string(graph.inputs.size()) +
                                       " inputs: give each with set_inputs, then call Forward()");
  }
  set_inputs(graph.inputs.front()->name, inputs);
  Forward(debug);
  return get_outputs(graph.outputs[impl_->default_output]->name);
}

void RuntimeGraph::set_inputs(const std::string& input_name, const Tensors& inputs) {
  Runner& runner = impl_->built();
  const BuiltGraph& graph = runner.graph();
  const std::size_t index = graph.FindInput(input_name);
  runner.SetInput(index, graph.FromTensors(index, inputs));
  const std::lock_guard<std::mutex> lock(graph.parameters_mutex());
  graph.inputs[index]->output_operands->datas = inputs;
}

void RuntimeGraph::Forward(bool debug) {
  StepObserver observer;
  if (debug) {
    observer = [](const RuntimeOperator& op, const Step& /*step*/, const StepTime& time) {
      std::ostringstream line;
      line << op.type << " " << op.name << ": " << time.seconds() * 1e3 << " ms";
      Log(Severity::kInfo, line.str());
    };
  }
  const ExecutionContext& context = impl_->built().Run(debug, {}, observer);
  const BuiltGraph& graph = *impl_->graph;
  if (debug) {
    for (const auto& op : graph.order) {
      if (op->type == "pnnx.Input") continue;
      for (const auto& operand : op->output_operands_seq) Export(graph, context.Get(operand.get()), *operand);
    }
  }
  for (const auto& output : graph.outputs) {
    const auto& operand = output->input_operands_seq.front();
    Export(graph, context.Get(operand.get()), *operand);
  }
}

Tensors RuntimeGraph::get_outputs(const std::string& output_name) const {
  const Runner& runner = impl_->built();
  Tensors tensors;
  for (const NdArray& array : runner.OutputViews(runner.graph().FindOutput(output_name))) {
    Tensors part;
    CopyToTensors(runner.graph(), array, part);
    tensors.insert(tensors.end(), part.begin(), part.end());
  }
  return tensors;
}

std::vector<RuntimeGraph::StepProfile> RuntimeGraph::Profile(bool threads, const RunOptions& options) {
  std::vector<StepProfile> steps;
  const Runner& runner = impl_->built();
  std::vector<int64_t> live;
  TeamRecord record;
  const auto run_start = TeamRecord::Clock::now();
  ThreadSpans spans(run_start);
  const StepObserver observer = [&](const RuntimeOperator& op, const Step& step, const StepTime& time) {
    const Program& program = *runner.current()->program;
    if (steps.empty()) live = LiveBytesBySteps(program);
    const auto bytes = [](const TensorSpec& spec) { return static_cast<double>(ByteCount(spec.type, spec.shape)); };
    StepProfile profile;
    profile.name = op.name;
    profile.type = step.layout_copy ? "layout copy" : op.type;
    profile.method = step.call.method;
    profile.start = std::chrono::duration<double>(time.start - run_start).count();
    profile.seconds = time.seconds();
    profile.multiply_adds = step.call.multiply_adds;
    profile.live_bytes = live[static_cast<std::size_t>(&step - program.steps.data())];
    for (const Source& source : step.inputs) {
      profile.bytes += bytes(source.slot >= 0 ? program.slots[source.slot].spec : source.constant.spec());
    }
    for (const int slot : step.outputs) profile.bytes += bytes(program.slots[slot].spec);
    if (!step.outputs.empty()) {
      const TensorSpec& output = program.slots[step.outputs.front()].spec;
      profile.output = output.shape;
      profile.stored = output.type;
      profile.channels_last = !output.contiguous() && output.rank() > 2 && output.strides[1] == 1;
    }
    if (threads) profile.threads = spans.OfStep(time.start, time.end, record.regions);
    record.regions.clear();
    steps.push_back(std::move(profile));
  };
  const TeamRecordScope scope(threads ? &record : nullptr);
  impl_->built().Run(false, options, observer);
  return steps;
}

void RuntimeGraph::set_input(const std::string& input_name, const NdArray& array) {
  Runner& runner = impl_->built();
  runner.SetInput(runner.graph().FindInput(input_name), array);
}

void RuntimeGraph::Run(const RunOptions& options) { impl_->built().Run(false, options); }

StateSnapshot RuntimeGraph::SnapshotStates() const { return impl_->built().Snapshot(); }

void RuntimeGraph::RestoreStates(const StateSnapshot& snapshot) { impl_->built().Restore(snapshot); }

std::vector<NdArray> RuntimeGraph::outputs() const { return impl_->built().OutputCopies(); }

}  // namespace kuiper_infer
