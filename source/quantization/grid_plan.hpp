// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"

namespace kuiper_infer::quantization {

/// Which operands are rounded so that layers read integers.
struct GridPlan {
  /// For each grid the operands that are rounded to it. They are several where arrays are joined.
  std::vector<std::vector<std::string>> grids;
  /// The grid that each quantised layer with a weight reads.
  std::map<std::string, std::size_t> grid_of;
};

/// Plans the grids for the quantised layers of these names, as far as they have weights. An operand is rounded where it
/// is made: operators that only move or choose elements (views, slices, max pooling, nearest upsampling) keep their
/// input's grid, so the rounding stands before them, and all that is concatenated in front of a layer gets one grid. Of
/// a sum of two quantised layers that is read by quantised ones, the second term is rounded too, since the first layer
/// can add it as integers; unless both read the same array, as the parallel branches of a block do, which would take
/// one rounding more.
GridPlan PlanGrids(const pnnx::Graph& graph, const std::set<std::string>& quantized);

}  // namespace kuiper_infer::quantization
