// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "planning/planning_graph.hpp"
#include "runtime/built_graph.hpp"

namespace kuiper_infer {

/// Element types and shapes of the arrays of each output of a model. An output that is a tuple or list has several
/// arrays; nested lists are flattened depth first, in the order of a run's results.
using OutputSpecs = std::vector<std::vector<TensorSpec>>;

/// The outputs for the input shapes that a program or a graph was planned for. If an array is known only after a run,
/// its spec is what the file records, with -1 for extents that depend on contents; its type is unknown if the file
/// records nothing. Throws Error(kResource) if tuples nest too deep.
OutputSpecs PlannedOutputs(const BuiltGraph& graph, const Program& program);
OutputSpecs PlannedOutputs(const BuiltGraph& graph, const PlanningGraph& planned);

/// The outputs as the file records them: a free extent is -1, and the type is unknown if nothing is recorded. The graph
/// need not be one that can be built. Throws Error(kResource) if tuples nest too deep.
OutputSpecs RecordedOutputs(const BuiltGraph& graph);

/// The outputs of a graph whose inputs have free extents. Shapes are inferred for several trial extents, and an output
/// extent that varies is -1. If no trial extents suit the model, the result is RecordedOutputs. No outputs are
/// computed.
OutputSpecs OutputsForFreeInputs(const BuiltGraph& graph);

}  // namespace kuiper_infer
