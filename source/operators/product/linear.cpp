// SPDX-License-Identifier: MIT
#include <string>

#include "kernel/movement/copy.hpp"
#include "kernel/product/matmul.hpp"
#include "operators/product/matrix_product.hpp"
#include "operators/product/weight_product.hpp"

namespace kuiper_infer {
namespace {

/// Plans input @ weight' + bias over the last axis of any rank. A weight of rank 1 is a single row whose axis is
/// dropped.
OperationPlan PlanLinear(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  TensorArgument weight = arguments.Tensor("weight");
  const TensorArgument* bias = arguments.OptionalTensor("bias");
  arguments.Require(input.spec.rank() >= 1, "input is a single number, expected rank 1 or more");
  arguments.Require(weight.spec.rank() == 1 || weight.spec.rank() == 2,
                    "weight is " + ShapeString(weight.spec.shape) + ", expected rank 2");
  arguments.Require(weight.spec.rank() == 2 || bias == nullptr || bias->spec.rank() == 0,
                    "weight is " + ShapeString(weight.spec.shape) + ", expected rank 2 because there is a bias");
  Shape shape(input.spec.shape.begin(), input.spec.shape.end() - 1);
  if (weight.spec.rank() == 2) shape.push_back(weight.spec.shape[0]);
  if (weight.spec.rank() == 1) weight = FlattenRows(weight);
  const int64_t features = weight.spec.shape[1];
  arguments.Require(input.spec.shape.back() == features, "input has " + std::to_string(input.spec.shape.back()) +
                                                             " features, the weight expects " +
                                                             std::to_string(features));
  const auto check_recorded = [&](const char* name, int64_t weight_says) {
    if (!arguments.Has(name)) return;
    arguments.Require(arguments.Int(name) == weight_says, std::string(name) + " is " +
                                                              std::to_string(arguments.Int(name)) +
                                                              ", but the weight is " + ShapeString(weight.spec.shape));
  };
  check_recorded("in_features", features);
  check_recorded("out_features", weight.spec.shape[0]);
  if (SuitsWeightProduct(input, bias, shape) && CanPack(arguments.context(), weight)) {
    return PlanWeightProduct(input, weight, kernel::Arrangement::kWindows, bias, shape, arguments.context());
  }
  return PlanMatrixProduct(arguments, FlattenRows(input), Transposed(weight), bias, 1, 1, shape);
}

/// Plans out[b, o] = sum over i, j of input1[b, i] * weight[o, i, j] * input2[b, j] + bias[o]: first the products
/// input1 @ weight[o] = (o, b, j) in the workspace, then for every b a product with the vector input2[b].
OperationPlan PlanBilinear(const Arguments& arguments) {
  const TensorArgument weight = ReadRank(arguments, "weight", 3);
  const TensorArgument& given = arguments.Tensor("input1");
  arguments.Require(given.spec.rank() >= 1 && arguments.Tensor("input2").spec.rank() == given.spec.rank(),
                    "input1 is " + ShapeString(given.spec.shape) + " and input2 " +
                        ShapeString(arguments.Tensor("input2").spec.shape) + ", expected one rank of 1 or more");
  const TensorArgument left = FlattenRows(given);
  const TensorArgument right = FlattenRows(arguments.Tensor("input2"));
  const TensorArgument* bias = arguments.OptionalTensor("bias");
  const int64_t outputs = weight.spec.shape[0];
  const int64_t rows = left.spec.shape[0];
  const int64_t width = right.spec.shape[1];
  const RuntimeDataType type = weight.spec.type;
  arguments.Require(
      left.spec.shape[1] == weight.spec.shape[1] && width == weight.spec.shape[2] && right.spec.shape[0] == rows,
      "the inputs " + ShapeString(left.spec.shape) + " and " + ShapeString(right.spec.shape) +
          " don't fit the weight " + ShapeString(weight.spec.shape));
  arguments.Require(left.spec.type == type && right.spec.type == type && (bias == nullptr || bias->spec.type == type),
                    std::string("weight is ") + TypeName(type) + ", expected inputs and bias of the same element type");
  arguments.Require(bias == nullptr || bias->spec.shape == Shape{outputs},
                    "bias has another shape than (" + std::to_string(outputs) + "), one number for each output");
  const TensorSpec inner(type, {outputs, rows, width});
  const TensorSpec shared(type, {outputs, rows, left.spec.shape[1]}, {0, left.spec.shape[1], 1});
  const TensorSpec by_row(type, {rows, outputs, width}, {width, rows * width, 1});
  const TensorSpec vectors(type, {rows, width, 1});
  const TensorSpec product(type, {rows, outputs, 1});
  const TensorSpec bias_rows(type, {rows, outputs, 1}, {0, 1, 1});

  Shape shape(given.spec.shape.begin(), given.spec.shape.end() - 1);
  shape.push_back(outputs);
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(type, shape)};
  plan.workspace_bytes = ByteCount(type, inner.shape);
  plan.run = [product, bias_rows, shared, inner, by_row, vectors, first = left.input, second = right.input,
              third = weight.input, bias_input = bias != nullptr ? bias->input : -1,
              weight_spec = weight.spec](const RunContext& c) {
    const ArrayView out{c.outputs[0].data, product};
    if (bias_input >= 0) kernel::Copy({c.inputs[bias_input].data, bias_rows}, out);
    kernel::BatchedMatmul(1, {c.inputs[first].data, shared}, {c.inputs[third].data, weight_spec}, 0,
                          {c.workspace, inner});
    kernel::BatchedMatmul(1, {c.workspace, by_row}, {c.inputs[second].data, vectors}, bias_input >= 0 ? 1 : 0, out);
  };
  return plan;
}

}  // namespace

void RegisterLinear(OperationTable& table) {
  table.Add({"nn.Linear", "F.linear", "aten::linear"},
            "Tensor input, Tensor weight, Tensor? bias=None, int? in_features=None, int? out_features=None",
            PlanLinear);
  table.Add({"nn.Bilinear", "F.bilinear", "aten::bilinear"},
            "Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None, int? in1_features=None, "
            "int? in2_features=None, int? out_features=None",
            PlanBilinear);
}

}  // namespace kuiper_infer
