// SPDX-License-Identifier: MIT
#pragma once

namespace kuiper_infer {

/// Result of Layer::Forward and of a layer's creator. The original's newer spelling has this one enumeration, its older
/// spelling has two, InferStatus and ParseParameterAttrStatus. Here all three are one type, so that a layer or a
/// creator written in either spelling compiles. Success is 0 under every name. Two names of failures may share a
/// number, as kInferOutputsEmpty and kInferFailedWeightParameterError do. The library's own layers and creators return
/// the older names.
enum class StatusCode {
  kUnknownCode = -1,
  kSuccess = 0,
  kInferInputsEmpty = 1,
  kInferOutputsEmpty = 2,
  kInferParameterError = 3,
  kInferDimMismatch = 4,
  kFunctionNotImplement = 5,
  kParseWeightError = 6,
  kParseParameterError = 7,
  kParseNullOperator = 8,

  // Of Layer::Forward, as InferStatus.
  kInferUnknown = -1,
  kInferSuccess = 0,
  kInferFailedInputEmpty = 1,
  kInferFailedWeightParameterError = 2,
  kInferFailedBiasParameterError = 3,
  kInferFailedStrideParameterError = 4,
  kInferFailedDimensionParameterError = 5,
  kInferFailedInputOutSizeMatchError = 6,
  kInferFailedOutputSizeError = 7,
  kInferFailedShapeParameterError = 9,
  kInferFailedChannelParameterError = 10,
  kInferFailedOutputEmpty = 11,

  // Of a creator, as ParseParameterAttrStatus: which parameter or attribute is missing or does not fit.
  kParameterMissingUnknown = -1,
  kParameterAttrParseSuccess = 0,
  kParameterMissingStride = 1,
  kParameterMissingPadding = 2,
  kParameterMissingKernel = 3,
  kParameterMissingUseBias = 4,
  kParameterMissingInChannel = 5,
  kParameterMissingOutChannel = 6,
  kParameterMissingEps = 7,
  kParameterMissingNumFeatures = 8,
  kParameterMissingDim = 9,
  kParameterMissingExpr = 10,
  kParameterMissingOutHW = 11,
  kParameterMissingShape = 12,
  kParameterMissingGroups = 13,
  kParameterMissingScale = 14,
  kParameterMissingResizeMode = 15,
  kParameterMissingDilation = 16,
  kParameterMissingPaddingMode = 17,
  kAttrMissingBias = 21,
  kAttrMissingWeight = 22,
  kAttrMissingRunningMean = 23,
  kAttrMissingRunningVar = 24,
  kAttrMissingOutFeatures = 25,
};

using InferStatus = StatusCode;
using ParseParameterAttrStatus = StatusCode;

/// Kinds of RuntimeParameter.
enum class RuntimeParameterType {
  kParameterUnknown = 0,
  kParameterBool = 1,
  kParameterInt = 2,
  kParameterFloat = 3,
  kParameterString = 4,
  kParameterIntArray = 5,
  kParameterFloatArray = 6,
  kParameterStringArray = 7,
};

}  // namespace kuiper_infer
