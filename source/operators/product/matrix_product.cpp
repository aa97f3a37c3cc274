// SPDX-License-Identifier: MIT
#include "operators/product/matrix_product.hpp"

#include <string>
#include <utility>

#include "kernel/movement/copy.hpp"
#include "kernel/product/matmul.hpp"
#include "kernel/product/packed_matmul.hpp"
#include "operation/strided_operand.hpp"
#include "operation/weights/packed_weight.hpp"
#include "shape/broadcast.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer {
namespace {

StridedOperand MakeOperand(const TensorArgument& tensor, const Shape& leading, int64_t& workspace_bytes) {
  StridedOperand operand = MakeStridedOperand(tensor, !kernel::IsGemmReady(tensor.spec), workspace_bytes);
  operand.used = WithLeading(operand.used, leading);
  return operand;
}

void CheckOperands(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b) {
  const Shape& left = a.spec.shape;
  const Shape& right = b.spec.shape;
  arguments.Require(left.back() == right[right.size() - 2],
                    "the matrices " + ShapeString(left) + " and " + ShapeString(right) + " don't fit: found " +
                        std::to_string(left.back()) + " columns and " + std::to_string(right[right.size() - 2]) +
                        " rows, expected equal numbers");
  arguments.Require(a.spec.type == b.spec.type && a.spec.type != RuntimeDataType::kTypeBool,
                    std::string("found element types ") + TypeName(a.spec.type) + " and " + TypeName(b.spec.type) +
                        ", expected equal ones other than bool");
}

/// The kernel for a product of two computed matrices: small ones are not worth rounding.
const kernel::ProductKernel& KernelFor(const PlanningContext& context, const kernel::ProductShape& shape) {
  constexpr int64_t kLeastNumbers = 2048;
  PlanningContext of_floats = context;
  of_floats.pieces = 0;
  return ChooseFloatProduct(shape.columns * shape.depth < kLeastNumbers ? of_floats : context, shape);
}

/// Returns the name of the added array in the operation's schema.
std::string AddendName(const Arguments& arguments) { return arguments.schema().Find("bias") >= 0 ? "bias" : "input"; }

}  // namespace

TensorArgument Transposed(const TensorArgument& tensor) {
  TensorArgument transposed = tensor;
  const std::size_t last = tensor.spec.shape.size() - 1;
  std::swap(transposed.spec.shape[last], transposed.spec.shape[last - 1]);
  std::swap(transposed.spec.strides[last], transposed.spec.strides[last - 1]);
  return transposed;
}

TensorArgument ReadRank(const Arguments& arguments, const char* name, int64_t rank) {
  const TensorArgument& tensor = arguments.Tensor(name);
  arguments.Require(tensor.spec.rank() == rank, std::string(name) + " is " + ShapeString(tensor.spec.shape) +
                                                    ", expected rank " + std::to_string(rank));
  return tensor;
}

TensorArgument AsRow(const TensorArgument& vector) {
  return AsStrided(vector, {1, vector.spec.shape[0]}, {vector.spec.shape[0], vector.spec.strides[0]});
}

TensorArgument AsColumn(const TensorArgument& vector) {
  return AsStrided(vector, {vector.spec.shape[0], 1}, {vector.spec.strides[0], 1});
}

void CheckBatches(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b) {
  arguments.Require(a.spec.shape[0] == b.spec.shape[0], "found batches " + ShapeString(a.spec.shape) + " and " +
                                                            ShapeString(b.spec.shape) + ", expected equal lengths");
}

OperationPlan PlanBatch(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b) {
  CheckBatches(arguments, a, b);
  return PlanMatrixProduct(arguments, a, b, nullptr, 1, 0, {a.spec.shape[0], a.spec.shape[1], b.spec.shape[2]});
}

TensorArgument FlattenRows(const TensorArgument& tensor) {
  const Shape& shape = tensor.spec.shape;
  const Shape rows(shape.begin(), shape.end() - 1);
  return Reshaped(tensor, {ElementCount(rows), shape.back()});
}

Shape LeadingShape(const TensorArgument& a, const TensorArgument& b) {
  return BroadcastShapes({a.spec.shape.begin(), a.spec.shape.end() - 2},
                         {b.spec.shape.begin(), b.spec.shape.end() - 2});
}

OperationPlan PlanMatrixProduct(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b,
                                const TensorArgument* addend, double alpha, double beta, const Shape& out_shape) {
  CheckOperands(arguments, a, b);
  const Shape leading = LeadingShape(a, b);
  const RuntimeDataType type = a.spec.type;
  Shape matrices = leading;
  matrices.insert(matrices.end(), {a.spec.shape.end()[-2], b.spec.shape.back()});
  OperationPlan plan;
  const StridedOperand left = MakeOperand(a, leading, plan.workspace_bytes);
  const StridedOperand right = MakeOperand(b, leading, plan.workspace_bytes);
  const TensorSpec product(type, matrices);
  StridedOperand added;
  if (addend != nullptr) {
    arguments.Require(addend->spec.type == type,
                      AddendName(arguments) + " is " + TypeName(addend->spec.type) + ", expected " + TypeName(type));
    const Shape both = BroadcastShapes(addend->spec.shape, matrices);
    arguments.Require(both == matrices, AddendName(arguments) + " is " + ShapeString(addend->spec.shape) +
                                            ", expected one that broadcasts to " + ShapeString(matrices));
    if (beta != 0) {
      added.input = addend->input;
      added.used = TensorSpec(type, matrices, BroadcastStrides(addend->spec, matrices));
    }
  }
  plan.outputs = {OutputPlan::New(type, out_shape)};
  plan.multiply_adds = static_cast<double>(product.size()) * static_cast<double>(a.spec.shape.back());
  const bool plain = type == RuntimeDataType::kTypeFloat32 && addend == nullptr && alpha == 1;
  const bool packs = plain && kernel::HasProductKernels(arguments.context().units);
  const kernel::ProductKernel* const kernel =
      packs ? &KernelFor(arguments.context(), {a.spec.shape.end()[-2], b.spec.shape.back(), a.spec.shape.back()})
            : nullptr;
  if (kernel != nullptr && kernel::SuitsPackedMatmul(*kernel, left.used, right.used)) {
    const int threads = arguments.context().threads;
    const int64_t scratch = AlignedBytes(plan.workspace_bytes);
    plan.workspace_bytes = scratch + kernel::PackedMatmulWorkspace(*kernel, left.used, right.used, threads);
    plan.method = kernel->name;
    plan.run = [left, right, product, kernel, threads, scratch](const RunContext& c) {
      kernel::PackedMatmul(*kernel, ReadOperand(left, c), ReadOperand(right, c), {c.outputs[0].data, product}, threads,
                           c.workspace + scratch);
    };
    return plan;
  }
  plan.run = [left, right, added, product, alpha, beta](const RunContext& c) {
    const ArrayView out{c.outputs[0].data, product};
    if (added.input >= 0) kernel::Copy({c.inputs[added.input].data, added.used}, out);
    kernel::BatchedMatmul(alpha, ReadOperand(left, c), ReadOperand(right, c), added.input >= 0 ? beta : 0.0, out);
  };
  return plan;
}

}  // namespace kuiper_infer
