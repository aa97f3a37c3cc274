// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "kernel/indexing/positions.hpp"
#include "operation/converted_operand.hpp"
#include "operation/strided_copy.hpp"
#include "operators/indexing/advanced_index.hpp"
#include "operators/indexing/indexing.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

/// A plan that cannot be made before the contents of a mask are known.
OperationPlan PlanLater() {
  OperationPlan plan;
  plan.data_dependent = true;
  return plan;
}

OperationPlan PlanIndex(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const AdvancedIndex index(arguments, "expr", input.spec);
  if (index.needs_values()) return PlanLater();
  const TensorSpec out(input.spec.type, index.shape());
  const kernel::GatherLoop loop = index.GatherLoop(out.strides);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.workspace_bytes = index.workspace_bytes();
  plan.run = [index, loop, type = out.type, source = input.input](const RunContext& c) {
    const int64_t* offsets = index.ComputeOffsets(c);
    kernel::Gather(loop, index.offset_range(), type, offsets, c.inputs[source].data, c.outputs[0].data);
  };
  return plan;
}

/// Plans a copy of the input in which `values`, which are broadcast, replace the elements at the indices or, with
/// `accumulate`, are added to them.
OperationPlan PlanIndexPut(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorSpec out(input.spec.type, input.spec.shape);
  const AdvancedIndex index(arguments, "indices", out);
  if (index.needs_values()) return PlanLater();
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(out)};
  plan.workspace_bytes = index.workspace_bytes();
  const StridedCopy all(input, StridedView(out));
  const ConvertedOperand values(arguments.Tensor("values"), out.type, plan.workspace_bytes);
  const Strides strides = BroadcastStrides(values.spec(), index.shape());
  const kernel::ScatterLoop loop = index.ScatterLoop(strides);
  const kernel::ScatterKind kind =
      arguments.Bool("accumulate") ? kernel::ScatterKind::kAdd : kernel::ScatterKind::kAssign;
  if (input.input == 0) plan.changed_rows = index.Rows(out);
  plan.run = [index, all, values, loop, kind, type = out.type, first = input.input](const RunContext& c) {
    if (!InPlace(c, first)) all.Run(c);
    const int64_t* offsets = index.ComputeOffsets(c);
    kernel::Scatter(kind, loop, index.offset_range(), type, 1, offsets, values.Data(c), c.outputs[0].data);
  };
  return plan;
}

/// Plans a vector of the elements at true elements of the mask.
OperationPlan PlanMaskedSelect(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const TensorArgument& mask = arguments.Tensor("mask");
  arguments.Require(mask.spec.type == RuntimeDataType::kTypeBool,
                    std::string("mask is ") + TypeName(mask.spec.type) + ", expected bool");
  const Shape shape = BroadcastShapes(input.spec.shape, mask.spec.shape);
  const Strides from = BroadcastStrides(input.spec, shape);
  const NdArray flags = mask.values().AsStrided(shape, BroadcastStrides(mask.spec, shape)).Contiguous();
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < flags.size(); ++i) {
    if (!flags.data<bool>()[i]) continue;
    int64_t rest = i;
    int64_t offset = 0;
    for (std::size_t k = shape.size(); k-- > 0;) {
      offset += rest % shape[k] * from[k];
      rest /= shape[k];
    }
    offsets.push_back(offset);
  }
  const int64_t count = static_cast<int64_t>(offsets.size());
  const kernel::GatherLoop loop({count}, {Strides{1}, Strides{0}, Strides{1}});
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, {count})};
  plan.run = [loop, offsets, type = input.spec.type, source = input.input](const RunContext& c) {
    const kernel::IndexedAxis range{INT64_MAX, 1, false};
    kernel::Gather(loop, range, type, offsets.data(), c.inputs[source].data, c.outputs[0].data);
  };
  return plan;
}

/// Plans the positions of the elements that are not zero, one row for each.
OperationPlan PlanNonzero(const Arguments& arguments) {
  const NdArray flags = arguments.Tensor("input").values().To(RuntimeDataType::kTypeBool).Contiguous();
  const int64_t count = std::count(flags.data<bool>(), flags.data<bool>() + flags.size(), true);
  NdArray positions(RuntimeDataType::kTypeInt64, {count, flags.rank()});
  kernel::FirstPositions(flags.shape(), flags.data<bool>(), count, 0, positions.data<int64_t>());
  OperationPlan plan;
  plan.outputs = {OutputPlan::Known(positions)};
  return plan;
}

/// Plans the positions of the elements of argument `input` that are not zero: a list with one array for each axis.
OperationPlan PlanPositions(const Arguments& arguments) {
  const OperationPlan positions = PlanNonzero(arguments);
  const NdArray rows = positions.outputs.front().known.Get<NdArray>();
  const int64_t count = rows.shape()[0];
  const int64_t axes = rows.shape()[1];
  OperationPlan plan;
  std::vector<OutputPlan> items;
  for (int64_t axis = 0; axis < axes; ++axis) {
    items.push_back(OutputPlan::Known(rows.AsStrided({count}, {axes}, axis).Contiguous()));
  }
  plan.outputs = {OutputPlan::List(std::move(items))};
  return plan;
}

}  // namespace

void RegisterIndex(OperationTable& table) {
  const OutputValues moved = Preserves({"input"});
  table.Add({"Tensor.index", "aten::index", "aten::_unsafe_index"}, "Tensor input|self, any expr|indices", PlanIndex,
            InputLayout::kRowMajor, moved);
  table.Add({"Tensor.index_put", "aten::index_put", "aten::_unsafe_index_put"},
            "Tensor input|self, any indices, Tensor values, bool accumulate=False", PlanIndexPut,
            InputLayout::kRowMajor, Preserves({"input", "values"}, Overwrites));
  table.Add({"torch.masked_select", "aten::masked_select"}, "Tensor input|self, Tensor mask", PlanMaskedSelect,
            InputLayout::kRowMajor, OperationKind::kDataDependent, moved);
  table.Add({"torch.nonzero", "aten::nonzero", "torch.argwhere", "aten::argwhere"}, "Tensor input|self", PlanNonzero,
            InputLayout::kRowMajor, OperationKind::kDataDependent);
  table.Add({"aten::nonzero_numpy"}, "Tensor input|self", PlanPositions, InputLayout::kRowMajor,
            OperationKind::kDataDependent);
  // A condition alone asks for positions. The overload that chooses (elementwise/where.cpp) is tried before, because a
  // call of it would fit this one as well.
  table.Add({"torch.where", "aten::where"}, "Tensor input|condition|self", PlanPositions, InputLayout::kRowMajor,
            OperationKind::kDataDependent);
}

}  // namespace kuiper_infer
