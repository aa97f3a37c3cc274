// SPDX-License-Identifier: MIT
#include <string>

#include "layer/details/matrix_product.hpp"

namespace kuiper_infer {
namespace {

/// input @ weight' + bias over the last axis of any rank. A weight of rank 1 is a single row whose axis is dropped.
OperationPlan PlanLinear(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  TensorArgument weight = arguments.Tensor("weight");
  const TensorArgument* bias = arguments.OptionalTensor("bias");
  arguments.Require(input.spec.rank() >= 1, "input is a single number, expected rank 1 or more");
  arguments.Require(weight.spec.rank() == 1 || weight.spec.rank() == 2,
                    "weight is " + ShapeString(weight.spec.shape) + ", expected rank 2");
  Shape shape(input.spec.shape.begin(), input.spec.shape.end() - 1);
  if (weight.spec.rank() == 2) shape.push_back(weight.spec.shape[0]);
  if (weight.spec.rank() == 1) weight = FlattenRows(weight);
  const int64_t features = weight.spec.shape[1];
  arguments.Require(input.spec.shape.back() == features, "input has " + std::to_string(input.spec.shape.back()) +
                                                             " features, the weight expects " +
                                                             std::to_string(features));
  const auto check_recorded = [&](const char* name, int64_t weight_says) {
    arguments.Require(!arguments.Has(name) || arguments.Int(name) == weight_says,
                      std::string(name) + " doesn't match the weight " + ShapeString(weight.spec.shape));
  };
  check_recorded("in_features", features);
  check_recorded("out_features", weight.spec.shape[0]);
  return PlanMatrixProduct(arguments, FlattenRows(input), Transposed(weight), bias, 1, 1, shape);
}

}  // namespace

void RegisterLinear(OperationTable& table) {
  table.Add({"nn.Linear", "F.linear", "aten::linear"},
            "Tensor input, Tensor weight, Tensor? bias=None, int? in_features=None, int? out_features=None", PlanLinear);
}

}  // namespace kuiper_infer
