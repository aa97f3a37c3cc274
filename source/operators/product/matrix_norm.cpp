// SPDX-License-Identifier: MIT
#include <cmath>

#include "operation/composition.hpp"
#include "shape/reduction.hpp"

namespace kuiper_infer {
namespace {

TensorArgument VectorNorm(Composition& composition, const TensorArgument& x, double p, const CallArgument& axes,
                          bool keepdim) {
  return composition.Call("torch.linalg.vector_norm", {{"input", x}, {"p", p}, {"dim", axes}, {"keepdim", keepdim}});
}

/// A reduction along one axis. The largest of no numbers is 0, as their sum is.
TensorArgument Reduce(Composition& composition, const TensorArgument& x, const std::string& reduction, int64_t axis,
                      bool keepdim) {
  const bool none = reduction == "torch.amax" && x.spec.shape[static_cast<std::size_t>(axis)] == 0;
  return composition.Call(none ? "torch.sum" : reduction, {{"input", x}, {"dim", axis}, {"keepdim", keepdim}});
}

/// The 2-norm (largest singular value), the -2-norm (smallest) or the nuclear norm (their sum).
TensorArgument SpectralNorm(Composition& composition, const TensorArgument& x, const std::string& reduction,
                            const std::vector<int64_t>& axes, bool keepdim) {
  Shape order;
  for (int64_t axis = 0; axis < x.spec.rank(); ++axis) {
    if (axis != axes[0] && axis != axes[1]) order.push_back(axis);
  }
  order.insert(order.end(), axes.begin(), axes.end());
  const TensorArgument matrices = composition.Call("Tensor.permute", {{"input", x}, {"dims", order}});
  const TensorArgument values = composition.Call("torch.linalg.svdvals", {{"input", matrices}});
  TensorArgument norm = Reduce(composition, values, reduction, values.spec.rank() - 1, false);
  norm.spec = TensorSpec(norm.spec.type, ReducedShape(x.spec.shape, axes, keepdim));
  return norm;
}

/// A norm of matrices: "fro", "nuc", 1 (largest column sum), inf (largest row sum), 2, and the smallest with -1, -inf,
/// -2.
TensorArgument MatrixNorm(Composition& composition, const TensorArgument& x, const Value& order,
                          const std::vector<int64_t>& axes, bool keepdim) {
  const Arguments& arguments = composition.outer();
  arguments.Require(axes.size() == 2, "dim has " + std::to_string(axes.size()) + " axes, expected two");
  if (order.Is<std::string>() && order.Get<std::string>() == "fro") {
    return VectorNorm(composition, x, 2, Shape(axes), keepdim);
  }
  if (order.Is<std::string>() && order.Get<std::string>() == "nuc") {
    return SpectralNorm(composition, x, "torch.sum", axes, keepdim);
  }
  const double p = arguments.Float("ord");
  const char* reduction = p > 0 ? "torch.amax" : "torch.amin";
  if (std::abs(p) == 2) return SpectralNorm(composition, x, reduction, axes, keepdim);
  arguments.Require(std::abs(p) == 1 || std::isinf(p),
                    "ord is " + ValueString(order) + ", expected fro, nuc, 1, 2, inf, -1, -2 or -inf");
  const std::size_t summed = std::isinf(p) ? 1 : 0;
  const TensorArgument sums = VectorNorm(composition, x, 1, Shape{axes[summed]}, true);
  TensorArgument norm = Reduce(composition, sums, reduction, axes[1 - summed], true);
  norm.spec = TensorSpec(norm.spec.type, ReducedShape(x.spec.shape, axes, keepdim));
  return norm;
}

TensorArgument ReadMatrix(Composition& composition) {
  const Arguments& arguments = composition.outer();
  const TensorArgument& x = arguments.Tensor("input");
  return arguments.Has("dtype") ? composition.Convert(x, arguments.Type("dtype")) : x;
}

const Value& Order(const Arguments& arguments) { return arguments.Known("ord", "a number or the name of a norm"); }

OperationPlan PlanMatrixNorm(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument x = ReadMatrix(composition);
  const std::vector<int64_t> axes = arguments.Axes("dim", x.spec.rank());
  return composition.Finish({MatrixNorm(composition, x, Order(arguments), axes, arguments.Bool("keepdim"))});
}

/// Plans a vector norm if there is no `ord`, or if `ord` is a number and there is one axis; otherwise a matrix norm.
OperationPlan PlanNorm(const Arguments& arguments) {
  Composition composition(arguments);
  const TensorArgument x = ReadMatrix(composition);
  const bool keepdim = arguments.Bool("keepdim");
  const std::vector<int64_t> axes = arguments.Axes("dim", x.spec.rank());
  if (!arguments.Has("ord")) return composition.Finish({VectorNorm(composition, x, 2, Shape(axes), keepdim)});
  const Value& order = Order(arguments);
  const bool named =
      order.Is<std::string>() && (order.Get<std::string>() == "fro" || order.Get<std::string>() == "nuc");
  if (axes.size() == 1 && !named) {
    return composition.Finish({VectorNorm(composition, x, arguments.Float("ord"), Shape(axes), keepdim)});
  }
  return composition.Finish({MatrixNorm(composition, x, order, axes, keepdim)});
}

}  // namespace

void RegisterMatrixNorm(OperationTable& table) {
  table.Add({"torch.linalg.matrix_norm", "aten::linalg_matrix_norm"},
            "Tensor input|self|A, any ord=fro, int[] dim=[-2,-1], bool keepdim=False, dtype? dtype=None",
            PlanMatrixNorm);
  table.Add({"aten::nuclear_norm"}, "Tensor input|self, bool keepdim=False, int[] dim=[-2,-1], any ord=nuc",
            PlanMatrixNorm);
  table.Add({"aten::nuclear_norm"}, "Tensor input|self, int[] dim=[-2,-1], bool keepdim=False, any ord=nuc",
            PlanMatrixNorm);
  table.Add({"torch.linalg.norm", "aten::linalg_norm"},
            "Tensor input|self|A, any ord=None, int[]? dim=None, bool keepdim=False, dtype? dtype=None", PlanNorm);
}

}  // namespace kuiper_infer
