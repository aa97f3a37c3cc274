// SPDX-License-Identifier: MIT
#include <string>

#include "operators/elementwise/formula.hpp"
#include "operators/product/matrix_product.hpp"

namespace kuiper_infer {
namespace {

/// Plans torch.matmul: a vector on the left is a row, on the right a column, and loses that axis again in the result.
OperationPlan PlanMatmul(const Arguments& arguments) {
  TensorArgument a = arguments.Tensor("input");
  TensorArgument b = arguments.Tensor("other");
  arguments.Require(
      a.spec.rank() >= 1 && b.spec.rank() >= 1,
      "found " + ShapeString(a.spec.shape) + " and " + ShapeString(b.spec.shape) + ", expected rank 1 or more");
  const bool left_vector = a.spec.rank() == 1;
  const bool right_vector = b.spec.rank() == 1;
  if (left_vector) a = AsRow(a);
  if (right_vector) b = AsColumn(b);
  Shape shape = LeadingShape(a, b);
  if (!left_vector) shape.push_back(a.spec.shape[a.spec.shape.size() - 2]);
  if (!right_vector) shape.push_back(b.spec.shape.back());
  return PlanMatrixProduct(arguments, a, b, nullptr, 1, 0, shape);
}

OperationPlan PlanMm(const Arguments& arguments) {
  const TensorArgument a = ReadRank(arguments, "input", 2);
  const TensorArgument b = ReadRank(arguments, "mat2", 2);
  return PlanMatrixProduct(arguments, a, b, nullptr, 1, 0, {a.spec.shape[0], b.spec.shape[1]});
}

OperationPlan PlanBmm(const Arguments& arguments) {
  return PlanBatch(arguments, ReadRank(arguments, "input", 3), ReadRank(arguments, "mat2", 3));
}

OperationPlan PlanMv(const Arguments& arguments) {
  const TensorArgument matrix = ReadRank(arguments, "input", 2);
  const TensorArgument vector = ReadRank(arguments, "vec", 1);
  return PlanMatrixProduct(arguments, matrix, AsColumn(vector), nullptr, 1, 0, {matrix.spec.shape[0]});
}

OperationPlan PlanDot(const Arguments& arguments) {
  const TensorArgument a = ReadRank(arguments, "input", 1);
  const TensorArgument b = ReadRank(arguments, "other", 1);
  return PlanMatrixProduct(arguments, AsRow(a), AsColumn(b), nullptr, 1, 0, {});
}

OperationPlan PlanOuter(const Arguments& arguments) {
  const TensorArgument a = ReadRank(arguments, "input", 1);
  const TensorArgument b = ReadRank(arguments, "vec2", 1);
  return PlanFormula("mul(a, b)", {{"a", AsColumn(a)}, {"b", AsRow(b)}});
}

/// Plans torch.inner: sums over the last axes of both arrays. The result has the other axes of the first array, then
/// those of the second. A single number multiplies the other array.
OperationPlan PlanInner(const Arguments& arguments) {
  const TensorArgument& a = arguments.Tensor("input");
  const TensorArgument& b = arguments.Tensor("other");
  if (a.spec.rank() == 0 || b.spec.rank() == 0) return PlanFormula("mul(a, b)", {{"a", a}, {"b", b}});
  arguments.Require(
      a.spec.shape.back() == b.spec.shape.back(),
      "found " + ShapeString(a.spec.shape) + " and " + ShapeString(b.spec.shape) + ", expected equal last extents");
  Shape shape(a.spec.shape.begin(), a.spec.shape.end() - 1);
  shape.insert(shape.end(), b.spec.shape.begin(), b.spec.shape.end() - 1);
  return PlanMatrixProduct(arguments, FlattenRows(a), Transposed(FlattenRows(b)), nullptr, 1, 0, shape);
}

}  // namespace

void RegisterMatmul(OperationTable& table) {
  const auto add = [&](const std::vector<std::string>& types, const char* schema, const PlanFunction& plan) {
    table.Add(types, schema, plan, InputLayout::kStrided);
  };
  add({"torch.matmul", "Tensor.matmul", "torch.linalg.matmul", "aten::matmul", "aten::linalg_matmul"},
      "Tensor input|self, Tensor other", PlanMatmul);
  add({"torch.mm", "Tensor.mm", "aten::mm"}, "Tensor input|self, Tensor mat2", PlanMm);
  add({"torch.bmm", "Tensor.bmm", "aten::bmm"}, "Tensor input|self, Tensor mat2", PlanBmm);
  add({"torch.mv", "Tensor.mv", "aten::mv"}, "Tensor input|self, Tensor vec", PlanMv);
  add({"torch.dot", "Tensor.dot", "aten::dot"}, "Tensor input|self, Tensor other|tensor", PlanDot);
  add({"torch.outer", "torch.ger", "Tensor.outer", "aten::outer", "aten::ger"}, "Tensor input|self, Tensor vec2",
      PlanOuter);
  table.Add({"torch.inner", "Tensor.inner", "aten::inner"}, "Tensor input|self, Tensor other", PlanInner);
}

}  // namespace kuiper_infer
