// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "layer/abstract/operation.hpp"

namespace kuiper_infer {

/// Builds the plan of an operation out of other operations: each Call plans one on the outer call's arrays and on
/// results of former calls, which live in the workspace. The plan that comes out allocates a few small vectors in each
/// run: it is meant for rare operations.
class Composition {
 public:
  /// `outer` must outlive this object, not the plan.
  explicit Composition(const Arguments& outer);

  /// The first output of operation `type` on named arguments; a list under the empty name gives inputs without names.
  /// Throws what planning it throws, under the outer
  /// operator's name.
  TensorArgument Call(const std::string& type, const std::map<std::string, Argument>& arguments);
  /// All outputs, for operations with several.
  std::vector<TensorArgument> CallAll(const std::string& type, const std::map<std::string, Argument>& arguments,
                                      int outputs);

  /// The first output of a plan that `make` makes for these arrays (renumbered for it), which may be strided.
  TensorArgument Apply(const std::vector<TensorArgument>& arrays,
                       const std::function<OperationPlan(const std::vector<TensorArgument>&)>& make);

  /// A plan with these results as its outputs.
  OperationPlan Finish(const std::vector<TensorArgument>& results);

 private:
  /// Where an array begins: an input of the outer call, a constant of a step, or the workspace.
  struct Place {
    int input = -1;
    int64_t offset = 0;  ///< bytes
    NdArray constant;
  };
  struct Step {
    std::function<void(const RunContext&)> run;
    std::vector<Place> inputs;
    std::vector<TensorSpec> input_specs;
    std::vector<int64_t> outputs;  ///< places in the workspace
    std::vector<TensorSpec> output_specs;
  };
  Place PlaceOf(const TensorArgument& tensor) const;
  TensorArgument AddResult(Place place, const TensorSpec& spec);
  int64_t Reserve(int64_t bytes);
  /// Adds the call of a plan on arrays and constants (numbered behind them).
  std::vector<TensorArgument> AddStep(OperationPlan plan, const std::vector<TensorArgument>& arrays,
                                      const std::vector<NdArray>& constants);
  /// The array, copied into row-major order where it is not.
  TensorArgument Contiguous(const TensorArgument& tensor);

  const Arguments& outer_;
  std::vector<Place> results_;
  std::vector<Step> steps_;
  int64_t bytes_ = 0;
  int64_t scratch_bytes_ = 0;
  double multiply_adds_ = 0;
};

}  // namespace kuiper_infer
