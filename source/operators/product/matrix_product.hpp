// SPDX-License-Identifier: MIT
#pragma once

#include "operation/operation.hpp"

namespace kuiper_infer {

/// The matrix with its last two axes exchanged.
TensorArgument Transposed(const TensorArgument& tensor);

/// A required array of exactly this rank.
TensorArgument ReadRank(const Arguments& arguments, const char* name, int64_t rank);

/// A vector as a matrix of one row, or of one column.
TensorArgument AsRow(const TensorArgument& vector);
TensorArgument AsColumn(const TensorArgument& vector);

/// Fails unless both have the same number of matrices along the first axis.
void CheckBatches(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b);

/// Plans a @ b for batches of equal length, both of rank 3.
OperationPlan PlanBatch(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b);

/// A row-major array of rank 1 or more as a matrix: all axes but the last count up as rows.
TensorArgument FlattenRows(const TensorArgument& tensor);

/// Returns the broadcast axes in front of the matrices of a and b. Fails if they don't fit.
Shape LeadingShape(const TensorArgument& a, const TensorArgument& b);

/// Plans out = alpha * a @ b + beta * addend as one new array of shape `out_shape`, over matrices on the last two axes
/// of a and b (rank 2 or more) with leading axes that broadcast. `addend` (null: none) broadcasts to the product's
/// shape; with beta = 0 it is not read. `out_shape` has as many elements as the product. Strided inputs are read in
/// place if the kernel can, otherwise copied into the workspace. Fails on shapes or element types that don't fit.
OperationPlan PlanMatrixProduct(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b,
                                const TensorArgument* addend, double alpha, double beta, const Shape& out_shape);

}  // namespace kuiper_infer
