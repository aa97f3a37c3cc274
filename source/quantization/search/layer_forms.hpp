// SPDX-License-Identifier: MIT
#pragma once

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// Rewrites layers that files have in several forms into the form whose weights can be stored in integers:
///
/// - An aten::conv2d or aten::linear with weights of its own gets the name of the module, nn.Conv2d or nn.Linear.
///   kuiper_infer.export writes layers in this way.
///   Function and module are one row of the table of operations.
/// - A module whose weights are inputs as well as attributes keeps the attributes (DropRepeatedWeights): the inputs
///   would not repeat a weight in integers.
/// - A torch.addmm or aten::addmm of rows, a constant matrix and a constant row becomes an nn.Linear. If nothing else
///   reads the matrix, the layer gets the matrix's name.
///   That is the name of the module in PyTorch (such as Conv1D in GPT-2).
/// - A product by a constant matrix that is transposed becomes an nn.Linear, or an F.linear if the matrix is a
///   pnnx.Attribute, which further operators may read.
/// - The output projection of an attention X becomes an nn.Linear X.out_proj after it, so that its input is an operand,
///   which can be rounded; the attention gets out_proj=False.
///
/// Constants that nothing reads any more are removed. Results do not change, but for the order in which products add.
void UnifyLayers(pnnx::Graph& graph);

}  // namespace kuiper_infer::quantization
