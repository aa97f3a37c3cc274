// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "operation/composition.hpp"

namespace kuiper_infer {
namespace {

/// The number of classes if none is given: one more than the largest of the class numbers (int64).
int64_t CountClasses(const Arguments& arguments, const NdArray& numbers) {
  arguments.Require(numbers.size() > 0, "input is empty, so that num_classes cannot be -1");
  const int64_t largest = *std::max_element(numbers.data<int64_t>(), numbers.data<int64_t>() + numbers.size());
  arguments.Require(largest < INT64_MAX,
                    "input holds class " + std::to_string(largest) + ", expected less than 2^63 - 1");
  return largest + 1;
}

/// Plans a row for each number: 1 at its place, 0 elsewhere.
OperationPlan PlanOneHot(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  arguments.Require(IsInteger(input.spec.type),
                    std::string("input is ") + TypeName(input.spec.type) + ", expected integers");
  int64_t classes = arguments.Int("num_classes");
  if (classes == -1) {
    OperationPlan later;
    later.data_dependent = true;
    if (!input.is_constant()) return later;
    classes = CountClasses(arguments, input.values().To(RuntimeDataType::kTypeInt64).Contiguous());
  }
  arguments.Require(classes > 0, "there are " + std::to_string(classes) + " classes, expected 1 or more");
  Shape shape = input.spec.shape;
  shape.push_back(classes);
  Composition composition(arguments);
  const TensorArgument numbers = composition.Convert(input, RuntimeDataType::kTypeInt64);
  return composition.Finish({composition.Apply({numbers}, [&](const std::vector<TensorArgument>& arrays) {
    OperationPlan plan;
    plan.outputs = {OutputPlan::New(RuntimeDataType::kTypeInt64, shape)};
    plan.run = [classes, count = arrays[0].spec.size()](const RunContext& c) {
      const auto* given = c.inputs[0].as<int64_t>();
      auto* out = c.outputs[0].as<int64_t>();
      std::fill_n(out, count * classes, 0);
      for (int64_t i = 0; i < count; ++i) {
        if (given[i] < 0 || given[i] >= classes) {
          throw Error(ErrorCode::kInput, "class " + std::to_string(given[i]) + " at position " + std::to_string(i) +
                                             " is out of range, expected 0 to " + std::to_string(classes - 1));
        }
        out[i * classes + given[i]] = 1;
      }
    };
    return plan;
  })});
}

}  // namespace

void RegisterOneHot(OperationTable& table) {
  table.Add({"F.one_hot", "torch.one_hot", "aten::one_hot"}, "Tensor input|self, int num_classes=-1", PlanOneHot);
}

}  // namespace kuiper_infer
