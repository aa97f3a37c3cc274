// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "operation/parameters.hpp"
#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

/// Plans the cross product of three components along an axis; torch.cross takes the first axis of extent 3 when none is
/// given.
OperationPlan PlanCross(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("other");
  const auto rank = std::max(a.spec.rank(), b.spec.rank());
  int64_t axis = -1;
  if (arguments.Has("dim")) {
    axis = arguments.Axis("dim", rank) - rank;
  } else {
    const auto found = std::find(a.spec.shape.begin(), a.spec.shape.end(), 3);
    axis = (found - a.spec.shape.begin()) - a.spec.rank();
  }
  const auto extent = [&](const TensorArgument& x) {
    return -axis <= x.spec.rank() ? x.spec.shape[static_cast<std::size_t>(x.spec.rank() + axis)] : 0;
  };
  arguments.Require(axis < 0 && extent(a) == 3 && extent(b) == 3, "found " + ShapeString(a.spec.shape) + " and " +
                                                                      ShapeString(b.spec.shape) +
                                                                      ", expected extent 3 along the axis");
  Composition composition(arguments);
  const auto component = [&](const TensorArgument& x, int64_t index) {
    return composition.Slice(x, axis, index, index + 1);
  };
  std::vector<TensorArgument> parts;
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t j = (i + 1) % 3;
    const int64_t k = (i + 2) % 3;
    parts.push_back(ApplyFormula(
        composition, "sub(mul(aj, bk), mul(ak, bj))",
        {{"aj", component(a, j)}, {"bk", component(b, k)}, {"ak", component(a, k)}, {"bj", component(b, j)}}));
  }
  return composition.Finish({composition.Call("torch.cat", {{"tensors", parts}, {"dim", axis}})});
}

OperationPlan PlanVecdot(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument products = ApplyFormula(composition, "mul(conj(x), y)");
  return composition.Finish({composition.Call("torch.sum", {{"input", products}, {"dim", arguments.Int("dim")}})});
}

OperationPlan PlanVdot(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("other");
  Composition composition(arguments);
  if (!IsComplex(a.spec.type)) return composition.Finish({composition.Call("torch.dot", {{"input", a}, {"other", b}})});
  arguments.Require(
      a.spec.rank() == 1 && a.spec.shape == b.spec.shape,
      "found " + ShapeString(a.spec.shape) + " and " + ShapeString(b.spec.shape) + ", expected vectors of one length");
  const TensorArgument products = ApplyFormula(composition, "mul(conj(input), other)");
  return composition.Finish({composition.Call("torch.sum", {{"input", products}})});
}

/// The array summed over those of its axes whose partners in the other array have a single element.
TensorArgument SumBesideSingles(Composition& composition, const TensorArgument& x, const std::vector<int64_t>& axes,
                                const Shape& other, const std::vector<int64_t>& partners) {
  Shape lone;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool single = other[static_cast<std::size_t>(partners[i])] == 1;
    if (single && x.spec.shape[static_cast<std::size_t>(axes[i])] != 1) lone.push_back(axes[i]);
  }
  if (lone.empty()) return x;
  return composition.Call("torch.sum", {{"input", x}, {"dim", lone}, {"keepdim", true}});
}

/// Plans a sum over some axes of both arrays as one matrix product. The other axes become its rows and columns.
OperationPlan PlanTensordot(const Arguments& arguments) {
  Composition composition(arguments);
  Shape shape;
  const TensorArgument& a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("other");
  const std::vector<int64_t> of_a = AxesOrNone(arguments, "dims_self", a.spec.rank());
  const std::vector<int64_t> of_b = AxesOrNone(arguments, "dims_other", b.spec.rank());
  arguments.Require(of_a.size() == of_b.size(), "found " + std::to_string(of_a.size()) + " and " +
                                                    std::to_string(of_b.size()) + " axes, expected equal numbers");
  const auto matrix = [&](const TensorArgument& x, const std::vector<int64_t>& summed, bool summed_last) {
    std::vector<int64_t> kept;
    int64_t rows = 1;
    int64_t columns = 1;
    for (int64_t axis = 0; axis < x.spec.rank(); ++axis) {
      const int64_t extent = x.spec.shape[static_cast<std::size_t>(axis)];
      const bool is_summed = std::find(summed.begin(), summed.end(), axis) != summed.end();
      (is_summed ? columns : rows) *= extent;
      if (is_summed) continue;
      kept.push_back(axis);
      shape.push_back(extent);
    }
    kept.insert(summed_last ? kept.end() : kept.begin(), summed.begin(), summed.end());
    const TensorArgument permuted = composition.Call("Tensor.permute", {{"input", x}, {"dims", kept}});
    return composition.Call(
        "Tensor.reshape", {{"input", permuted}, {"shape", summed_last ? Shape{rows, columns} : Shape{columns, rows}}});
  };
  const TensorArgument left = matrix(SumBesideSingles(composition, a, of_a, b.spec.shape, of_b), of_a, true);
  const TensorArgument right = matrix(SumBesideSingles(composition, b, of_b, a.spec.shape, of_a), of_b, false);
  const TensorArgument product = composition.Call("torch.mm", {{"input", left}, {"mat2", right}});
  return composition.Finish({Reshaped(product, shape)});
}

/// Plans out[i p + k, j q + l] = a[i, j] b[k, l], for any rank.
OperationPlan PlanKron(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("other");
  const auto rank = static_cast<std::size_t>(std::max(a.spec.rank(), b.spec.rank()));
  const auto extent = [&](const TensorArgument& x, std::size_t axis) {
    const std::size_t missing = rank - x.spec.shape.size();
    return axis < missing ? 1 : x.spec.shape[axis - missing];
  };
  Shape left;
  Shape right;
  Shape shape;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    left.insert(left.end(), {extent(a, axis), 1});
    right.insert(right.end(), {1, extent(b, axis)});
    shape.push_back(extent(a, axis) * extent(b, axis));
  }
  Composition composition(arguments);
  const TensorArgument product =
      ApplyFormula(composition, "mul(a, b)", {{"a", Reshaped(a, left)}, {"b", Reshaped(b, right)}});
  return composition.Finish({Reshaped(product, shape)});
}

}  // namespace

void RegisterVectorProduct(OperationTable& table) {
  const std::string pair = "Tensor input|self, Tensor other";
  table.Add({"torch.cross", "aten::cross"}, pair + ", int? dim=None", PlanCross);
  table.Add({"torch.linalg.cross", "aten::linalg_cross"}, pair + ", int dim=-1", PlanCross);
  table.Add({"torch.vdot", "aten::vdot"}, pair + "|tensor", PlanVdot);
  table.Add({"torch.linalg.vecdot", "aten::linalg_vecdot"}, "Tensor x, Tensor y, int dim=-1", PlanVecdot);
  table.Add({"torch.tensordot", "aten::tensordot"}, pair + ", int[] dims_self, int[] dims_other", PlanTensordot);
  table.Add({"torch.kron", "aten::kron"}, pair, PlanKron);
}

}  // namespace kuiper_infer
