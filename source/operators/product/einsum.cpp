// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "operation/composition.hpp"
#include "operators/product/einsum_planner.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// Whether PyTorch sums an operand alone, over labels that neither the output nor another operand has. In a product it
/// leaves out labels of extent 1.
bool SumsAlone(const EinsumLabels& labels, const std::vector<LabelledSpec>& normal) {
  const bool product = normal.size() > 1;
  std::string candidates;
  for (const LabelledSpec& operand : normal) {
    for (std::size_t axis = 0; axis < operand.labels.size(); ++axis) {
      if (!product || operand.spec.shape[axis] != 1) candidates += operand.labels[axis];
    }
  }
  return std::any_of(candidates.begin(), candidates.end(), [&](char label) {
    return std::count(candidates.begin(), candidates.end(), label) == 1 &&
           labels.output.find(label) == std::string::npos;
  });
}

/// The sum of operands that are converted to one element type.
OperationPlan PlanConverted(const Arguments& arguments, const std::vector<TensorArgument>& tensors,
                            RuntimeDataType type) {
  Composition composition(arguments);
  std::vector<TensorArgument> converted;
  for (const TensorArgument& tensor : tensors) converted.push_back(composition.Convert(tensor, type));
  return composition.Finish(
      {composition.Call("torch.einsum", {{"equation", Value(arguments.String("equation"))}, {"operands", converted}})});
}

/// Whether PyTorch multiplies two operands element by element, which may have different element types: no label of both
/// is summed over.
bool MultipliesElements(const EinsumLabels& labels) {
  if (labels.operands.size() != 2) return false;
  const std::string& left = labels.operands[0];
  return std::all_of(left.begin(), left.end(), [&](char label) {
    return labels.operands[1].find(label) == std::string::npos || labels.output.find(label) != std::string::npos;
  });
}

/// torch.einsum as products of two operands at a time, from the left.
OperationPlan PlanEinsum(const Arguments& arguments) {
  const std::vector<TensorArgument> tensors = arguments.Tensors("operands");
  arguments.Require(!tensors.empty(), "found no operands, expected at least one");
  std::vector<int64_t> ranks;
  for (const TensorArgument& tensor : tensors) ranks.push_back(tensor.spec.rank());
  const EinsumLabels labels = ParseEinsum(arguments.String("equation"), ranks);
  for (const TensorArgument& tensor : tensors) {
    if (tensor.spec.type == tensors.front().spec.type) continue;
    if (MultipliesElements(labels)) {
      return PlanConverted(arguments, tensors, PromoteTypes(tensors.front().spec.type, tensor.spec.type));
    }
    arguments.Require(false, std::string("found operands of ") + TypeName(tensors.front().spec.type) + " and " +
                                 TypeName(tensor.spec.type) + ", expected one element type");
  }
  std::vector<LabelledSpec> operands;
  for (std::size_t i = 0; i < tensors.size(); ++i) operands.push_back({tensors[i].spec, labels.operands[i]});
  NormalizeEinsum(operands);
  const RuntimeDataType type = tensors.front().spec.type;
  const bool narrow = !IsFloating(type) && !IsComplex(type) && type != RuntimeDataType::kTypeInt64;
  if (narrow && SumsAlone(labels, operands)) {  // sums of integers are int64
    return PlanConverted(arguments, tensors, RuntimeDataType::kTypeInt64);
  }
  EinsumPlanner planner(type, labels.output);
  // Labels of the operands that are still to come must not be summed over yet.
  const auto labels_from = [&](std::size_t first) {
    std::string labels;
    for (std::size_t i = first; i < operands.size(); ++i) labels += operands[i].labels;
    return labels;
  };
  const auto factor = [&](std::size_t i) { return EinsumFactor{tensors[i].input, 0, operands[i]}; };
  EinsumFactor result = planner.SumOut(factor(0), labels_from(1));
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const std::string later = labels_from(i + 1);
    const EinsumFactor right = planner.SumOut(factor(i), later + result.array.labels);
    result = planner.Multiply(result, right, later);
  }
  return planner.Finish(result);
}

/// The product of matrices from the left: "ab,bc,cd->ad".
OperationPlan PlanChainMatmul(const Arguments& arguments) {
  constexpr std::size_t kMostMatrices = 25;  // labels are letters
  const std::vector<TensorArgument> matrices = arguments.Tensors("matrices");
  arguments.Require(!matrices.empty() && matrices.size() <= kMostMatrices,
                    "found " + std::to_string(matrices.size()) + " matrices, expected 1 to 25");
  const auto label = [](std::size_t i) { return static_cast<char>('a' + i); };
  EinsumPlanner planner(matrices.front().spec.type, {label(0), label(matrices.size())});
  EinsumFactor result;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const TensorSpec& spec = matrices[i].spec;
    arguments.Require(
        spec.rank() == 2 && spec.type == matrices.front().spec.type &&
            (i == 0 || spec.shape[0] == matrices[i - 1].spec.shape[1]),
        "matrix " + std::to_string(i) + " is " + SpecString(spec) + ", expected a matrix that fits the one before it");
    const EinsumFactor next{matrices[i].input, 0, {spec, {label(i), label(i + 1)}}};
    result = i == 0 ? next : planner.Multiply(result, next, {label(i + 1)});
  }
  return planner.Finish(result);
}

}  // namespace

void RegisterEinsum(OperationTable& table) {
  table.Add({"torch.einsum", "aten::einsum"}, "str equation, Tensor[] operands|tensors, any path=None", PlanEinsum,
            InputLayout::kStrided);
  table.Add({"torch.chain_matmul", "aten::chain_matmul"}, "Tensor[] matrices", PlanChainMatmul, InputLayout::kStrided);
}

}  // namespace kuiper_infer
