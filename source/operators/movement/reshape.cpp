// SPDX-License-Identifier: MIT
#include "shape/reshape.hpp"

#include "operation/parameters.hpp"
#include "operation/views.hpp"

namespace kuiper_infer {
namespace {

/// The shape that a reshape asks for. If the model computed the extents, the converter may append repeated entries:
/// (4,16,32,-1) for (4,16,32). The rank that the file records at the output then tells how many entries are meant, if
/// these account for all elements.
Shape ResolveRecorded(const Shape& input, const std::vector<int64_t>& wanted, int64_t rank) {
  if (rank > 0 && rank < static_cast<int64_t>(wanted.size())) {
    try {
      return ResolveShape(input, {wanted.begin(), wanted.begin() + rank});
    } catch (const Error&) {  // so all of them are meant
    }
  }
  return ResolveShape(input, wanted);
}

OperationPlan PlanReshapeTo(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const std::vector<int64_t> wanted = IntsOrEmpty(arguments, "shape");
  return PlanReshape(input, ResolveRecorded(input.spec.shape, wanted, arguments.recorded().rank));
}

OperationPlan PlanReshapeAs(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const Shape& wanted = arguments.Tensor("other").spec.shape;
  // The extents are those of another array, so a 0 is an extent and copies nothing.
  arguments.Require(
      ElementCount(wanted) == input.spec.size(),
      "input is " + ShapeString(input.spec.shape) + ", expected as many elements as in " + ShapeString(wanted));
  return PlanReshape(input, wanted);
}

OperationPlan PlanFlatten(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t rank = input.spec.rank();
  const int64_t first = arguments.Axis("start_dim", rank);
  const int64_t last = arguments.Axis("end_dim", rank);
  return PlanReshape(input, FlattenShape(input.spec.shape, first, last));
}

OperationPlan PlanRavel(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  return PlanReshape(input, {input.spec.size()});
}

/// Plans the array with one axis as several.
OperationPlan PlanUnflatten(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const int64_t axis = arguments.Axis("dim", input.spec.rank());
  arguments.Require(input.spec.rank() > 0, "input is (), expected rank 1 or more");
  std::vector<int64_t> sizes = arguments.Ints("sizes");
  sizes = ResolveShape({input.spec.shape[axis]}, sizes);
  Shape shape = input.spec.shape;
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, sizes.begin(), sizes.end());
  return PlanReshape(input, shape);
}

/// Plans the array with a rank of at least `kRank`, as torch.atleast_1d, atleast_2d and atleast_3d extend it.
template <int kRank>
OperationPlan PlanAtLeast(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  Shape shape = input.spec.shape;
  if (shape.empty()) shape.push_back(1);
  if (kRank >= 2 && shape.size() == 1) shape.insert(shape.begin(), 1);
  if (kRank >= 3 && shape.size() == 2) shape.push_back(1);
  return PlanReshape(input, shape);
}

}  // namespace

void RegisterReshape(OperationTable& table) {
  const InputLayout strided = InputLayout::kStrided;
  const OutputValues moved = Preserves({"input"});
  table.Add({"Tensor.reshape", "Tensor.view", "torch.reshape", "aten::reshape", "aten::view", "aten::view_copy",
             "aten::_unsafe_view", "aten::_reshape_copy"},
            "Tensor input|self, int[]? shape|size=None", PlanReshapeTo, strided, moved);
  table.Add({"aten::_reshape_alias"}, "Tensor input|self, int[]? shape|size=None, int[]? stride=None", PlanReshapeTo,
            strided, moved);
  table.Add({"Tensor.reshape_as", "Tensor.view_as", "aten::reshape_as", "aten::view_as"},
            "Tensor input|self, Tensor other", PlanReshapeAs, strided, moved);
  table.Add({"torch.flatten", "Tensor.flatten", "aten::flatten"}, "Tensor input|self, int start_dim=0, int end_dim=-1",
            PlanFlatten, strided, moved);
  table.Add({"nn.Flatten"}, "Tensor input, int start_dim=1, int end_dim=-1", PlanFlatten, strided, moved);
  table.Add({"torch.ravel", "Tensor.ravel", "aten::ravel"}, "Tensor input|self", PlanRavel, strided, moved);
  table.Add({"Tensor.unflatten", "torch.unflatten", "aten::unflatten"},
            "Tensor input|self, int dim, int[] sizes|unflattened_size", PlanUnflatten, strided, moved);
  table.Add({"torch.atleast_1d", "aten::atleast_1d"}, "Tensor input|self", PlanAtLeast<1>, strided, moved);
  table.Add({"torch.atleast_2d", "aten::atleast_2d"}, "Tensor input|self", PlanAtLeast<2>, strided, moved);
  table.Add({"torch.atleast_3d", "aten::atleast_3d"}, "Tensor input|self", PlanAtLeast<3>, strided, moved);
}

}  // namespace kuiper_infer
