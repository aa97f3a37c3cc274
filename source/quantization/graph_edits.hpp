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

// Changes of a graph to one with integers, as docs/quantization.md describes the format.

/// The name, lengthened until neither an operator nor an operand has it.
std::string FreeName(const pnnx::Graph& graph, std::string name);

/// Adds an operator nn.quantized.Quantize that reads `operand`, behind the one that makes it. The names of both it and
/// its result, which is returned, begin with `name`.
pnnx::Operand* AddQuantize(pnnx::Graph& graph, pnnx::Operand* operand, const kernel::QuantizationGrid& grid,
                           const std::string& name);

/// Lets all that read an operand read it rounded, but for the model's outputs, batch normalisations and sums of more
/// than two arrays. Returns the operator that rounds.
pnnx::Operator* InsertQuantize(pnnx::Graph& graph, pnnx::Operand* operand, const kernel::QuantizationGrid& grid);

/// Adds an output of the model, behind those that it has.
void AddOutput(pnnx::Graph& graph, pnnx::Operand* operand);

// The next two return the signal-to-noise ratio, in decibels, of the numbers that are left; none of zeros alone.

/// Stores the float32 attribute `key` in 8 bits with a scale for each index of the first axis.
std::optional<double> StoreByChannel(pnnx::Operator& op, const std::string& key, WeightRounding rounding);

/// Stores the float32 attribute `key`, of rank two, as integers of a format with parameters for each of `groups` equal
/// parts of a row. `groups` divides the row, and is one if the format isn't by group; a row has an even number of
/// elements if the format puts two of them in a byte.
std::optional<double> StoreInFormat(pnnx::Operator& op, const std::string& key, const kernel::WeightFormat& format,
                                    int64_t groups);

/// Adds to the bias of a convolution or linear layer, which gets one where it has none, or to the result of an
/// attention without output projection by the bias of its values, if it has one. A bias of another element type or
/// length stays as it is.
void ShiftBias(pnnx::Operator& op, const std::vector<float>& shift);

}  // namespace kuiper_infer::quantization
