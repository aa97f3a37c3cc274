// SPDX-License-Identifier: MIT
// Constructors of the layers that programs make themselves: each names its operation and writes the parameters that a
// model file would.
#include <cstdint>
#include <limits>

#include "kuiper_infer/layer/details/adaptive_avgpooling.hpp"
#include "kuiper_infer/layer/details/batchnorm2d.hpp"
#include "kuiper_infer/layer/details/cat.hpp"
#include "kuiper_infer/layer/details/expression.hpp"
#include "kuiper_infer/layer/details/flatten.hpp"
#include "kuiper_infer/layer/details/hardsigmoid.hpp"
#include "kuiper_infer/layer/details/hardswish.hpp"
#include "kuiper_infer/layer/details/linear.hpp"
#include "kuiper_infer/layer/details/maxpooling.hpp"
#include "kuiper_infer/layer/details/relu.hpp"
#include "kuiper_infer/layer/details/relu6.hpp"
#include "kuiper_infer/layer/details/sigmoid.hpp"
#include "kuiper_infer/layer/details/silu.hpp"
#include "kuiper_infer/layer/details/softmax.hpp"
#include "kuiper_infer/layer/details/upsample.hpp"
#include "kuiper_infer/layer/details/view.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/system/log.hpp"

namespace kuiper_infer {
namespace {

constexpr int kAnyOperands = 0;

Value Pair(int64_t height, int64_t width) { return Value::List{height, width}; }

Value Integers(const std::vector<int32_t>& numbers) {
  Value::List list;
  for (const int32_t number : numbers) list.emplace_back(number);
  return list;
}

/// The axis of a batch that is axis `element_axis` of each element. The largest int32 has no successor and stays as it
/// is: Forward refuses it, because no element has that axis.
int64_t BatchAxis(int32_t element_axis) {
  return element_axis < 0 || element_axis == std::numeric_limits<int32_t>::max() ? element_axis : element_axis + 1;
}

}  // namespace

ReluLayer::ReluLayer() : OperatorLayer("nn.ReLU", {}, ElementShape::kLogical) {}

Relu6Layer::Relu6Layer() : OperatorLayer("nn.ReLU6", {}, ElementShape::kLogical) {}

SiLULayer::SiLULayer() : OperatorLayer("nn.SiLU", {}, ElementShape::kLogical) {}

SigmoidLayer::SigmoidLayer() : OperatorLayer("nn.Sigmoid", {}, ElementShape::kLogical) {}

HardSwishLayer::HardSwishLayer() : OperatorLayer("nn.Hardswish", {}, ElementShape::kLogical) {}

HardSigmoidLayer::HardSigmoidLayer() : OperatorLayer("nn.Hardsigmoid", {}, ElementShape::kLogical) {}

SoftmaxLayer::SoftmaxLayer(int32_t dim)
    : OperatorLayer("nn.Softmax", {{"dim", BatchAxis(dim)}}, ElementShape::kLogical), dim_(dim) {}

InferStatus SoftmaxLayer::Forward(const std::vector<sftensor>& inputs, std::vector<sftensor>& outputs) {
  if (!inputs.empty() && inputs.front() != nullptr && !inputs.front()->empty()) {
    // A dim below -rank would name the axis of the batch.
    const auto rank = static_cast<int32_t>(inputs.front()->raw_shapes().size());
    if (dim_ < -rank || dim_ >= rank) {
      Log(Severity::kError, "layer " + layer_name_ + ": dim is " + std::to_string(dim_) +
                                ", expected an axis of an element of rank " + std::to_string(rank));
      return InferStatus::kInferFailedDimensionParameterError;
    }
  }
  return OperatorLayer::Forward(inputs, outputs);
}

ExpressionLayer::ExpressionLayer(std::string statement)
    : OperatorLayer("pnnx.Expression", {{"expr", std::move(statement)}}, ElementShape::kLogical, {}, kAnyOperands) {}

MaxPoolingLayer::MaxPoolingLayer(uint32_t padding_h, uint32_t padding_w, uint32_t pooling_h, uint32_t pooling_w,
                                 uint32_t stride_h, uint32_t stride_w)
    : OperatorLayer("nn.MaxPool2d",
                    {{"padding", Pair(padding_h, padding_w)},
                     {"kernel_size", Pair(pooling_h, pooling_w)},
                     {"stride", Pair(stride_h, stride_w)}},
                    ElementShape::kCube) {}

AdaptiveAveragePoolingLayer::AdaptiveAveragePoolingLayer(uint32_t output_h, uint32_t output_w)
    : OperatorLayer("nn.AdaptiveAvgPool2d", {{"output_size", Pair(output_h, output_w)}}, ElementShape::kCube) {}

BatchNorm2dLayer::BatchNorm2dLayer(uint32_t num_features, float eps, const std::vector<float>& affine_weight,
                                   const std::vector<float>& affine_bias)
    : OperatorLayer("nn.BatchNorm2d", {{"eps", static_cast<double>(eps)}}, ElementShape::kCube,
                    {{"running_mean", {num_features}},
                     {"running_var", {num_features}},
                     {"weight", {num_features}},
                     {"bias", {num_features}}}) {
  SetAttribute("weight", affine_weight);
  SetAttribute("bias", affine_bias);
  SetAttribute("running_var", std::vector<float>(num_features, 1.0F));
  weight_name_ = "running_mean";
  bias_name_ = "running_var";
}

CatLayer::CatLayer(int32_t dim) : OperatorLayer("torch.cat", {{"dim", dim}}, ElementShape::kCube, {}, kAnyOperands) {}

FlattenLayer::FlattenLayer(int32_t start_dim, int32_t end_dim)
    : OperatorLayer("torch.flatten", {{"start_dim", start_dim}, {"end_dim", end_dim}}, ElementShape::kCube) {}

LinearLayer::LinearLayer(int32_t in_features, int32_t out_features, bool use_bias)
    : OperatorLayer(
          "nn.Linear", {{"bias", use_bias}}, ElementShape::kLogical,
          use_bias ? std::map<std::string, Shape>{{"weight", {out_features, in_features}}, {"bias", {out_features}}}
                   : std::map<std::string, Shape>{{"weight", {out_features, in_features}}}) {}

UpSampleLayer::UpSampleLayer(float scale_h, float scale_w, UpSampleMode mode, bool align_corners)
    : OperatorLayer("nn.Upsample",
                    {{"scale_factor", Value::List{static_cast<double>(scale_h), static_cast<double>(scale_w)}},
                     {"mode", mode == UpSampleMode::kModeNearest ? "nearest" : "bilinear"},
                     {"align_corners", mode == UpSampleMode::kModeNearest ? Value() : Value(align_corners)}},
                    ElementShape::kCube) {}

ViewLayer::ViewLayer(const std::vector<int32_t>& shapes)
    : OperatorLayer("Tensor.reshape", {{"shape", Integers(shapes)}}, ElementShape::kLogical) {}

}  // namespace kuiper_infer
