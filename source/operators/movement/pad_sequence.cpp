// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/composition.hpp"

namespace kuiper_infer {
namespace {

/// Plans sequences side by side, each padded to the length of the longest.
OperationPlan PlanPadSequence(const Arguments& arguments) {
  const std::vector<TensorArgument> sequences = arguments.Tensors("sequences");
  arguments.Require(!sequences.empty(), "sequences is empty, expected at least one array");
  const std::string side = arguments.String("padding_side");
  arguments.Require(side == "left" || side == "right", "padding_side is '" + side + "', expected left or right");
  int64_t longest = 0;
  for (const TensorArgument& sequence : sequences) {
    arguments.Require(sequence.spec.rank() >= 1, "a sequence is (), expected rank 1 or more");
    longest = std::max(longest, sequence.spec.shape[0]);
  }
  Composition composition(arguments);
  std::vector<TensorArgument> padded;
  for (const TensorArgument& sequence : sequences) {
    // Two numbers for each axis, from the last axis to the first one.
    std::vector<int64_t> pad(2 * sequence.spec.shape.size(), 0);
    pad[pad.size() - (side == "left" ? 2 : 1)] = longest - sequence.spec.shape[0];
    padded.push_back(
        composition.Call("F.pad", {{"input", sequence}, {"pad", pad}, {"value", arguments.Float("padding_value")}}));
  }
  const int64_t axis = arguments.Bool("batch_first") ? 0 : 1;
  return composition.Finish({composition.Call("torch.stack", {{"tensors", padded}, {"dim", axis}})});
}

}  // namespace

void RegisterPadSequence(OperationTable& table) {
  table.Add({"torch.pad_sequence", "aten::pad_sequence"},
            "Tensor[] sequences, bool batch_first=False, float padding_value=0.0, str padding_side=right",
            PlanPadSequence);
}

}  // namespace kuiper_infer
