// SPDX-License-Identifier: MIT
#include "kuiper_infer/layer/abstract/operator_layer.hpp"

#include <algorithm>
#include <utility>

#include "data/convert.hpp"
#include "kuiper_infer/runtime/runtime_op.hpp"
#include "operation/evaluate.hpp"
#include "operation/operator_errors.hpp"
#include "utils/system/log.hpp"

namespace kuiper_infer {
namespace {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

InferStatus StatusOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kShape:
      return InferStatus::kInferFailedInputOutSizeMatchError;
    case ErrorCode::kArgument:
      return InferStatus::kInferFailedShapeParameterError;
    default:
      return InferStatus::kInferUnknown;
  }
}

/// The status that the classic interface has for a missing or unfit argument.
ParseParameterAttrStatus StatusOf(const BindError& error) {
  using Status = ParseParameterAttrStatus;
  static const std::map<std::string, Status> kParameters = {
      {"stride", Status::kParameterMissingStride},
      {"padding", Status::kParameterMissingPadding},
      {"kernel_size", Status::kParameterMissingKernel},
      {"bias", Status::kParameterMissingUseBias},
      {"in_channels", Status::kParameterMissingInChannel},
      {"out_channels", Status::kParameterMissingOutChannel},
      {"eps", Status::kParameterMissingEps},
      {"num_features", Status::kParameterMissingNumFeatures},
      {"dim", Status::kParameterMissingDim},
      {"expr", Status::kParameterMissingExpr},
      {"output_size", Status::kParameterMissingOutHW},
      {"shape", Status::kParameterMissingShape},
      {"groups", Status::kParameterMissingGroups},
      {"scale_factor", Status::kParameterMissingScale},
      {"mode", Status::kParameterMissingResizeMode},
      {"dilation", Status::kParameterMissingDilation},
      {"padding_mode", Status::kParameterMissingPaddingMode},
  };
  static const std::map<std::string, Status> kAttributes = {
      {"bias", Status::kAttrMissingBias},
      {"weight", Status::kAttrMissingWeight},
      {"running_mean", Status::kAttrMissingRunningMean},
      {"running_var", Status::kAttrMissingRunningVar},
  };
  const auto& statuses = error.attribute ? kAttributes : kParameters;
  const auto status = statuses.find(error.argument);
  return status == statuses.end() ? Status::kParameterMissingUnknown : status->second;
}

/// Throws an Error that names the operator if the file's arguments don't fit.
std::shared_ptr<OperatorCall> CheckedCall(const RuntimeOperator& op) {
  return NamingOperator(op.name, op.type, [&] {
    auto call = std::make_shared<OperatorCall>(MakeOperatorCall(op));
    CheckCall(*call);
    return call;
  });
}

Shape ElementShapeOf(const Tensor<float>& tensor, ElementShape kind) {
  const std::vector<uint32_t> extents = kind == ElementShape::kCube ? tensor.shapes() : tensor.raw_shapes();
  return Shape(extents.begin(), extents.end());
}

std::vector<float> RowMajorValues(const Tensors& tensors) {
  std::vector<float> values;
  for (const auto& tensor : tensors) {
    if (tensor == nullptr) throw Error(ErrorCode::kInput, "a weight tensor is null");
    const std::vector<float> part = tensor->values(true);
    values.insert(values.end(), part.begin(), part.end());
  }
  return values;
}

}  // namespace

OperatorLayer::OperatorLayer(const RuntimeOperator& op) : Layer(op.type), call_(CheckedCall(op)), operand_count_(0) {}

OperatorLayer::OperatorLayer(const std::string& type, std::map<std::string, Value> params, ElementShape element_shape,
                             const std::map<std::string, Shape>& weight_shapes, int operand_count)
    : Layer(type),
      call_(std::make_shared<OperatorCall>()),
      element_shape_(element_shape),
      operand_count_(operand_count) {
  call_->name = type;
  call_->type = type;
  call_->params = std::move(params);
  for (const auto& [name, shape] : weight_shapes) {
    const NdArray array(RuntimeDataType::kTypeFloat32, shape);
    std::fill_n(array.data<float>(), array.size(), 0.0F);
    call_->attributes[name] = std::make_shared<Weight>(array);
  }
  NamingOperator(type, type, [&] { CheckCall(*call_); });
}

OperatorLayer::~OperatorLayer() = default;

