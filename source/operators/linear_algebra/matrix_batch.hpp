// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include "operation/operation.hpp"
#include "operation/planning_context.hpp"
#include "utils/dispatch.hpp"
#include "utils/rounding.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {

/// The matrices on the last two axes of a row-major array; the axes in front of them are the batch.
struct MatrixBatch {
  TensorArgument tensor;
  Shape batch;
  int64_t count = 1;  ///< of matrices
  int64_t rows = 0;
  int64_t columns = 0;

  RuntimeDataType type() const { return tensor.spec.type; }
  int64_t least() const { return std::min(rows, columns); }
  /// The batch with other axes behind it.
  Shape With(const Shape& axes) const;
  /// The elements of matrix `index`.
  template <class T>
  const T* At(const RunContext& c, int64_t index) const {
    return c.inputs[tensor.input].as<T>() + index * rows * columns;
  }
};

/// Reads an array of float32 or float64 as matrices. Fails on other types, on rank 0 and 1, and on extents beyond what
/// LAPACK's integers can count.
MatrixBatch ReadMatrices(const Arguments& arguments, const char* name = "input");
MatrixBatch ReadSquareMatrices(const Arguments& arguments, const char* name = "input");

/// Fails unless both have the same element type.
void RequireSameType(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b);

/// Throws unless the matrices of the argument `input` and of the argument `name` have the same number of rows.
void RequireSameRows(const Arguments& arguments, const MatrixBatch& input, const MatrixBatch& other,
                     const std::string& name);

/// The spec under which the matrices of a row-major array read as those of a larger batch: strides are 0 along repeated
/// axes. MatrixAt (shape/matrix_offset.hpp) finds a matrix by it.
TensorSpec SpreadOver(const Shape& batch, const MatrixBatch& matrices);

/// A row-major array with one more axis, of extent 1, at the end: vectors as matrices of one column.
TensorArgument WithLastAxis(const TensorArgument& tensor);

/// Work on each matrix of a batch.
struct BatchCall {
  RuntimeDataType type;       ///< float32 or float64
  int64_t count = 0;          ///< of matrices
  int64_t cost = 0;           ///< of one matrix, in simple operations
  int64_t scratch_bytes = 0;  ///< for one matrix
  /// What a positive info says about a matrix, as the rest of a sentence. If null, info is not looked at.
  std::string (*failure)(int info) = nullptr;
  int info_output = -1;  ///< the output of int32 that gets the info of each matrix
};

/// Throws Error(kInput) about the first matrix whose info is positive.
void RequireSuccess(const BatchCall& call, const int32_t* infos);

/// Calls body(worker, i) for each matrix i of a batch, in at most `workers` threads at once. Each matrix is one
/// thread's work, of about `cost` simple operations.
template <class Body>
void ForEachMatrix(int64_t count, int64_t cost, int64_t workers, const Body& body) {
  ParallelWorkers(count, GrainFor(cost), workers, [&](int64_t worker, WorkerPieces pieces) {
    int64_t first = 0;
    int64_t last = 0;
    while (pieces.Take(first, last)) {
      for (int64_t i = first; i < last; ++i) body(worker, i);
    }
  });
}

/// Makes the plan's call: `compute(tag, c, i, scratch)` for each matrix i of the batch, where the tag carries the
/// element type. `compute` returns LAPACK's info.
template <class Compute>
void CallForEachMatrix(const Arguments& arguments, const BatchCall& call, const Compute& compute, OperationPlan& plan) {
  const int64_t workers = std::clamp<int64_t>(call.count, 1, std::max(arguments.context().threads, 1));
  const int64_t scratch = AlignedBytes(call.scratch_bytes);
  const int64_t info_bytes = AlignedBytes(call.count * static_cast<int64_t>(sizeof(int32_t)));
  plan.workspace_bytes = info_bytes + workers * scratch;
  plan.run = [=](const RunContext& c) {
    auto* infos =
        call.info_output < 0 ? reinterpret_cast<int32_t*>(c.workspace) : c.outputs[call.info_output].as<int32_t>();
    DispatchFloating(call.type, [&](auto tag) {
      ForEachMatrix(call.count, call.cost, workers, [&](int64_t worker, int64_t i) {
        infos[i] = compute(tag, c, i, c.workspace + info_bytes + worker * scratch);
      });
    });
    if (call.failure != nullptr) RequireSuccess(call, infos);
  };
}

/// Calls function(TypeTag<T>) for the matrices' element type and returns what it returns: for sizes of scratch memory.
template <class Function>
int64_t ScratchFor(RuntimeDataType type, const Function& function) {
  return DispatchFloating(type, function);
}

}  // namespace kuiper_infer
