// SPDX-License-Identifier: MIT
#include "operators/quantization/quantized.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "operation/strided_operand.hpp"
#include "operators/elementwise/formula.hpp"
#include "shape/layout.hpp"
#include "utils/numbers_string.hpp"

namespace kuiper_infer {
namespace {

using kernel::QuantizationGrid;

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

OperationPlan PlanDequantize(const Arguments& arguments) {
  OperationPlan plan;
  plan.outputs = {OutputPlan::Forward(arguments.Get("input"))};
  return plan;
}

/// Plans a rounding to a grid. Scale and zero point may be numbers or arrays of one element; computed ones are known
/// only while running.
template <bool kDtypeSays>
OperationPlan PlanQuantize(const Arguments& arguments) {
  const TensorArgument input = arguments.Tensor("input");
  const TensorSpec& spec = input.spec;
  arguments.Require(spec.type == RuntimeDataType::kTypeFloat32,
                    std::string("input is ") + TypeName(spec.type) + ", expected float32");
  const TensorArgument& scale = arguments.Tensor("scale");
  const TensorArgument& zero_point = arguments.Tensor("zero_point");
  OperationPlan plan;
  plan.data_dependent = !scale.is_constant() || !zero_point.is_constant();
  if (plan.data_dependent) return plan;
  arguments.Require(scale.known_number() && zero_point.known_number(),
                    "scale and zero_point are arrays, expected single numbers");
  const QuantizationGrid grid = ReadGrid(arguments, *scale.known_number(), *zero_point.known_number(), kDtypeSays);
  return PlanGridRounding(input, grid);
}

OperationPlan PlanQuantizedCat(const Arguments& arguments) {
  return PlanRounded(arguments, PlanAs(arguments, "torch.cat"), false);
}

/// Plans input + other, or input * other, rounded to a grid.
template <bool kSum, bool kRelu>
OperationPlan PlanArithmetic(const Arguments& arguments) {
  const TensorArgument& left = arguments.Tensor("input");
  const TensorArgument& right = arguments.Tensor("other");
  arguments.Require(left.spec.type == right.spec.type, std::string("inputs are ") + TypeName(left.spec.type) + " and " +
                                                           TypeName(right.spec.type) + ", expected one element type");
  return PlanRounded(arguments, PlanFormula(arguments, kSum ? "add(input, other)" : "mul(input, other)"), kRelu);
}

}  // namespace

QuantizationGrid ReadGrid(const Arguments& arguments, double step, double zero, bool dtype_says) {
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

bool GridRounding::CanFuse(const Fusion& fusion) const {
  return fusion.factor < 0 && fusion.residual < 0 && fusion.activation.function == nullptr;
}

bool GridRounding::Writes(RuntimeDataType stored, const Fusion& /*fusion*/) const {
  return stored == RuntimeDataType::kTypeUInt8 && FitsBytes(grid_);
}

KernelCall GridRounding::MakeCall(const Fusion& fusion, const PlanningContext& /*context*/) const {
  KernelCall call;
  const int64_t count = input_.spec.size();
  const AxisOrder order = CommonOrder({input_.spec});
  const bool ready = OrderedSpec(input_.spec.type, input_.spec.shape, order).strides == input_.spec.strides;
  const StridedOperand input = MakeOrderedOperand(input_, order, ready, call.workspace_bytes);
  if (fusion.result.type == RuntimeDataType::kTypeUInt8) {
    call.method = "bytes";
    call.run = [grid = ByteGrid(grid_), count, input](const RunContext& c) {
      kernel::RoundToBytes(grid, count, static_cast<const float*>(OperandData(input, c)), c.outputs[0].as<uint8_t>());
    };
  } else {
    call.run = [grid = grid_, count, input](const RunContext& c) {
      kernel::RoundToGrid(grid, count, static_cast<const float*>(OperandData(input, c)), c.outputs[0].as<float>());
    };
  }
  return call;
}

OperationPlan PlanGridRounding(const TensorArgument& input, const QuantizationGrid& grid) {
  const TensorSpec& spec = input.spec;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(OrderedSpec(spec.type, spec.shape, CommonOrder({spec})))};
  plan.computation = std::make_shared<const GridRounding>(input, grid);
  plan.grid = grid;
  return plan;
}

OperationPlan PlanAs(const Arguments& arguments, const char* type) {
  return OperationTable::Instance().Get(type).plan(arguments);
}

OperationPlan PlanRounded(const Arguments& arguments, OperationPlan plan, bool relu) {
  const OutputPlan& output = plan.outputs.front();
  arguments.Require(
      output.kind == OutputPlan::Kind::kNew && output.spec.type == RuntimeDataType::kTypeFloat32,
      std::string("inputs give ") + TypeName(output.spec.type) + ", expected quantised arrays, which are float32");
  QuantizationGrid grid = ReadGrid(arguments, arguments.Float("scale"), arguments.Float("zero_point"), false);
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

void RegisterQuantized(OperationTable& table) {
  table.Add({"nn.quantized.Quantize"}, "Tensor input, Tensor scale, Tensor zero_point, any dtype=None",
            PlanQuantize<false>, InputLayout::kStridedFirst);
  table.Add({"torch.quantize_per_tensor", "aten::quantize_per_tensor"},
            "Tensor input|self, Tensor scale|input_scale, Tensor zero_point|input_zero_point, any dtype",
            PlanQuantize<true>, InputLayout::kStridedFirst);
  table.Add({"nn.quantized.DeQuantize", "torch.dequantize", "Tensor.dequantize", "aten::dequantize"},
            "Tensor input|self|qtensor", PlanDequantize, InputLayout::kStrided, Preserves({"input"}));
  table.Add({"nn.quantized.cat"}, "Tensor[] tensors, int dim=0, float scale, float zero_point", PlanQuantizedCat);
  const std::string custom = "pnnx.custom_op.quantized.";
  const std::string pair = "Tensor input|arg_0, Tensor other|arg_1, float scale|arg_2, float zero_point|arg_3";
  table.Add({custom + "add"}, pair, PlanArithmetic<true, false>);
  table.Add({custom + "add_relu"}, pair, PlanArithmetic<true, true>);
  table.Add({custom + "mul"}, pair, PlanArithmetic<false, false>);
  table.Add({custom + "mul_relu"}, pair, PlanArithmetic<false, true>);
  table.Add({custom + "cat"}, "Tensor[] tensors|arg_0, int dim|arg_1, float scale|arg_2, float zero_point|arg_3",
            PlanQuantizedCat);
}

}  // namespace kuiper_infer
