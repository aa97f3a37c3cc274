// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "utils/cpu_info.hpp"

namespace kuiper_infer {

namespace kernel {
class MethodMeasurements;
}

class CacheFile;
class MemoryBudget;
class PackedWeights;

/// What plans depend on beside operators, arguments and shapes. A graph makes it of its BuildOptions
/// (runtime/built_graph.hpp); the planner hands it on, and every plan function finds it in Arguments::context().
struct PlanningContext {
  int threads = 1;                 ///< of the runs that are planned: sizes of scratch memory follow from it
  Units units = UsedUnits();       ///< for which kernels of products are chosen
  std::string convolution_method;  ///< forced where it suits (see kernel::MethodChoice); empty: chosen
  bool fuses = true;               ///< operators are joined with those in front of them
  bool places = true;              ///< what a concatenation reads is written into its result at once
  /// The lengths of states change from run to run: operations that can do so (KernelCall::reads_specs) read extents of
  /// their inputs at the run.
  bool free_lengths = false;
  int pieces = 0;  ///< bfloat16 numbers that stand for each factor of a product, where that is faster; 0: float32
  std::shared_ptr<MemoryBudget> budget;   ///< what the model may take; null: no limit
  std::shared_ptr<PackedWeights> packed;  ///< the weights that the model's plans share; null: plans share none
  std::shared_ptr<CacheFile> cache;       ///< what earlier processes have left; null: nothing
  std::shared_ptr<kernel::MethodMeasurements> measurements;  ///< choose methods of convolutions; null: estimates do

  /// Whether arrays of float32 may be stored as bfloat16, rounded: the CPU multiplies such numbers, so that kernels for
  /// them are there.
  bool StoresBFloat16() const { return pieces == 1 && units.bfloat16 != MatrixUnit::kNone; }

  /// The context for plans of the calling thread, whose parallel regions have as many threads as the runs will.
  PlanningContext Here() const;
};

/// The method that the name stands for in PlanningContext: none for "auto" and "". Throws Error(kArgument) that begins
/// with `origin` for a name that is no method's.
std::string CheckedConvolutionMethod(const std::string& name, const std::string& origin);

/// A context with the environment's switches and one thread. Throws Error(kArgument) where an environment variable is
/// wrong.
PlanningContext EnvironmentContext();

/// The context of operators that no graph plans, such as a layer that a program calls: the caller's threads, the
/// environment's switches, no limit of memory. Throws Error(kArgument) where an environment variable is wrong.
PlanningContext DefaultPlanningContext();

}  // namespace kuiper_infer
