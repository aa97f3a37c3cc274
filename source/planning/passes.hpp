// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation/planning_context.hpp"
#include "planning/planning_graph.hpp"

namespace kuiper_infer {

/// Passes over a planning graph, each in a file of its name. A pass does not depend on the order of the nodes in the
/// graph, and leaves a graph from which correct calls can be made.

/// Fuses an addition of two arrays or an activation into the node that computes their input, if nothing else reads that
/// input: a convolution or a linear layer does this work while its result is in registers.
void FuseIntoProducers(PlanningGraph& graph, const PlanningContext& context);

/// Lets nodes write the inputs of a concatenation along the channels directly into its result, if they can leave gaps
/// between pixels. Nodes that read these arrays are bound again, because the strides have changed.
void PlaceJoined(PlanningGraph& graph, const PlanningContext& context);

/// Sets PlannedArray::grid of arrays whose elements all lie on one grid: results that are rounded to it, and results of
/// value-preserving nodes whose inputs lie on it.
void FindGrids(PlanningGraph& graph, const PlanningContext& context);

/// Chooses the method of each convolution.
void ChooseMethods(PlanningGraph& graph, const PlanningContext& context);

/// Fuses a multiplication of whole channels (squeeze and excitation) into the 1x1 convolution that reads its result.
void FuseFactors(PlanningGraph& graph, const PlanningContext& context);

/// Stores an array on a grid as bytes if all nodes that write or read it can do that. Stores an array as bfloat16 if
/// every reader would round it to bfloat16 and its writers can produce bfloat16.
void ChooseStorage(PlanningGraph& graph, const PlanningContext& context);

/// Makes one node of two or three successive convolutions, which never writes the whole image between them.
void ChainConvolutions(PlanningGraph& graph, const PlanningContext& context);

/// Makes one node of successive element-wise nodes.
void FuseElementwise(PlanningGraph& graph, const PlanningContext& context);

/// Removes nodes whose results nothing reads.
void DropDead(PlanningGraph& graph, const PlanningContext& context);

struct Pass {
  const char* name;
  void (*run)(PlanningGraph& graph, const PlanningContext& context);
  /// When the pass runs: always; unless every operand has to be kept; or, in addition, only if PlanningContext::fuses
  /// or PlanningContext::places is set.
  enum class Needs { kNothing, kUnkeptOperands, kFusion, kPlacement } needs;
};

/// All passes after Inference, in the order in which they run.
const std::vector<Pass>& Passes();

/// Plans the operators (in execution order) for inputs of the given specs. If `keep_all`, every array gets memory of
/// its own and nothing is fused, so that all operands can be read after a run. Otherwise operators are left out if no
/// output depends on them. Throws Error that names the operator whose arguments don't fit.
Program PlanProgram(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                    const PlanningContext& context);

/// The graph before any pass: the outputs of each operator, and the calls of operators without a Computation.
PlanningGraph InferGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                         const PlanningContext& context);

/// The graph after all passes.
PlanningGraph PlanGraph(const Operators& order, const std::vector<TensorSpec>& inputs, bool keep_all,
                        const PlanningContext& context);

/// Makes the calls, one step for each node that is alive, in the order of their positions.
Program EmitProgram(PlanningGraph graph, const PlanningContext& context);

/// Places arrays such that arrays which are alive at different steps share memory; if `keep_all`, each gets its own.
/// Throws Error(kResource) if the machine does not have enough memory.
void ShareMemory(Program& program, bool keep_all);

/// The bytes of the arena that are in use during each step: arrays that this or a later step reads, arrays that the
/// step writes, and its scratch memory. For programs that were planned without `keep_all`.
std::vector<int64_t> LiveBytesBySteps(const Program& program);

}  // namespace kuiper_infer
