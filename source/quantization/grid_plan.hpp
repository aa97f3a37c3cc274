// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// The operands that are rounded so that layers read integers.
struct GridPlan {
  /// For each grid, the operands that are rounded to it. The operands of a concatenation share a grid.
  std::vector<std::vector<std::string>> grids;
  /// The grid that each quantised layer with a weight reads.
  std::map<std::string, std::size_t> grid_of;
};

/// Plans the grids for the quantised layers of these names; layers without weights need none.
///
/// - Operators that only move or choose elements (views, slices, max pooling, nearest upsampling) keep their input's
///   grid. The rounding is therefore before them, after the operator that computes the elements.
/// - The inputs of a concatenation that a layer reads share one grid.
/// - If quantised layers read a sum of two quantised layers, the second term of the sum is rounded, too, because the
///   first layer can then add it as integers. If both layers read the same array, like the parallel branches of a
///   block, the second term is not rounded, because it would be one more rounding.
GridPlan PlanGrids(const pnnx::Graph& graph, const std::set<std::string>& quantized);

}  // namespace kuiper_infer::quantization
