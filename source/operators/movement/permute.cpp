// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "operation/composition.hpp"
#include "operation/parameters.hpp"
#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

std::vector<int64_t> AxesInOrder(int64_t rank) {
  std::vector<int64_t> order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

OperationPlan PlanOrder(const Arguments& arguments, const std::vector<int64_t>& order) {
  const TensorArgument& input = arguments.Tensor("input");
  return PlanView(input, PermuteAxes(StridedView(input.spec), order));
}

OperationPlan PlanPermute(const Arguments& arguments) {
  const int64_t rank = arguments.Tensor("input").spec.rank();
  const std::vector<int64_t> order = IntsOrEmpty(arguments, "dims");
  // Without this, no axes would mean all axes.
  if (order.empty()) return PlanOrder(arguments, {});
  return PlanOrder(arguments, arguments.Axes("dims", rank));
}

OperationPlan PlanTranspose(const Arguments& arguments) {
  const int64_t rank = arguments.Tensor("input").spec.rank();
  const int64_t first = arguments.Axis("dim0", rank);
  const int64_t second = arguments.Axis("dim1", rank);
  std::vector<int64_t> order = AxesInOrder(rank);
  if (rank > 0) std::swap(order[first], order[second]);
  return PlanOrder(arguments, order);
}

/// Plans the array with its last two axes exchanged. torch.t allows ranks up to 2, Tensor.mT ranks from 2 on.
template <bool kMatrices>
OperationPlan PlanTransposeLast(const Arguments& arguments) {
  const Shape& shape = arguments.Tensor("input").spec.shape;
  arguments.Require(kMatrices ? shape.size() != 1 : shape.size() <= 2,
                    "input is " + ShapeString(shape) + ", expected rank 2 or " + (kMatrices ? "more" : "less"));
  std::vector<int64_t> order = AxesInOrder(static_cast<int64_t>(shape.size()));
  if (order.size() >= 2) std::swap(order[order.size() - 1], order[order.size() - 2]);
  return PlanOrder(arguments, order);
}

/// Plans the adjoint of matrices; conjugation leaves real ones as they are.
OperationPlan PlanAdjoint(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  if (!IsComplex(input.spec.type)) return PlanTransposeLast<true>(arguments);
  Composition composition(arguments);
  const TensorArgument conjugate = composition.Call("torch.conj", {{"input", input}});
  return composition.Finish({composition.Call("aten::mT", {{"input", conjugate}})});
}

OperationPlan PlanReverseAxes(const Arguments& arguments) {
  std::vector<int64_t> order = AxesInOrder(arguments.Tensor("input").spec.rank());
  std::reverse(order.begin(), order.end());
  return PlanOrder(arguments, order);
}

/// Plans the array with the axes `source` at the places `destination` and all other axes in their order.
OperationPlan PlanMoveAxes(const Arguments& arguments) {
  const int64_t rank = arguments.Tensor("input").spec.rank();
  const auto read = [&](const char* name) {
    return IntsOrEmpty(arguments, name).empty() ? std::vector<int64_t>{} : arguments.Axes(name, rank);
  };
  const std::vector<int64_t> from = read("source");
  const std::vector<int64_t> to = read("destination");
  arguments.Require(from.size() == to.size(), "found " + std::to_string(from.size()) + " source and " +
                                                  std::to_string(to.size()) +
                                                  " destination axes, expected equal numbers");
  std::vector<int64_t> order(static_cast<std::size_t>(rank), -1);
  for (std::size_t i = 0; i < from.size(); ++i) order[to[i]] = from[i];
  int64_t next = 0;
  for (int64_t& axis : order) {
    if (axis >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    axis = next++;
  }
  return PlanOrder(arguments, order);
}

OperationPlan PlanDiagonal(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t rank = input.spec.rank();
  arguments.Require(rank >= 2, "input is " + ShapeString(input.spec.shape) + ", expected rank 2 or more");
  const int64_t first = arguments.Axis("dim1", rank);
  const int64_t second = arguments.Axis("dim2", rank);
  return PlanView(input, TakeDiagonal(StridedView(input.spec), arguments.Int("offset"), first, second));
}

OperationPlan PlanUnfold(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t axis = arguments.Axis("dimension", input.spec.rank());
  StridedView view(input.spec);
  if (input.spec.rank() == 0) view = InsertAxis(view, 0);
  view = UnfoldAxis(view, axis, arguments.Int("size"), arguments.Int("step"));
  if (input.spec.rank() == 0) view = SelectAxis(view, 0, 0);
  return PlanView(input, view);
}

}  // namespace

void RegisterPermute(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"Tensor.permute", "torch.permute", "aten::permute", "aten::permute_copy"},
            "Tensor input|self, int[]? dims=None", PlanPermute, strided, moved);
  table.Add({"torch.transpose", "Tensor.transpose", "torch.swapaxes", "torch.swapdims", "aten::transpose",
             "aten::transpose_copy", "aten::swapaxes", "aten::swapdims"},
            "Tensor input|self, int dim0|axis0, int dim1|axis1", PlanTranspose, strided, moved);
  table.Add({"torch.t", "Tensor.t", "aten::t", "aten::t_copy"}, "Tensor input|self", PlanTransposeLast<false>, strided,
            moved);
  table.Add({"aten::mT"}, "Tensor input|self", PlanTransposeLast<true>, strided, moved);
  table.Add({"aten::mH", "aten::adjoint"}, "Tensor input|self", PlanAdjoint, strided);
  table.Add({"aten::numpy_T"}, "Tensor input|self", PlanReverseAxes, strided, moved);
  table.Add({"torch.movedim", "torch.moveaxis", "aten::movedim", "aten::moveaxis"},
            "Tensor input|self, int[] source, int[] destination", PlanMoveAxes, strided, moved);
  table.Add({"torch.diagonal", "aten::diagonal", "aten::diagonal_copy"},
            "Tensor input|self, int offset=0, int dim1=0, int dim2=1", PlanDiagonal, strided, moved);
  table.Add({"torch.linalg.diagonal", "aten::linalg_diagonal"},
            "Tensor input|A, int offset=0, int dim1=-2, int dim2=-1", PlanDiagonal, strided, moved);
  table.Add({"Tensor.unfold", "aten::unfold", "aten::unfold_copy"},
            "Tensor input|self, int dimension, int size, int step", PlanUnfold, strided, moved);
}

}  // namespace kuiper_infer
