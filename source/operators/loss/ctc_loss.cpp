// SPDX-License-Identifier: MIT
#include <cmath>

#include "kernel/loss/class_loss.hpp"
#include "operation/parameters.hpp"
#include "operators/loss/loss.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

/// The lengths of the sequences of a batch: numbers in the call, or an array.
struct Lengths {
  std::vector<int64_t> known;
  int input = -1;
  RuntimeDataType type = RuntimeDataType::kTypeInt64;

  int64_t At(const RunContext& c, int64_t index) const {
    if (input < 0) return known[static_cast<std::size_t>(index)];
    return type == RuntimeDataType::kTypeInt32 ? c.inputs[input].as<int32_t>()[index]
                                               : c.inputs[input].as<int64_t>()[index];
  }
};

Lengths ReadLengths(const Arguments& arguments, const char* name, int64_t batch) {
  Lengths lengths;
  const Argument& argument = arguments.Get(name);
  const TensorArgument* array = argument.tensor();
  if (array != nullptr) {
    const bool integral =
        array->spec.type == RuntimeDataType::kTypeInt64 || array->spec.type == RuntimeDataType::kTypeInt32;
    arguments.Require(integral && array->spec.size() == batch, std::string(name) + " is " + SpecString(array->spec) +
                                                                   ", expected a length for each of " +
                                                                   std::to_string(batch) + " sequences");
    lengths.input = array->input;
    lengths.type = array->spec.type;
    return lengths;
  }
  lengths.known = arguments.Ints(name);
  arguments.Require(static_cast<int64_t>(lengths.known.size()) == batch,
                    std::string(name) + " has " + std::to_string(lengths.known.size()) + " lengths for " +
                        std::to_string(batch) + " sequences");
  return lengths;
}

/// Plans the loss with targets of int64 instead of int32.
OperationPlan PlanConvertedTargets(const Arguments& arguments) {
  Composition composition(arguments);
  CallArguments call;
  for (const char* name : {"log_probs", "input_lengths", "target_lengths", "blank", "reduction", "zero_infinity"}) {
    call[name] = arguments.Get(name);
  }
  call["targets"] = composition.Convert(arguments.Tensor("targets"), RuntimeDataType::kTypeInt64);
  return composition.Finish({composition.Call("aten::ctc_loss", call)});
}

/// Plans the CTC loss of log_probs (steps, batch, classes) or (steps, classes) and targets (batch, longest) or all of
/// them in one row.
OperationPlan PlanCtcLoss(const Arguments& arguments) {
  const TensorArgument& logs = arguments.Tensor("log_probs");
  const TensorArgument& targets = arguments.Tensor("targets");
  RequireFloating(arguments, logs, "log_probs");
  if (targets.spec.type == RuntimeDataType::kTypeInt32) return PlanConvertedTargets(arguments);
  const bool batched = logs.spec.rank() == 3;
  arguments.Require(batched || logs.spec.rank() == 2,
                    "log_probs is " + ShapeString(logs.spec.shape) + ", expected rank 3 or, without a batch, 2");
  arguments.Require(targets.spec.type == RuntimeDataType::kTypeInt64 && targets.spec.rank() <= 2,
                    "targets is " + SpecString(targets.spec) + ", expected int64 of rank 1 or 2");
  const int64_t steps = logs.spec.shape[0];
  const int64_t batch = batched ? logs.spec.shape[1] : 1;
  const int64_t classes = logs.spec.shape.back();
  const int64_t blank = arguments.Int("blank");
  arguments.Require(blank >= 0 && blank < classes,
                    "blank is " + std::to_string(blank) + ", expected a class below " + std::to_string(classes));
  const bool padded = targets.spec.rank() == 2;
  const int64_t longest = targets.spec.shape.empty() ? 0 : targets.spec.shape.back();
  arguments.Require(!padded || targets.spec.shape[0] == batch,
                    "targets is " + ShapeString(targets.spec.shape) + ", expected " + std::to_string(batch) + " rows");
  const Lengths input_lengths = ReadLengths(arguments, "input_lengths", batch);
  const Lengths target_lengths = ReadLengths(arguments, "target_lengths", batch);
  const bool zero_infinity = arguments.Bool("zero_infinity");
  const LossReduction reduction = ReadLossReduction(arguments);
  OperationPlan plan;
  const Shape each = batched ? Shape{batch} : Shape{};
  plan.outputs = {OutputPlan::New(logs.spec.type, reduction == LossReduction::kNone ? each : Shape{})};
  plan.workspace_bytes = ByteCount(RuntimeDataType::kTypeFloat64, {4 * longest + 2});
  plan.run = [=, type = logs.spec.type, x = logs.input, y = targets.input](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      double total = 0;
      int64_t next = 0;
      for (int64_t b = 0; b < batch; ++b) {
        const int64_t used = input_lengths.At(c, b);
        const int64_t length = target_lengths.At(c, b);
        const int64_t start = padded ? b * longest : next;
        if (used < 0 || used > steps || length < 0 || start + length > (padded ? (b + 1) * longest : longest)) {
          throw Error(ErrorCode::kInput, "sequence " + std::to_string(b) + " has input length " + std::to_string(used) +
                                             " and target length " + std::to_string(length) +
                                             ", expected lengths within its " + std::to_string(steps) +
                                             " steps and its targets");
        }
        next += length;
        double loss =
            kernel::CtcLoss<T>(used, batch * classes, classes, blank, c.inputs[x].as<T>() + b * classes,
                               c.inputs[y].as<int64_t>() + start, length, reinterpret_cast<double*>(c.workspace));
        if (zero_infinity && std::isinf(loss)) loss = 0;
        if (reduction == LossReduction::kNone) c.outputs[0].as<T>()[b] = static_cast<T>(loss);
        total += reduction == LossReduction::kMean ? loss / static_cast<double>(std::max<int64_t>(length, 1)) : loss;
      }
      if (reduction == LossReduction::kMean) total /= static_cast<double>(batch);
      if (reduction != LossReduction::kNone) *c.outputs[0].as<T>() = static_cast<T>(total);
    });
  };
  return plan;
}

}  // namespace

void RegisterCtcLoss(OperationTable& table) {
  table.Add(
      {"F.ctc_loss", "aten::ctc_loss"},
      "Tensor log_probs, Tensor targets, any input_lengths, any target_lengths, int blank=0, int reduction=1, bool "
      "zero_infinity=False",
      PlanCtcLoss);
}

}  // namespace kuiper_infer
