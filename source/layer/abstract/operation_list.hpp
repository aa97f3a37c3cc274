// SPDX-License-Identifier: MIT
#pragma once

#include "layer/abstract/operation.hpp"

namespace kuiper_infer {

// Every family of operations adds its rows to the table by one function, defined in layer/details/; operation_table.cpp
// calls them all.
void RegisterActivation(OperationTable& table);
void RegisterAdaptivePooling(OperationTable& table);
void RegisterAddmm(OperationTable& table);
void RegisterArgReduce(OperationTable& table);
void RegisterAsStrided(OperationTable& table);
void RegisterBatchNorm(OperationTable& table);
void RegisterCast(OperationTable& table);
void RegisterCat(OperationTable& table);
void RegisterClassLoss(OperationTable& table);
void RegisterCombination(OperationTable& table);
void RegisterCompare(OperationTable& table);
void RegisterComplexView(OperationTable& table);
void RegisterConvTranspose(OperationTable& table);
void RegisterConvolution(OperationTable& table);
void RegisterCreation(OperationTable& table);
void RegisterCtcLoss(OperationTable& table);
void RegisterDeformConvolution(OperationTable& table);
void RegisterDifference(OperationTable& table);
void RegisterDistance(OperationTable& table);
void RegisterEinsum(OperationTable& table);
void RegisterEmbedding(OperationTable& table);
void RegisterEmbeddingBag(OperationTable& table);
void RegisterEmbeddingLoss(OperationTable& table);
void RegisterExpand(OperationTable& table);
void RegisterExpression(OperationTable& table);
void RegisterFft(OperationTable& table);
void RegisterFlip(OperationTable& table);
void RegisterFold(OperationTable& table);
void RegisterFractionalPooling(OperationTable& table);
void RegisterGather(OperationTable& table);
void RegisterGradient(OperationTable& table);
void RegisterGridSample(OperationTable& table);
void RegisterGroupNorm(OperationTable& table);
void RegisterGru(OperationTable& table);
void RegisterHistogram(OperationTable& table);
void RegisterIndex(OperationTable& table);
void RegisterLayerNorm(OperationTable& table);
void RegisterLinear(OperationTable& table);
void RegisterLocalResponseNorm(OperationTable& table);
void RegisterLoss(OperationTable& table);
void RegisterLstm(OperationTable& table);
void RegisterMatmul(OperationTable& table);
void RegisterMatrixNorm(OperationTable& table);
void RegisterMatrixPower(OperationTable& table);
void RegisterMaxUnpool(OperationTable& table);
void RegisterMultiheadAttention(OperationTable& table);
void RegisterNms(OperationTable& table);
void RegisterNormalize(OperationTable& table);
void RegisterPad(OperationTable& table);
void RegisterPairwiseDistance(OperationTable& table);
void RegisterPermute(OperationTable& table);
void RegisterPixelShuffle(OperationTable& table);
void RegisterPointwise(OperationTable& table);
void RegisterPointwiseParameters(OperationTable& table);
void RegisterPooling(OperationTable& table);
void RegisterPrelu(OperationTable& table);
void RegisterPut(OperationTable& table);
void RegisterQuantile(OperationTable& table);
void RegisterQuantized(OperationTable& table);
void RegisterQuantizedLayers(OperationTable& table);
void RegisterRandom(OperationTable& table);
void RegisterReduce(OperationTable& table);
void RegisterRepeat(OperationTable& table);
void RegisterReshape(OperationTable& table);
void RegisterRnn(OperationTable& table);
void RegisterRoiPooling(OperationTable& table);
void RegisterScaledDotProductAttention(OperationTable& table);
void RegisterScan(OperationTable& table);
void RegisterScatter(OperationTable& table);
void RegisterSearch(OperationTable& table);
void RegisterSequence(OperationTable& table);
void RegisterSize(OperationTable& table);
void RegisterSlice(OperationTable& table);
void RegisterSliceCopy(OperationTable& table);
void RegisterSoftmax(OperationTable& table);
void RegisterSort(OperationTable& table);
void RegisterSplit(OperationTable& table);
void RegisterSqueeze(OperationTable& table);
void RegisterStatistics(OperationTable& table);
void RegisterStft(OperationTable& table);
void RegisterTransformerEncoder(OperationTable& table);
void RegisterTriangle(OperationTable& table);
void RegisterTuple(OperationTable& table);
void RegisterUpsample(OperationTable& table);
void RegisterVariance(OperationTable& table);
void RegisterVectorProduct(OperationTable& table);
void RegisterWhere(OperationTable& table);

}  // namespace kuiper_infer
