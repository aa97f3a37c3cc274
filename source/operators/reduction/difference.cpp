// SPDX-License-Identifier: MIT
#include "operators/reduction/difference.hpp"

#include <algorithm>

#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanDiff(const Arguments& arguments) {
  TensorArgument x = arguments.Tensor("input");
  arguments.Require(x.spec.rank() >= 1, "input is a single number, expected rank 1 or more");
  const int64_t axis = arguments.Axis("dim", x.spec.rank());
  const int64_t n = arguments.Int("n");
  arguments.Require(n >= 0, "n is " + std::to_string(n) + ", expected 0 or more");
  Composition composition(arguments);
  std::vector<TensorArgument> parts = {x};
  if (const TensorArgument* before = arguments.OptionalTensor("prepend")) parts.insert(parts.begin(), *before);
  if (const TensorArgument* behind = arguments.OptionalTensor("append")) parts.push_back(*behind);
  if (parts.size() > 1) x = composition.Call("torch.cat", {{"tensors", parts}, {"dim", axis}});
  for (int64_t i = std::min(n, ExtentAlong(x, axis)); i > 0; --i) x = NeighbourDifferences(composition, x, axis);
  return composition.Finish({x});
}

/// Returns the distances of neighbours along the axis: a number, or the differences of coordinates, which are a vector
/// along the axis or an array like y.
TensorArgument Spacing(const Arguments& arguments, Composition& composition, const TensorArgument& y, int64_t axis) {
  const TensorArgument& x = arguments.Tensor("x");
  if (x.spec.rank() == 0) return x;
  if (x.spec.rank() != 1) return NeighbourDifferences(composition, x, arguments.Axis("dim", x.spec.rank()));
  arguments.Require(x.spec.size() == ExtentAlong(y, axis),
                    "x is " + ShapeString(x.spec.shape) + ", y is " + ShapeString(y.spec.shape) +
                        ", expected one coordinate for each of y's along the axis");
  return AlongAxis(NeighbourDifferences(composition, x, 0), axis, y.spec.rank());
}

/// Plans the areas under the line through neighbouring points, summed, or running sums of them.
template <bool kCumulative>
OperationPlan PlanTrapezoid(const Arguments& arguments) {
  const TensorArgument& y = arguments.Tensor("y");
  arguments.Require(y.spec.rank() >= 1, "y is a single number, expected rank 1 or more");
  const int64_t axis = arguments.Axis("dim", y.spec.rank());
  const int64_t extent = ExtentAlong(y, axis);
  Composition composition(arguments);
  const TensorArgument areas = ApplyFormula(composition, "div(mul(add(next, last), spacing), 2)",
                                            {{"next", composition.Slice(y, axis, 1, extent)},
                                             {"last", composition.Slice(y, axis, 0, std::max<int64_t>(extent - 1, 0))},
                                             {"spacing", Spacing(arguments, composition, y, axis)}});
  const int64_t from_end = axis - y.spec.rank();
  return composition.Finish(
      {composition.Call(kCumulative ? "torch.cumsum" : "torch.sum", {{"input", areas}, {"dim", from_end}})});
}

}  // namespace

int64_t ExtentAlong(const TensorArgument& x, int64_t axis) { return x.spec.shape[static_cast<std::size_t>(axis)]; }

TensorArgument NeighbourDifferences(Composition& composition, const TensorArgument& x, int64_t axis) {
  const int64_t extent = ExtentAlong(x, axis);
  const bool flags = x.spec.type == RuntimeDataType::kTypeBool;
  return ApplyFormula(composition, flags ? "ne(next, last)" : "sub(next, last)",
                      {{"next", composition.Slice(x, axis, 1, extent)},
                       {"last", composition.Slice(x, axis, 0, std::max<int64_t>(extent - 1, 0))}});
}

TensorArgument AlongAxis(const TensorArgument& vector, int64_t axis, int64_t rank) {
  Shape shape(static_cast<std::size_t>(rank - axis), 1);
  shape.front() = vector.spec.size();
  return Reshaped(vector, shape);
}

void RegisterDifference(OperationTable& table) {
  table.Add({"torch.diff", "aten::diff"},
            "Tensor input|self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None", PlanDiff);
  const char* area = "Tensor y, Tensor x|dx=1.0, int dim=-1";
  table.Add({"torch.trapezoid", "torch.trapz", "aten::trapezoid", "aten::trapz"}, area, PlanTrapezoid<false>);
  table.Add({"torch.cumulative_trapezoid", "aten::cumulative_trapezoid"}, area, PlanTrapezoid<true>);
}

}  // namespace kuiper_infer
