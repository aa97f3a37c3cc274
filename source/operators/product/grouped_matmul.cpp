// SPDX-License-Identifier: MIT
#include "kernel/product/grouped_matmul.hpp"

#include <string>

#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

using kernel::GroupedExtent;
using kernel::GroupedGeometry;

/// Throws unless the groups' ends don't decrease and stay within the extent that they cut.
void CheckEnds(const int32_t* ends, const GroupedGeometry& geometry) {
  int64_t former = 0;
  for (int64_t g = 0; g < geometry.groups; ++g) {
    if (ends[g] < former || ends[g] > geometry.whole()) {
      throw Error(ErrorCode::kInput, "group " + std::to_string(g) + " ends at " + std::to_string(ends[g]) +
                                         ", expected " + std::to_string(former) + " to " +
                                         std::to_string(geometry.whole()));
    }
    former = ends[g];
  }
}

/// Plans the products of a mixture of experts. The array `offs` holds the end of each expert's group of rows, or of
/// columns or depth. If both sides are several matrices, the product is an ordinary batch.
OperationPlan PlanGroupedMatmul(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("mat2");
  const auto found = ", found " + SpecString(a.spec) + " and " + SpecString(b.spec);
  const auto is_matrix = [](const TensorArgument& tensor) { return tensor.spec.rank() == 2; };
  for (const TensorArgument* tensor : {&a, &b}) {
    arguments.Require(
        tensor->spec.type == RuntimeDataType::kTypeFloat32 && (is_matrix(*tensor) || tensor->spec.rank() == 3),
        "expected float32 arrays of rank 2 or 3" + found);
  }
  arguments.Require(!arguments.Has("bias"), "bias is not supported, expected None");
  arguments.Require(!arguments.Has("out_dtype") || arguments.Type("out_dtype") == RuntimeDataType::kTypeFloat32,
                    "expected out_dtype float32");
  if (!is_matrix(a) && !is_matrix(b)) return PlanBatch(arguments, a, b);
  const TensorArgument& ends = arguments.Tensor("offs");
  arguments.Require(ends.spec.type == RuntimeDataType::kTypeInt32 && ends.spec.rank() == 1,
                    "offs is " + SpecString(ends.spec) + ", expected int32 of rank 1");
  GroupedGeometry geometry;
  geometry.cut = is_matrix(a) ? (is_matrix(b) ? GroupedExtent::kDepth : GroupedExtent::kRows) : GroupedExtent::kColumns;
  geometry.groups = ends.spec.shape[0];
  geometry.m = a.spec.shape.end()[-2];
  geometry.k = a.spec.shape.back();
  geometry.n = b.spec.shape.back();
  const Shape& stacked = is_matrix(a) ? b.spec.shape : a.spec.shape;
  const bool depth = geometry.cut == GroupedExtent::kDepth;
  arguments.Require(
      geometry.k == b.spec.shape.end()[-2] && (depth || stacked.front() == geometry.groups),
      "expected equal depths and a matrix for each of " + std::to_string(geometry.groups) + " groups" + found);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(RuntimeDataType::kTypeFloat32, depth ? Shape{geometry.groups, geometry.m, geometry.n}
                                                                       : Shape{geometry.m, geometry.n})};
  plan.multiply_adds =
      static_cast<double>(geometry.m) * static_cast<double>(geometry.k) * static_cast<double>(geometry.n);
  plan.run = [geometry, left = a.input, right = b.input, groups = ends.input](const RunContext& c) {
    const auto* given = c.inputs[groups].as<int32_t>();
    CheckEnds(given, geometry);
    kernel::GroupedMatmul(geometry, c.inputs[left].as<float>(), c.inputs[right].as<float>(), given,
                          static_cast<float*>(c.outputs[0].data));
  };
  return plan;
}

}  // namespace

void RegisterGroupedMatmul(OperationTable& table) {
  table.Add({"aten::_grouped_mm"},
            "Tensor input|self, Tensor mat2|mat_b, Tensor? offs=None, Tensor? bias=None, dtype? out_dtype=None",
            PlanGroupedMatmul);
}

}  // namespace kuiper_infer
