// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "planning/planning_graph.hpp"
#include "runtime/built_graph.hpp"

namespace kuiper_infer {

/// Element types and shapes of the arrays of each output of a model. An output that is a tuple or list has several
/// arrays, nested ones flattened depth first, as a run gives them.
using OutputSpecs = std::vector<std::vector<TensorSpec>>;

/// The outputs for the input shapes that a program or a graph was planned for. An array that only a run tells is as the
/// file records it, with extents of -1 where its shape depends on contents; its type is unknown where the file records
/// nothing. Throws Error(kResource) where tuples nest too deep.
OutputSpecs PlannedOutputs(const BuiltGraph& graph, const Program& program);
OutputSpecs PlannedOutputs(const BuiltGraph& graph, const PlanningGraph& planned);

/// The outputs by what the file records alone: -1 where an extent is free, of unknown type where nothing is recorded.
/// Needs no graph that can be built. Throws as above.
OutputSpecs RecordedOutputs(const BuiltGraph& graph);

/// The outputs of a graph whose inputs have free extents: what the operators make of several trial extents is compared,
/// and extents that vary are -1. Where no trial extents suit the model, this is RecordedOutputs. Computes no outputs.
OutputSpecs OutputsForFreeInputs(const BuiltGraph& graph);

}  // namespace kuiper_infer
