// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/ir.h"
#include "operation/binder.hpp"
#include "planning/topology.hpp"

namespace kuiper_infer {

/// What the file says of an operator, except for its attributes and the type and rank of its output. Throws
/// Error(kArgument), which names the operator, for a parameter that no value can hold.
OperatorCall CallOf(const pnnx::Operator& op);

/// Translates every PNNX operator into a RuntimeOperator; the bytes of the attributes are moved, not copied. `warnings`
/// become those of RepairGraph. Throws Error(kGraph) on an inconsistent graph.
Operators TranslateGraph(pnnx::Graph& graph, std::vector<std::string>& warnings);

/// All operator types that have no layer, with the names of the operators that use them, in one text; empty if every
/// type is supported.
std::string UnsupportedOperators(const Operators& operators);

/// The operators between the named operands, as new operators that share the attributes. See RuntimeGraph::Subgraph.
Operators CutSubgraph(const Operators& operators, const std::vector<std::string>& input_operands,
                      const std::vector<std::string>& output_operands);

/// Writes operators as readable text, for RuntimeGraph::Dump.
void DumpOperators(const Operators& operators, std::ostream& stream);

}  // namespace kuiper_infer
