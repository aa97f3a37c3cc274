// SPDX-License-Identifier: MIT
#include "operation/backward_outputs.hpp"
#include "operators/elementwise/elementwise_table.hpp"

namespace kuiper_infer {
namespace {

OperationPlan PlanGelu(const Arguments& arguments, const Formula& formula) {
  static const Formula kTanh("gelu_tanh(input)");
  const std::string approximate = arguments.String("approximate");
  arguments.Require(approximate == "none" || approximate == "tanh",
                    "approximate is '" + approximate + "', expected none or tanh");
  return PlanFormula(arguments, approximate == "tanh" ? kTanh : formula);
}

/// Plans an operation that draws random numbers in training.
OperationPlan PlanEvaluation(const Arguments& arguments, const Formula& formula) {
  if (arguments.Bool("training")) arguments.Fail(ErrorCode::kUnsupported, "training is True, expected False");
  return PlanFormula(arguments, formula);
}

OperationPlan PlanForwardHalf(const Arguments& arguments, const Formula& formula) {
  OperationPlan plan = PlanFormula(arguments, formula);
  AddBackwardOutputs(arguments, plan);
  return plan;
}

/// Plans PReLU; its slopes lie along axis 1.
OperationPlan PlanPrelu(const Arguments& arguments, const Formula& formula) {
  const TensorArgument& input = arguments.Tensor("input");
  TensorArgument weight = arguments.Tensor("weight");
  const int64_t channels = input.spec.rank() > 1 ? input.spec.shape[1] : 1;
  const int64_t count = weight.spec.size();
  arguments.Require(count == 1 || count == channels, "weight has shape " + ShapeString(weight.spec.shape) +
                                                         ", the input " + ShapeString(input.spec.shape) + " has " +
                                                         std::to_string(channels) + " channels");
  Shape shape(input.spec.shape.size(), 1);
  Strides strides(shape.size(), 1);
  if (count != 1) {
    shape[1] = count;
    for (std::size_t axis = 0; axis < weight.spec.shape.size(); ++axis) {
      if (weight.spec.shape[axis] == count) strides[1] = weight.spec.strides[axis];
    }
  }
  weight.spec = TensorSpec(weight.spec.type, shape, strides);
  return PlanFormula(formula, {{"input", input}, {"weight", weight}});
}

}  // namespace

std::vector<ElementwiseRow> ActivationRows() {
  const std::string x = kOneArray;
  return {
      {{"nn.ReLU", "F.relu", "torch.relu", "aten::relu"}, x, "relu(input)"},
      {{"nn.ReLU6", "F.relu6", "torch.relu6", "aten::relu6"}, x, "relu6(input)"},
      {{"nn.SiLU", "F.silu", "torch.silu", "aten::silu"}, x, "silu(input)"},
      {{"nn.Mish", "F.mish", "torch.mish", "aten::mish"}, x, "mish(input)"},
      {{"nn.SELU", "F.selu", "torch.selu", "aten::selu"}, x, "selu(input)"},
      {{"nn.Sigmoid", "F.sigmoid", "torch.sigmoid", "aten::sigmoid", "aten::special_expit"}, x, "sigmoid(input)"},
      {{"nn.Tanh", "F.tanh", "torch.tanh", "aten::tanh"}, x, "tanh(input)"},
      {{"nn.Hardsigmoid", "F.hardsigmoid", "torch.hardsigmoid", "aten::hardsigmoid"}, x, "hardsigmoid(input)"},
      {{"nn.Hardswish", "F.hardswish", "torch.hardswish", "aten::hardswish"}, x, "hardswish(input)"},
      {{"nn.LogSigmoid", "F.logsigmoid", "aten::log_sigmoid"}, x, "logsigmoid(input)"},
      {{"aten::log_sigmoid_forward"}, x, "logsigmoid(input)", PlanForwardHalf},
      {{"nn.Softsign", "F.softsign"}, x, "softsign(input)"},
      {{"nn.Tanhshrink", "F.tanhshrink"}, x, "tanhshrink(input)"},
      {{"nn.GELU", "F.gelu", "aten::gelu"}, x + ", str approximate=none", "gelu(input)", PlanGelu},
      {{"nn.LeakyReLU", "F.leaky_relu", "aten::leaky_relu"},
       x + ", float negative_slope=0.01",
       "leaky_relu(input, negative_slope)"},
      // At inference the slope is the middle of its range.
      {{"nn.RReLU", "F.rrelu"},
       x + ", float lower=0.125, float upper=0.3333333333333333",
       "leaky_relu(input, div(add(lower, upper), 2))"},
      {{"aten::rrelu"},
       x + ", float lower=0.125, float upper=0.3333333333333333, bool training=False, any generator=None",
       "leaky_relu(input, div(add(lower, upper), 2))",
       PlanEvaluation},
      {{"aten::rrelu_with_noise"},
       x + ", Tensor noise, float lower=0.125, float upper=0.3333333333333333, bool training=False, any generator=None",
       "leaky_relu(input, div(add(lower, upper), 2))",
       PlanEvaluation},
      {{"nn.PReLU", "F.prelu", "aten::prelu"},
       x + ", Tensor weight, int? num_parameters=None",
       "add(maximum(input, 0), mul(minimum(input, 0), weight))",
       PlanPrelu},
      {{"aten::_prelu_kernel"}, x + ", Tensor weight", "add(maximum(input, 0), mul(minimum(input, 0), weight))"},
      {{"nn.ELU", "F.elu"}, x + ", float alpha=1.0", "elu(input, alpha)"},
      {{"aten::elu"},
       x + ", Tensor alpha=1, Tensor scale=1, Tensor input_scale=1",
       "add(mul(maximum(input, 0), scale), mul(mul(expm1(mul(minimum(input, 0), input_scale)), alpha), scale))"},
      {{"nn.CELU", "F.celu", "aten::celu"}, x + ", float alpha=1.0", "celu(input, alpha)"},
      {{"nn.Hardshrink", "F.hardshrink", "aten::hardshrink"}, x + ", float lambd=0.5", "hardshrink(input, lambd)"},
      {{"nn.Softshrink", "F.softshrink", "aten::softshrink"}, x + ", float lambd=0.5", "softshrink(input, lambd)"},
      {{"nn.Hardtanh", "F.hardtanh", "aten::hardtanh"},
       x + ", float min_val=-1, float max_val=1",
       "clamp(input, min_val, max_val)"},
      {{"nn.Softplus", "F.softplus", "aten::softplus"},
       x + ", float beta=1, float threshold=20",
       "softplus(input, beta, threshold)"},
      {{"nn.Threshold", "F.threshold", "aten::threshold"},
       x + ", float threshold, float value",
       "threshold(input, threshold, value)"},
  };
}

}  // namespace kuiper_infer
