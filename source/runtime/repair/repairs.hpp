// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// Repairs: one function for each kind of fault that the converter is known to make and that can be corrected from the
/// rest of the file. They leave correct operators as they are. Three functions correct nothing: they bring what files
/// hold of quantised models into the form from which operators compute with integers. If a file contradicts itself,
/// they throw Error(kGraph) that names the operator.

/// Drops inputs that repeat weights. If several modules share a part, the converter writes the weights of that part
/// twice: as attributes of the operator, and as inputs before the inputs of PyTorch's module.
void DropRepeatedWeights(pnnx::Operator& op);

/// Makes divisions of integers whose result is an index round down: the converter loses torch.div's rounding mode.
void RoundIndexDivisions(pnnx::Graph& graph);

/// Rewrites the dimensions of Tensor.slice and Tensor.slice_copy over several axes. Older versions of the converter
/// count them in another way than the present one; the recorded shapes tell which way it is. If an index is computed
/// and a slice comes last, the converter leaves out an entry of `selects`, which is added.
void RepairSliceDims(pnnx::Operator& op);

/// Restores the constant indices of Tensor.index. The converter writes an array of several axes as a flat list, which
/// has as many elements as the array's first axis, and some arrays of one element as a number. If the list holds all
/// elements, it gets its axes back. If elements are missing, and an index [0] stands beside longer ones, it becomes
/// arange(K) if the recorded shapes fit that, with a warning. If elements are missing and each index has one element
/// left, that element counts for all, with a warning if it could be arange(K). In all other cases missing elements are
/// an error.
void RepairIndexShape(pnnx::Operator& op, std::vector<std::string>& warnings);

/// Puts the operands of nn.RNN, nn.LSTM and nn.GRU in order. The converter writes initial states that are parameters of
/// the model before the input, and leaves out results that nothing reads. By their recorded shapes, the operands get
/// the places that they have in PyTorch. If the shapes fit several places, that is an error. Operands that fit their
/// present places stay there.
void RepairRecurrentOperands(pnnx::Graph& graph, pnnx::Operator& op);

/// Restores the first output of an nn.MultiheadAttention of which only the weights are used. The recorded shape tells
/// that this is so, and whether the weights are averaged over the heads.
void RepairAttentionOutputs(pnnx::Graph& graph, pnnx::Operator& op);

/// Restores padding="same" of one-dimensional convolutions whose padding mode is not zeros, if both sides of the
/// padding differ: the converter writes () for it. It is recognised by the recorded image, which keeps its extents.
void NameSamePadding(pnnx::Operator& op);

/// Clears the padding mask of attention. PyTorch's modules make it of zeros and fill it in place, and the converter
/// stores it as its own run left it. The mask is recognised by its readers, by its shape (batch, length), and by
/// holding only 0 and -inf.
void ClearPaddingMask(pnnx::Operator& op);

/// Makes one rounding to a grid (fake_quantize) of a conversion to the integers of a quantised array and the conversion
/// back by the same parameters, if `op` is the second of them. The planner fuses such a rounding into other operators.
void JoinQuantizedPair(pnnx::Operator& op);

/// Gives an operator the integers from which another operator makes its argument `weight`, with a scale for each index
/// of the first axis: layers then compute with the integers. The other operator stays for its other readers.
void JoinQuantizedWeight(pnnx::Operator& op);

/// Gives linear layers and embeddings a weight in integers that is an operator of its own, pnnx.Attribute, as if each
/// held the weight: they then read the integers. A file holds a weight in this way once for several readers. The
/// operator stays for other readers, which get the numbers in float32; if there are none, it is removed.
void DealOutQuantizedWeights(pnnx::Graph& graph);

/// Warns about an operator that writes into a part of an array, if the array is a constant that the converter has
/// computed and that may already hold what is written. If the module writes in place, the converter stores the constant
/// as its own run left it, and the file does not tell what it was before.
void FindWrittenConstant(const pnnx::Operator& op, std::vector<std::string>& warnings);

/// Inserts a new output that nothing reads before the operator's output at `position`.
void InsertUnusedOutput(pnnx::Graph& graph, pnnx::Operator& op, std::size_t position);

/// The entries of a list parameter of integers or words, as text; empty for other parameters.
std::vector<std::string> ListItems(const pnnx::Parameter& parameter);

}  // namespace kuiper_infer