InferStatus OperatorLayer::Forward(const Tensors& inputs, Tensors& outputs) {
  if (inputs.empty()) {
    Log(Severity::kError, "layer " + layer_name_ + ": no input tensors");
    return InferStatus::kInferFailedInputEmpty;
  }
  if (outputs.empty()) {
    Log(Severity::kError, "layer " + layer_name_ + ": no output tensors, expected one per batch element");
    return InferStatus::kInferFailedOutputEmpty;
  }
  const std::size_t batch = outputs.size();
  const std::size_t operands = operand_count_ > 0 ? static_cast<std::size_t>(operand_count_) : inputs.size() / batch;
  if (operands == 0 || inputs.size() != operands * batch) {
    Log(Severity::kError, "layer " + layer_name_ + ": " + std::to_string(inputs.size()) + " input tensors for " +
                              std::to_string(batch) + " outputs");
    return InferStatus::kInferFailedInputOutSizeMatchError;
  }
  for (const auto& tensor : inputs) {
    if (tensor == nullptr || tensor->empty()) {
      Log(Severity::kError, "layer " + layer_name_ + ": an input tensor is empty");
      return InferStatus::kInferFailedInputEmpty;
    }
  }
  try {
    std::vector<Value> values;
    for (std::size_t k = 0; k < operands; ++k) {
      const auto first = inputs.begin() + static_cast<std::ptrdiff_t>(k * batch);
      const Tensors operand(first, first + static_cast<std::ptrdiff_t>(batch));
      const Shape shape = ElementShapeOf(*operand.front(), element_shape_);
      values.emplace_back(NdArrayFromTensors(operand, shape, RuntimeDataType::kTypeFloat32));
    }
    const std::vector<Value> results = Evaluate(*call_, values, DefaultPlanningContext());
    if (results.empty() || !results.front().Is<NdArray>()) return InferStatus::kInferFailedOutputEmpty;
    const NdArray& result = results.front().Get<NdArray>();
    if (result.rank() == 0 || result.shape().front() != static_cast<int64_t>(batch)) {
      Log(Severity::kError, "layer " + layer_name_ + ": result " + ShapeString(result.shape()) + " for a batch of " +
                                std::to_string(batch));
      return InferStatus::kInferFailedOutputSizeError;
    }
    NdArrayToTensors(result, outputs);
    return InferStatus::kInferSuccess;
  } catch (const Error& error) {
    Log(Severity::kError, error.what());
    return StatusOf(error.code());
  }
}

void OperatorLayer::SetAttribute(const std::string& name, const std::vector<float>& row_major) {
  const auto attribute = call_->attributes.find(name);
  if (attribute == call_->attributes.end()) {
    throw Error(ErrorCode::kState, "layer " + layer_name_ + " has no " + name);
  }
  const NdArray array(RuntimeDataType::kTypeFloat32, attribute->second->spec().shape);
  if (static_cast<int64_t>(row_major.size()) != array.size()) {
    throw Error(ErrorCode::kShape, "layer " + layer_name_ + ": " + std::to_string(row_major.size()) + " values for " +
                                       name + " of shape " + ShapeString(array.shape()));
  }
  std::copy(row_major.begin(), row_major.end(), array.data<float>());
  attribute->second = std::make_shared<Weight>(array);
}

void OperatorLayer::set_weights(const Tensors& weights) {
  SetAttribute(weight_name_, RowMajorValues(weights));
  weights_ = weights;
}

void OperatorLayer::set_bias(const Tensors& bias) {
  SetAttribute(bias_name_, RowMajorValues(bias));
  bias_ = bias;
}

void OperatorLayer::set_weights(const std::vector<float>& weights) { SetAttribute(weight_name_, weights); }

void OperatorLayer::set_bias(const std::vector<float>& bias) { SetAttribute(bias_name_, bias); }

ParseParameterAttrStatus OperatorLayer::GetInstance(const std::shared_ptr<RuntimeOperator>& op,
                                                    std::shared_ptr<Layer>& layer) {
  if (op == nullptr) return ParseParameterAttrStatus::kParameterMissingUnknown;
  try {
    layer = std::make_shared<OperatorLayer>(*op);
    return ParseParameterAttrStatus::kParameterAttrParseSuccess;
  } catch (const BindError& error) {
    Log(Severity::kError, error.what());
    return StatusOf(error);
  } catch (const Error& error) {
    Log(Severity::kError, error.what());
    return ParseParameterAttrStatus::kParameterMissingUnknown;
  }
}

ParseParameterAttrStatus OperatorLayer::MakeInstance(const std::string& default_type,
                                                     const std::shared_ptr<RuntimeOperator>& op,
                                                     std::shared_ptr<Layer>& layer) {
  if (op != nullptr && op->type.empty()) op->type = default_type;
  return GetInstance(op, layer);
}

}  // namespace kuiper_infer
