// SPDX-License-Identifier: MIT
#include "layer/abstract/operation_list.hpp"

namespace kuiper_infer {

// Explicit calls instead of static objects, which a linker drops from a static library when nobody refers to them.
OperationTable::OperationTable() {
  RegisterActivation(*this);
  RegisterAdaptivePooling(*this);
  RegisterAddmm(*this);
  RegisterArgReduce(*this);
  RegisterAsStrided(*this);
  RegisterBatchNorm(*this);
  RegisterCast(*this);
  RegisterCat(*this);
  RegisterClassLoss(*this);
  RegisterCombination(*this);
  RegisterCompare(*this);
  RegisterComplexView(*this);
  RegisterConvTranspose(*this);
  RegisterConvolution(*this);
  RegisterCreation(*this);
  RegisterCtcLoss(*this);
  RegisterDeformConvolution(*this);
  RegisterDifference(*this);
  RegisterDistance(*this);
  RegisterEinsum(*this);
  RegisterEmbedding(*this);
  RegisterEmbeddingBag(*this);
  RegisterEmbeddingLoss(*this);
  RegisterExpand(*this);
  RegisterExpression(*this);
  RegisterFft(*this);
  RegisterFlip(*this);
  RegisterFold(*this);
  RegisterFractionalPooling(*this);
  RegisterGather(*this);
  RegisterGradient(*this);
  RegisterGridSample(*this);
  RegisterGroupNorm(*this);
  RegisterGru(*this);
  RegisterHistogram(*this);
  RegisterIndex(*this);
  RegisterLayerNorm(*this);
  RegisterLinear(*this);
  RegisterLocalResponseNorm(*this);
  RegisterLoss(*this);
  RegisterLstm(*this);
  RegisterMatmul(*this);
  RegisterMatrixNorm(*this);
  RegisterMatrixPower(*this);
  RegisterMaxUnpool(*this);
  RegisterMultiheadAttention(*this);
  RegisterNms(*this);
  RegisterNormalize(*this);
  RegisterPad(*this);
  RegisterPairwiseDistance(*this);
  RegisterPermute(*this);
  RegisterPixelShuffle(*this);
  RegisterPointwise(*this);
  RegisterPointwiseParameters(*this);
  RegisterPooling(*this);
  RegisterPrelu(*this);
  RegisterPut(*this);
  RegisterQuantile(*this);
  RegisterQuantized(*this);
  RegisterQuantizedLayers(*this);
  RegisterRandom(*this);
  RegisterReduce(*this);
  RegisterRepeat(*this);
  RegisterReshape(*this);
  RegisterRnn(*this);
  RegisterRoiPooling(*this);
  RegisterScaledDotProductAttention(*this);
  RegisterScan(*this);
  RegisterScatter(*this);
  RegisterSearch(*this);
  RegisterSequence(*this);
  RegisterSize(*this);
  RegisterSlice(*this);
  RegisterSliceCopy(*this);
  RegisterSoftmax(*this);
  RegisterSort(*this);
  RegisterSplit(*this);
  RegisterSqueeze(*this);
  RegisterStatistics(*this);
  RegisterStft(*this);
  RegisterTransformerEncoder(*this);
  RegisterTriangle(*this);
  RegisterTuple(*this);
  RegisterUpsample(*this);
  RegisterVariance(*this);
  RegisterVectorProduct(*this);
  RegisterWhere(*this);
}

}  // namespace kuiper_infer
