// SPDX-License-Identifier: MIT
#include "kernel/reduction/distance.hpp"

#include <algorithm>

#include "operation/parameters.hpp"
#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"
#include "shape/broadcast.hpp"
#include "shape/matrix_offset.hpp"
#include "shape/promote.hpp"
#include "utils/dispatch.hpp"

namespace kuiper_infer {
namespace {

double ReadNorm(const Arguments& arguments) {
  const double p = arguments.Float("p");
  arguments.Require(p >= 0, "p is " + std::to_string(p) + ", expected 0 or more");
  return p;
}

TensorSpec Broadcast(const TensorSpec& spec, const Shape& leading) {
  Shape shape = leading;
  shape.insert(shape.end(), spec.shape.end() - 2, spec.shape.end());
  return {spec.type, shape, BroadcastStrides(spec, shape)};
}

OperationPlan PlanCdist(const Arguments& arguments) {
  const TensorArgument& x = arguments.Tensor("x1");
  const TensorArgument& y = arguments.Tensor("x2");
  const double p = ReadNorm(arguments);
  RequireFloating(arguments, x, "x1");
  arguments.Require(x.spec.rank() >= 2 && y.spec.rank() >= 2 && x.spec.type == y.spec.type &&
                        x.spec.shape.back() == y.spec.shape.back(),
                    "found " + SpecString(x.spec) + " and " + SpecString(y.spec) +
                        ", expected one type, rank 2 or more and equal last extents");
  const Shape leading = LeadingShape(x, y);
  const TensorSpec left = Broadcast(x.spec, leading);
  const TensorSpec right = Broadcast(y.spec, leading);
  const int64_t rows = x.spec.shape.end()[-2];
  const int64_t columns = y.spec.shape.end()[-2];
  const int64_t width = x.spec.shape.back();
  const int64_t count = ElementCount(leading);
  Shape shape = leading;
  shape.insert(shape.end(), {rows, columns});
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(x.spec.type, shape)};
  plan.multiply_adds = static_cast<double>(ElementCount(shape)) * static_cast<double>(width);
  plan.run = [=, first = x.input, second = y.input](const RunContext& c) {
    DispatchFloating(left.type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (int64_t i = 0; i < count; ++i) {
        kernel::Distances<T>({p, rows, columns, width, MatrixAt(c.inputs[first].as<T>(), left, i),
                              MatrixAt(c.inputs[second].as<T>(), right, i), false,
                              c.outputs[0].as<T>() + i * rows * columns});
      }
    });
  };
  return plan;
}

OperationPlan PlanPdist(const Arguments& arguments) {
  const TensorArgument x = ReadRank(arguments, "input", 2);
  RequireFloating(arguments, x);
  const double p = ReadNorm(arguments);
  const int64_t rows = x.spec.shape[0];
  const int64_t width = x.spec.shape[1];
  OperationPlan plan;
  const int64_t pairs = ElementCount({rows, std::max<int64_t>(rows - 1, 0)}) / 2;
  plan.outputs = {OutputPlan::New(x.spec.type, {pairs})};
  plan.multiply_adds = static_cast<double>(pairs) * static_cast<double>(width);
  plan.run = [=, type = x.spec.type, input = x.input](const RunContext& c) {
    DispatchFloating(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* x_data = c.inputs[input].as<T>();
      kernel::Distances<T>({p, rows, rows, width, x_data, x_data, true, c.outputs[0].as<T>()});
    });
  };
  return plan;
}

/// Plans the cosine similarity sum x y / (max(|x|, eps) max(|y|, eps)) along an axis.
OperationPlan PlanCosineSimilarity(const Arguments& arguments) {
  TensorArgument x = arguments.Tensor("x1");
  TensorArgument y = arguments.Tensor("x2");
  const Shape common = BroadcastShapes(x.spec.shape, y.spec.shape);
  const int64_t axis = arguments.Axis("dim", static_cast<int64_t>(common.size()));
  Composition composition(arguments);
  const RuntimeDataType type = FloatingResult(Promote(x.spec, y.spec));
  x = composition.Convert(x, type);
  y = composition.Convert(y, type);
  const auto sum_of_products = [&](const TensorArgument& a, const TensorArgument& b) {
    // The square of one array has that array's shape. Its strides are changed to read it under the common shape.
    TensorArgument product = ApplyFormula(composition, "mul(a, b)", {{"a", a}, {"b", b}});
    if (product.spec.shape != common) {
      product.spec = TensorSpec(product.spec.type, common, BroadcastStrides(product.spec, common));
    }
    return composition.Call("torch.sum", {{"input", product}, {"dim", axis}});
  };
  return composition.Finish({ApplyFormula(composition, "div(xy, mul(maximum(sqrt(xx), eps), maximum(sqrt(yy), eps)))",
                                          {{"xy", sum_of_products(x, y)},
                                           {"xx", sum_of_products(x, x)},
                                           {"yy", sum_of_products(y, y)},
                                           {"eps", arguments.Tensor("eps")}})});
}

}  // namespace

void RegisterDistance(OperationTable& table) {
  table.Add({"torch.cdist", "aten::cdist", "aten::_cdist_forward"},
            "Tensor x1, Tensor x2, float p=2, any compute_mode=None", PlanCdist);
  table.Add({"aten::_euclidean_dist"}, "Tensor x1, Tensor x2, float p=2", PlanCdist);
  table.Add({"F.pdist", "aten::pdist", "aten::_pdist_forward"}, "Tensor input|self, float p=2", PlanPdist);
  table.Add({"F.cosine_similarity", "nn.CosineSimilarity", "aten::cosine_similarity"},
            "Tensor x1, Tensor x2, int dim=1, Tensor eps=1e-8", PlanCosineSimilarity, InputLayout::kStrided);
}

}  // namespace kuiper_infer
