// SPDX-License-Identifier: MIT
#include "kernel/product/gemm.hpp"
#include "kuiper_infer/layer/details/matmul.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "layer/tensor_checks.hpp"

namespace kuiper_infer {
namespace {

uint32_t Extent(const char* name, int32_t extent) {
  if (extent < 1) {
    throw Error(ErrorCode::kArgument,
                std::string("LLamaMatmulLayer: ") + name + " is " + std::to_string(extent) + ", expected at least 1");
  }
  return static_cast<uint32_t>(extent);
}

}  // namespace

LLamaMatmulLayer::LLamaMatmulLayer(int32_t weight_dim0, int32_t weight_dim1)
    : ParamLayer("matmul"), rows_(Extent("weight_dim0", weight_dim0)), inner_(Extent("weight_dim1", weight_dim1)) {}

void LLamaMatmulLayer::set_weights(const Tensors& weights) {
  const std::size_t expected = std::size_t{rows_} * inner_;
  if (weights.size() != 1 || weights.front() == nullptr || weights.front()->size() != expected) {
    throw Error(ErrorCode::kShape,
                "layer " + layer_name_ + ": expected one weight tensor of " + std::to_string(expected) + " elements");
  }
  weights_ = weights;
}

void LLamaMatmulLayer::set_weights(const std::vector<float>& weights) {
  const auto tensor = std::make_shared<Tensor<float>>(rows_, inner_);
  tensor->Fill(weights, false);
  weights_ = {tensor};
}

InferStatus LLamaMatmulLayer::Forward(const Tensors& inputs, Tensors& outputs) {
  const InferStatus checked = CheckTensors(layer_name_, weights_, inputs, outputs);
  if (checked != InferStatus::kInferSuccess) return checked;
  const auto refuse = [this](InferStatus status, const std::string& reason) {
    return RefuseTensors(layer_name_, status, reason);
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor<float>& input = *inputs[i];
    const bool is_vector = input.raw_shapes() == std::vector<uint32_t>{inner_};
    if (!is_vector && (input.channels() != 1 || input.rows() != inner_)) {
      return refuse(InferStatus::kInferFailedShapeParameterError,
                    "an input has " + std::to_string(input.channels()) + " channels of " +
                        std::to_string(input.rows()) + " rows, expected one of " + std::to_string(inner_));
    }
    const uint32_t columns = is_vector ? 1 : input.cols();
    if (outputs[i] == nullptr || outputs[i]->empty()) outputs[i] = std::make_shared<Tensor<float>>(rows_, columns);
    if (outputs[i]->shapes() != std::vector<uint32_t>{1, rows_, columns}) {
      return refuse(InferStatus::kInferFailedOutputSizeError, "an output tensor is not of " + std::to_string(rows_) +
                                                                  " x " + std::to_string(columns) + " elements");
    }
    // A column-major output is the row-major transpose: (W x)' = x' W'.
    kernel::Gemm<float>(true, true, columns, rows_, inner_, 1, input.raw_ptr(), columns, weights_.front()->raw_ptr(),
                        inner_, 0, outputs[i]->raw_ptr(), rows_);
  }
  return InferStatus::kInferSuccess;
}

}  // namespace kuiper_infer
