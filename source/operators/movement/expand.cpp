// SPDX-License-Identifier: MIT
#include <string>

#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "operation/views.hpp"
#include "shape/broadcast.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

StridedView Expanded(const TensorSpec& spec, const Shape& shape) {
  StridedView view;
  view.shape = shape;
  view.strides = BroadcastStrides(spec, shape);
  return view;
}

OperationPlan PlanExpandTo(const TensorArgument& input, const Shape& shape) {
  return PlanView(input, Expanded(input.spec, shape));
}

/// Plans expand; -1 keeps an extent.
OperationPlan PlanExpand(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  std::vector<int64_t> sizes = IntsOrEmpty(arguments, "sizes");
  const Shape& shape = input.spec.shape;
  const int64_t added = static_cast<int64_t>(sizes.size()) - input.spec.rank();
  for (int64_t i = 0; i < static_cast<int64_t>(sizes.size()); ++i) {
    if (sizes[i] == -1 && added >= 0 && i >= added) sizes[i] = shape[i - added];
    arguments.Require(sizes[i] >= 0, ShapeString(shape) + " cannot be expanded to " + NumbersString(sizes) +
                                         ": expected extents, or -1 for axes that the input has");
  }
  return PlanExpandTo(input, sizes);
}

OperationPlan PlanExpandAs(const Arguments& arguments) {
  return PlanExpandTo(arguments.Tensor("input"), arguments.Tensor("other").spec.shape);
}

/// Plans sums over the axes that broadcasting from the given extents would add or stretch. Sums of integers are int64,
/// also over an added axis of extent 1.
OperationPlan PlanSumToSize(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Shape sizes = IntsOrEmpty(arguments, "size");
  const int64_t added = input.spec.rank() - static_cast<int64_t>(sizes.size());
  bool fits = added >= 0;
  Shape axes;
  for (int64_t i = 0; fits && i < input.spec.rank(); ++i) {
    const int64_t extent = input.spec.shape[i];
    const int64_t wanted = i < added ? 1 : sizes[i - added];
    fits = wanted == 1 || wanted == extent;
    if (i < added || wanted != extent) axes.push_back(i);
  }
  arguments.Require(fits, ShapeString(input.spec.shape) + " cannot be summed to " + NumbersString(sizes));
  Composition composition(arguments);
  TensorArgument sum = input;
  if (!axes.empty()) sum = composition.Call("torch.sum", {{"input", input}, {"dim", axes}, {"keepdim", true}});
  return composition.Finish({composition.Call("Tensor.reshape", {{"input", sum}, {"shape", sizes}})});
}

OperationPlan PlanBroadcastTensors(const Arguments& arguments) {
  const std::vector<TensorArgument> tensors = arguments.Tensors("tensors");
  OperationPlan plan;
  std::vector<OutputPlan> views;
  Shape common;
  for (const TensorArgument& tensor : tensors) common = BroadcastShapes(common, tensor.spec.shape);
  for (const TensorArgument& tensor : tensors) views.push_back(ViewOutput(tensor, Expanded(tensor.spec, common)));
  plan.outputs = {OutputPlan::List(std::move(views))};
  return plan;
}

/// Grids of coordinates: output k repeats vector k along all axes but k. With "xy" indexing the first two axes change
/// places.
OperationPlan PlanMeshgrid(const Arguments& arguments) {
  const std::vector<TensorArgument> tensors = arguments.Tensors("tensors");
  const std::string indexing = arguments.String("indexing");
  arguments.Require(indexing == "ij" || indexing == "xy", "indexing is '" + indexing + "', expected 'ij' or 'xy'");
  Shape grid;
  for (const TensorArgument& tensor : tensors) {
    arguments.Require(tensor.spec.rank() <= 1, "found " + ShapeString(tensor.spec.shape) + ", expected vectors");
    grid.push_back(tensor.spec.size());
  }
  const bool swap = indexing == "xy" && tensors.size() >= 2;
  OperationPlan plan;
  std::vector<OutputPlan> views;
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    StridedView view;
    view.shape = grid;
    view.strides.assign(grid.size(), 0);
    if (tensors[k].spec.rank() == 1) view.strides[k] = tensors[k].spec.strides[0];
    if (swap) {
      std::swap(view.shape[0], view.shape[1]);
      std::swap(view.strides[0], view.strides[1]);
    }
    views.push_back(ViewOutput(tensors[k], view));
  }
  plan.outputs = {OutputPlan::List(std::move(views))};
  return plan;
}

}  // namespace

void RegisterExpand(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"Tensor.expand", "torch.broadcast_to", "aten::expand", "aten::expand_copy", "aten::broadcast_to"},
            "Tensor input|self, int[]? sizes|size|shape=None, bool implicit=False", PlanExpand, strided, moved);
  table.Add({"Tensor.sum_to_size", "aten::sum_to_size"}, "Tensor input|self, int[]? size", PlanSumToSize, strided);
  table.Add({"Tensor.expand_as", "aten::expand_as"}, "Tensor input|self, Tensor other", PlanExpandAs, strided, moved);
  table.Add({"torch.broadcast_tensors", "aten::broadcast_tensors"}, "Tensor[] tensors", PlanBroadcastTensors, strided,
            Preserves({"tensors"}));
  table.Add({"torch.meshgrid", "aten::meshgrid"}, "Tensor[] tensors, str indexing=ij", PlanMeshgrid, strided,
            Preserves({"tensors"}));
}

}  // namespace kuiper_infer
