// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer {

/// Repairs: one function for each kind of fault that the converter is known to make and that the rest of the file can
/// settle. What is right already stays as it is. Where a file contradicts itself the functions throw Error(kGraph) that
/// names the operator.

/// Drops inputs that repeat weights. Where modules share a module that is a part of another one, the converter writes
/// its weights twice: as attributes of the operator and as inputs in front of those that PyTorch's module takes.
void DropRepeatedWeights(pnnx::Operator& op);

/// Makes divisions of integers whose result is an index round down: the converter loses torch.div's rounding mode.
void RoundIndexDivisions(pnnx::Graph& graph);

/// Brings the dimensions of Tensor.slice and Tensor.slice_copy over several axes, which versions of the converter write
/// in two ways, into the present one; the recorded shapes decide. `selects` gets the entry that the converter leaves
/// out where an index is computed and a slice comes last.
void RepairSliceDims(pnnx::Operator& op);

/// Gives the constant indices of Tensor.index back what the converter loses: it writes an array of several axes as a
/// flat list of as many elements as its first axis has, and some of one element as a number. Where these are all
/// elements they get their axes back. Where elements are missing, an index [0] beside longer ones becomes arange(K) if
/// the recorded shapes say so, with a warning. Otherwise it is an error, unless each index has one element left: that
/// counts for all, with a warning where it could be arange(K).
void RepairIndexShape(pnnx::Operator& op, std::vector<std::string>& warnings);

/// Puts the operands of nn.RNN, nn.LSTM and nn.GRU in order. The converter writes initial states that are parameters of
/// the model in front of the input, and leaves out results that nobody reads. The operands get the places that they
/// have in PyTorch, by their recorded shapes; where these fit several places it is an error. What fits as it stands
/// stays.
void RepairRecurrentOperands(pnnx::Graph& graph, pnnx::Operator& op);

/// Gives nn.MultiheadAttention of which only the weights are used its first output back. The recorded shape tells that,
/// and whether the weights are averaged over the heads.
void RepairAttentionOutputs(pnnx::Graph& graph, pnnx::Operator& op);

/// Puts padding="same" into convolutions in one dimension with another padding mode than zeros, whose sides differ: the
/// converter writes () for it. The recorded image, which keeps its extents, tells.
void NameSamePadding(pnnx::Operator& op);

/// Clears the padding mask of attention, which modules of PyTorch make of zeros and fill in place: the converter stores
/// it as its own run left it. It is told by its users, by its shape (batch, length), and by holding 0 and -inf alone.
void ClearPaddingMask(pnnx::Operator& op);

/// Warns where an operator that writes into a part of an array is given a constant that the converter has computed and
/// that may already hold what is written: if the module writes in place, the converter stores the constant as its own
/// run left it, and no file tells what it was before.
void FindWrittenConstant(const pnnx::Operator& op, std::vector<std::string>& warnings);

/// A new output that nobody reads, in front of the operator's output at `position`.
void InsertUnusedOutput(pnnx::Graph& graph, pnnx::Operator& op, std::size_t position);

/// The entries of a list parameter of integers or words, as text; empty for other parameters.
std::vector<std::string> ListItems(const pnnx::Parameter& parameter);

}  // namespace kuiper_infer
