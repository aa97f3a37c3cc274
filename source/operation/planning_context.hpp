// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "utils/system/cpu_info.hpp"

namespace kuiper_infer {

namespace kernel {
class MethodMeasurements;
}

class CacheFile;
class MemoryBudget;
class PackedWeights;

/// What plans depend on besides operators, arguments and shapes. A graph makes its context from its BuildOptions
/// (runtime/built_graph.hpp); the planner hands it on, and every plan function finds it in Arguments::context().
struct PlanningContext {
  int threads = 1;                 ///< number of threads of the planned runs; scratch memory is sized for them
  Units units = UsedUnits();       ///< the units of the CPU that kernels of products may use
  std::string convolution_method;  ///< the method of all convolutions that it suits; empty: each gets its best method
  bool fuses = true;               ///< whether operators are fused into the operators whose results they read
  bool places = true;              ///< whether operators write the inputs of a concatenation directly into its result
  /// Whether the lengths of states change from run to run. Operations that can do so (KernelCall::reads_specs) then
  /// take the extents of their inputs from each run instead of the plan.
  bool free_lengths = false;
  int pieces = 0;  ///< number of bfloat16 pieces of a product's factors, if they are faster than float32; 0: float32
  std::shared_ptr<MemoryBudget> budget;   ///< the memory that the model may take; null: no limit
  std::shared_ptr<PackedWeights> packed;  ///< packed weights that the model's plans share; null: plans share none
  std::shared_ptr<CacheFile> cache;       ///< the file of packed weights of earlier processes; null: none
  std::shared_ptr<kernel::MethodMeasurements> measurements;  ///< choose convolution methods; null: estimates do

  /// Whether float32 arrays may be stored as bfloat16, rounded. They may if products round to bfloat16 and the CPU
  /// multiplies bfloat16, so that there are kernels for it.
  bool StoresBFloat16() const { return pieces == 1 && units.bfloat16 != MatrixUnit::kNone; }

  /// Returns a copy for planning on this thread: parallel regions during planning use as many threads as runs will.
  PlanningContext Here() const;
};

/// The value of PlanningContext::convolution_method for an option or variable `name`: empty for "auto" and "". Throws
/// Error(kArgument) that begins with `origin` if there is no method of that name.
std::string CheckedConvolutionMethod(const std::string& name, const std::string& origin);

/// A context with the environment's switches and one thread. Throws Error(kArgument) if an environment variable is
/// wrong.
PlanningContext EnvironmentContext();

/// The context of operators that no graph plans, such as a layer that a program calls: the caller's threads, the
/// environment's switches, no limit of memory. Throws Error(kArgument) if an environment variable is wrong.
PlanningContext DefaultPlanningContext();

}  // namespace kuiper_infer
