// SPDX-License-Identifier: MIT
#include "kernel/reduction/scan.hpp"

#include <string>

#include "operation/converted_operand.hpp"
#include "operation/parameters.hpp"
#include "shape/axis_geometry.hpp"

namespace kuiper_infer {
namespace {

using kernel::Scan;

/// Plans a scan. Elements are converted to `type` first. Integers of all types are added as int64.
OperationPlan PlanLines(const Arguments& arguments, const TensorArgument& input, Scan scan, RuntimeDataType type) {
  const AxisGeometry geometry = LineGeometry(input.spec.shape, arguments.Axis("dim", input.spec.rank()));
  OperationPlan plan;
  const bool keeps = IsFloating(type) || IsComplex(type);
  plan.outputs = {OutputPlan::New(keeps ? type : RuntimeDataType::kTypeInt64, input.spec.shape)};
  const ConvertedOperand operand(input, type, plan.workspace_bytes);
  plan.run = [geometry, scan, operand](const RunContext& c) {
    kernel::ScanAlong(scan, geometry, {operand.Data(c), operand.spec()}, c.outputs[0]);
  };
  return plan;
}

template <Scan kScan>
OperationPlan PlanScan(const Arguments& arguments) {
  return PlanTotalInAskedType(
      arguments, arguments.Tensor("input"),
      [&](const TensorArgument& input, RuntimeDataType type) { return PlanLines(arguments, input, kScan, type); });
}

OperationPlan PlanLogCumSumExp(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  RequireFloating(arguments, input);
  return PlanLines(arguments, input, Scan::kLogSumExp, input.spec.type);
}

template <bool kLargest>
OperationPlan PlanScanExtreme(const Arguments& arguments) {
  const TensorArgument& input = arguments.Tensor("input");
  const AxisGeometry geometry = LineGeometry(input.spec.shape, arguments.Axis("dim", input.spec.rank()));
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(input.spec.type, input.spec.shape),
                  OutputPlan::New(RuntimeDataType::kTypeInt64, input.spec.shape)};
  plan.run = [geometry, index = input.input](const RunContext& c) {
    kernel::ScanExtreme(kLargest, geometry, c.inputs[index], c.outputs[0].data, c.outputs[1].as<int64_t>());
  };
  return plan;
}

}  // namespace

void RegisterScan(OperationTable& table) {
  const std::string schema = "Tensor input|self, int dim, dtype? dtype=None";
  table.Add({"torch.cumsum", "Tensor.cumsum", "aten::cumsum"}, schema, PlanScan<Scan::kSum>);
  table.Add({"torch.cumprod", "Tensor.cumprod", "aten::cumprod"}, schema, PlanScan<Scan::kProduct>);
  table.Add({"torch.logcumsumexp", "aten::logcumsumexp"}, "Tensor input|self, int dim", PlanLogCumSumExp);
  table.Add({"torch.cummax", "aten::cummax"}, "Tensor input|self, int dim", PlanScanExtreme<true>);
  table.Add({"torch.cummin", "aten::cummin"}, "Tensor input|self, int dim", PlanScanExtreme<false>);
}

}  // namespace kuiper_infer
