// SPDX-License-Identifier: MIT
#include "layer/details/matrix_product.hpp"

#include <string>
#include <utility>

#include "kernel/copy.hpp"
#include "kernel/matmul.hpp"
#include "layer/details/operator_errors.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

/// How the run finds one operand of the product.
struct Operand {
  int input = -1;
  /// How the argument lies; copied into row-major order at `copy_offset` of the workspace where that is not negative.
  TensorSpec given;
  int64_t copy_offset = -1;
  /// What the kernel sees: the leading axes broadcast.
  TensorSpec used;
};

/// The same elements with broadcast leading axes `leading`; the last two axes stay.
TensorSpec BroadcastLeading(const TensorSpec& spec, const Shape& leading) {
  Shape shape = leading;
  shape.insert(shape.end(), spec.shape.end() - 2, spec.shape.end());
  return {spec.type, shape, BroadcastStrides(spec, shape)};
}

Operand MakeOperand(const TensorArgument& tensor, const Shape& leading, int64_t& workspace_bytes) {
  constexpr int64_t kAlignment = 64;
  Operand operand{tensor.input, tensor.spec, -1, {}};
  TensorSpec spec = tensor.spec;
  if (!kernel::IsGemmReady(spec)) {
    operand.copy_offset = workspace_bytes;
    spec = TensorSpec(spec.type, spec.shape);
    workspace_bytes += (ByteCount(spec.type, spec.shape) + kAlignment - 1) / kAlignment * kAlignment;
  }
  operand.used = BroadcastLeading(spec, leading);
  return operand;
}

ConstArrayView View(const Operand& operand, const RunContext& c) {
  const void* data = c.inputs[operand.input].data;
  if (operand.copy_offset >= 0) {
    const ArrayView copy{c.workspace + operand.copy_offset, TensorSpec(operand.given.type, operand.given.shape)};
    kernel::Copy({data, operand.given}, copy);
    data = copy.data;
  }
  return {data, operand.used};
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

}  // namespace

TensorArgument Reviewed(const TensorArgument& tensor, Shape shape, Strides strides) {
  TensorArgument viewed = tensor;
  viewed.spec = TensorSpec(tensor.spec.type, std::move(shape), std::move(strides));
  return viewed;
}

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
  return Reviewed(vector, {1, vector.spec.shape[0]}, {vector.spec.shape[0], vector.spec.strides[0]});
}

TensorArgument AsColumn(const TensorArgument& vector) {
  return Reviewed(vector, {vector.spec.shape[0], 1}, {vector.spec.strides[0], 1});
}

void CheckBatches(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b) {
  arguments.Require(a.spec.shape[0] == b.spec.shape[0], "found batches " + ShapeString(a.spec.shape) + " and " +
                                                            ShapeString(b.spec.shape) + ", expected equal lengths");
}

TensorArgument FlattenRows(const TensorArgument& tensor) {
  const Shape& shape = tensor.spec.shape;
  const Shape rows(shape.begin(), shape.end() - 1);
  return Reviewed(tensor, {ElementCount(rows), shape.back()}, {shape.back(), 1});
}

Shape LeadingShape(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b) {
  return WithOperatorName(arguments, [&] {
    return BroadcastShapes({a.spec.shape.begin(), a.spec.shape.end() - 2},
                           {b.spec.shape.begin(), b.spec.shape.end() - 2});
  });
}

OperationPlan PlanMatrixProduct(const Arguments& arguments, const TensorArgument& a, const TensorArgument& b,
                                const TensorArgument* addend, double alpha, double beta, const Shape& out_shape) {
  CheckOperands(arguments, a, b);
  const Shape leading = LeadingShape(arguments, a, b);
  const RuntimeDataType type = a.spec.type;
  Shape matrices = leading;
  matrices.insert(matrices.end(), {a.spec.shape.end()[-2], b.spec.shape.back()});
  OperationPlan plan;
  const Operand left = MakeOperand(a, leading, plan.workspace_bytes);
  const Operand right = MakeOperand(b, leading, plan.workspace_bytes);
  const TensorSpec product(type, matrices);
  Operand added;
  if (addend != nullptr) {
    arguments.Require(addend->spec.type == type,
                      std::string("the addend is ") + TypeName(addend->spec.type) + ", expected " + TypeName(type));
    const Shape both = WithOperatorName(arguments, [&] { return BroadcastShapes(addend->spec.shape, matrices); });
    arguments.Require(both == matrices, "the addend is " + ShapeString(addend->spec.shape) +
                                            ", expected one that broadcasts to " + ShapeString(matrices));
    if (beta != 0) {
      added.input = addend->input;
      added.used = TensorSpec(type, matrices, BroadcastStrides(addend->spec, matrices));
    }
  }
  plan.outputs = {OutputPlan::New(type, out_shape)};
  plan.multiply_adds = static_cast<double>(product.size()) * static_cast<double>(a.spec.shape.back());
  plan.run = [left, right, added, product, alpha, beta](const RunContext& c) {
    const ArrayView out{c.outputs[0].data, product};
    if (added.input >= 0) kernel::Copy({c.inputs[added.input].data, added.used}, out);
    kernel::BatchedMatmul(alpha, View(left, c), View(right, c), added.input >= 0 ? beta : 0.0, out);
  };
  return plan;
}

}  // namespace kuiper_infer
