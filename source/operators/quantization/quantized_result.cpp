// SPDX-License-Identifier: MIT
#include "operators/quantization/quantized_result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "operation/computation.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

constexpr int64_t kSigned = 12;  // ATen's codes of qint8, quint8 and qint32
constexpr int64_t kUnsigned = 13;
constexpr int64_t kWide = 14;

/// The code of a dtype argument: a number, or a word such as torch.quint8.
int64_t ReadCode(const Arguments& arguments) {
  const Value* value = arguments.Get("dtype").known();
  if (value == nullptr || !value->Is<std::string>()) return arguments.Int("dtype");
  const std::string& word = value->Get<std::string>();
  if (word == "torch.qint8") return kSigned;
  if (word == "torch.quint8") return kUnsigned;
  return word == "torch.qint32" ? kWide : -1;
}

int64_t RecordedCode(const Arguments& arguments, int64_t zero_point) {
  switch (arguments.recorded().type) {
    case RuntimeDataType::kTypeInt8:
      return kSigned;
    case RuntimeDataType::kTypeUInt8:
      return kUnsigned;
    case RuntimeDataType::kTypeInt32:
      return kWide;
    default:
      break;
  }
  // The converter writes torch.qint8 for modules of any type. Only another word tells the type.
  const int64_t given = arguments.Has("dtype") ? ReadCode(arguments) : kSigned;
  if (given != kSigned) return given;
  return zero_point < 0 ? kSigned : kUnsigned;
}

}  // namespace

kernel::QuantizationGrid ReadGrid(const Arguments& arguments, double step, double zero, bool dtype_says) {
  arguments.Require(static_cast<float>(step) > 0 && std::isfinite(static_cast<float>(step)),
                    "scale is " + NumberString(step) + ", expected a positive float32 number");
  const int64_t code = dtype_says ? ReadCode(arguments) : RecordedCode(arguments, zero < 0 ? -1 : 0);
  if (code < kSigned || code > kWide) {
    arguments.Fail(ErrorCode::kArgument,
                   "dtype has the code " + std::to_string(code) + ", expected qint8, quint8 or qint32");
  }
  constexpr int64_t kLeast[] = {-128, 0, std::numeric_limits<int32_t>::min()};
  constexpr int64_t kMost[] = {127, 255, std::numeric_limits<int32_t>::max()};
  const auto least = static_cast<double>(kLeast[code - kSigned]);
  const auto most = static_cast<double>(kMost[code - kSigned]);
  arguments.Require(zero >= least && zero <= most && zero == std::floor(zero),
                    "zero_point is " + NumberString(zero) + ", expected an integer from " + NumberString(least) +
                        " to " + NumberString(most));
  return {static_cast<float>(step), static_cast<int32_t>(zero), static_cast<int32_t>(least),
          static_cast<int32_t>(most)};
}

OperationPlan PlanRounded(const Arguments& arguments, OperationPlan plan, bool relu) {
  const OutputPlan& output = plan.outputs.front();
  arguments.Require(
      output.kind == OutputPlan::Kind::kNew && output.spec.type == RuntimeDataType::kTypeFloat32,
      std::string("inputs give ") + TypeName(output.spec.type) + ", expected quantised arrays, which are float32");
  kernel::QuantizationGrid grid = ReadGrid(arguments, arguments.Float("scale"), arguments.Float("zero_point"), false);
  if (relu) grid.least = std::max(grid.least, grid.zero_point);
  Fusion fusion;
  fusion.result.grid = grid;
  if (plan.computation != nullptr && plan.computation->CanFuse(fusion)) {
    plan.grid = grid;
    return plan;
  }
  OperationPlan rounded;
  static_cast<KernelCall&>(rounded) = CallOf(plan, arguments.context());
  rounded.outputs = plan.outputs;
  rounded.outputs.front().allows_gaps = false;
  rounded.run = [inner = std::move(rounded.run), grid, count = output.spec.size()](const RunContext& c) {
    if (inner) inner(c);
    kernel::RoundToGrid(grid, count, c.outputs[0].as<float>(), c.outputs[0].as<float>());
  };
  return rounded;
}

OperationPlan PlanAs(const Arguments& arguments, const char* type) {
  return OperationTable::Instance().Get(type).plan(arguments);
}

}  // namespace kuiper_infer
