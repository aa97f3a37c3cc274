// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernel/product/format/weight_format.hpp"
#include "kernel/quantization/quantize.hpp"
#include "kuiper_infer/runtime/ir.h"
#include "quantization/weight_rounding.hpp"

namespace kuiper_infer::quantization {

// Edits that turn a graph into one with integers, in the format that docs/quantization.md describes.

/// `name`, lengthened until no operator and no operand has it.
std::string FreeName(const pnnx::Graph& graph, std::string name);

/// Adds an operator nn.quantized.Quantize that reads `operand` after the operator that produces it. Returns its result.
/// The names of the new operator and its result begin with `name`.
pnnx::Operand* AddQuantize(pnnx::Graph& graph, pnnx::Operand* operand, const kernel::QuantizationGrid& grid,
                           const std::string& name);

/// Rounds an operand for all its readers but the model's outputs, batch normalisations and sums of more than two
/// arrays. Returns the operator that rounds.
pnnx::Operator* InsertQuantize(pnnx::Graph& graph, pnnx::Operand* operand, const kernel::QuantizationGrid& grid);

/// Adds an output of the model after the existing ones.
void AddOutput(pnnx::Graph& graph, pnnx::Operand* operand);

// The next two functions return the signal-to-noise ratio of the rounded numbers in decibels; none if all are zeros.

/// Stores the float32 attribute `key` in 8 bits with a scale for each index of the first axis.
std::optional<double> StoreByChannel(pnnx::Operator& op, const std::string& key, WeightRounding rounding);

/// Stores the float32 attribute `key`, of rank two, as integers of a format with parameters for each of `groups` equal
/// parts of a row. `groups` divides the row, and is one if the format isn't by group; a row has an even number of
/// elements if the format puts two of them in a byte.
std::optional<double> StoreInFormat(pnnx::Operator& op, const std::string& key, const kernel::WeightFormat& format,
                                    int64_t groups);

/// Adds numbers to the bias of a convolution or linear layer; a layer without bias gets one. For an attention without
/// output projection, adds them to the bias of its values if it has one, which adds them to the result. A bias of
/// another element type or length stays as it is.
void ShiftBias(pnnx::Operator& op, const std::vector<float>& shift);

}  // namespace kuiper_infer::quantization
