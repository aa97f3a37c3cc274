// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// Brings layers that the converter writes in several forms into the one whose weights can be stored in integers:
///
/// - A module whose weights are inputs as well as attributes keeps the attributes (DropRepeatedWeights): the inputs
///   would not repeat a weight in integers.
/// - A torch.addmm of rows, a constant matrix and a constant row becomes an nn.Linear. It gets the name of the constant
///   matrix, which is that of the module in PyTorch (as Conv1D in GPT-2), where nothing else reads the matrix.
/// - The output projection of an attention X becomes an nn.Linear X.out_proj behind it, so that what it reads is an
///   operand, which can be rounded; the attention gets out_proj=False.
///
/// Constants that are not read any more go. The results stay what they are.
void UnifyLayers(pnnx::Graph& graph);

}  // namespace kuiper_infer::quantization
