// SPDX-License-Identifier: MIT
#include "operators/linear_algebra/matrix_batch.hpp"

#include "operation/parameters.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {

Shape MatrixBatch::With(const Shape& axes) const {
  Shape shape = batch;
  shape.insert(shape.end(), axes.begin(), axes.end());
  return shape;
}

MatrixBatch ReadMatrices(const Arguments& arguments, const char* name) {
  const TensorArgument& tensor = arguments.Tensor(name);
  RequireFloating(arguments, tensor, name);
  const Shape& shape = tensor.spec.shape;
  const std::string found = std::string(name) + " is " + ShapeString(shape);
  arguments.Require(shape.size() >= 2, found + ", expected matrices: rank 2 or more");
  MatrixBatch matrices{tensor, Shape(shape.begin(), shape.end() - 2)};
  matrices.count = ElementCount(matrices.batch);
  matrices.rows = shape.end()[-2];
  matrices.columns = shape.back();
  // LAPACK counts scratch memory, up to eight times the smaller extent squared, in 32 bits.
  constexpr int64_t kMostLeast = int64_t{1} << 14;
  constexpr int64_t kMost = int64_t{1} << 24;
  arguments.Require(matrices.least() <= kMostLeast && std::max(matrices.rows, matrices.columns) <= kMost,
                    found + ", expected matrices with at most " + std::to_string(kMostLeast) +
                        " rows or columns, and at most " + std::to_string(kMost) + " of the other");
  return matrices;
}

MatrixBatch ReadSquareMatrices(const Arguments& arguments, const char* name) {
  MatrixBatch matrices = ReadMatrices(arguments, name);
  arguments.Require(
      matrices.rows == matrices.columns,
      std::string(name) + " is " + ShapeString(matrices.tensor.spec.shape) + ", expected square matrices");
  return matrices;
}

void RequireSameType(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b) {
  arguments.Require(a.spec.type == b.spec.type, std::string("the element types are ") + TypeName(a.spec.type) +
                                                    " and " + TypeName(b.spec.type) + ", expected the same");
}

void RequireSameRows(const Arguments& arguments, const MatrixBatch& input, const MatrixBatch& other,
                     const std::string& name) {
  arguments.Require(input.rows == other.rows, "input is " + ShapeString(input.tensor.spec.shape) + " and " + name +
                                                  " is " + ShapeString(other.tensor.spec.shape) +
                                                  ", expected as many rows");
}

TensorSpec SpreadOver(const Shape& batch, const MatrixBatch& matrices) {
  Shape shape = batch;
  shape.insert(shape.end(), {matrices.rows, matrices.columns});
  const TensorSpec spec(matrices.type(), matrices.With({matrices.rows, matrices.columns}));
  return TensorSpec(spec.type, shape, BroadcastStrides(spec, shape));
}

TensorArgument WithLastAxis(const TensorArgument& tensor) {
  Shape shape = tensor.spec.shape;
  shape.push_back(1);
  return Reshaped(tensor, shape);
}

void RequireSuccess(const BatchCall& call, const int32_t* infos) {
  const int32_t* failed = std::find_if(infos, infos + call.count, [](int32_t info) { return info != 0; });
  if (failed == infos + call.count) return;
  const std::string which = call.count == 1 ? "the matrix " : "matrix " + std::to_string(failed - infos) + " ";
  Arguments::Fail(ErrorCode::kInput, which + call.failure(*failed));
}

}  // namespace kuiper_infer
