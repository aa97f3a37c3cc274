// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kuiper_infer/utils/shape.hpp"

namespace kuiper_infer {

/// An Einstein sum: one label for each axis of every operand and of the output. Axes with the same label have the same
/// index; labels that the output lacks are summed over.
struct EinsumLabels {
  std::vector<std::string> operands;
  std::string output;
};

/// Reads an equation as torch.einsum does ("ij,jk->ik", "ij,jk", "...ij,...jk->...ik", blanks ignored) for operands of
/// the given ranks. Each axis under an ellipsis gets a digit as label, aligned at the right. Without "->" the output
/// has the ellipsis and then all labels that occur once, sorted. Throws Error(kArgument) on a malformed equation and
/// Error(kShape) if it doesn't fit the ranks.
EinsumLabels ParseEinsum(const std::string& equation, const std::vector<int64_t>& ranks);

/// A strided array whose axes carry labels.
struct LabelledSpec {
  TensorSpec spec;
  std::string labels;
};

/// If a label is repeated in one operand, takes the diagonal of its axes. Drops an axis of extent 1 if its label has a
/// larger extent in another operand, since it is broadcast. Throws Error(kShape) if extents of a label differ.
void NormalizeEinsum(std::vector<LabelledSpec>& operands);

/// The axes with the given labels, in the labels' order.
LabelledSpec SelectLabels(const LabelledSpec& operand, const std::string& labels);

}  // namespace kuiper_infer
