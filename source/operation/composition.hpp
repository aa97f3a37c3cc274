// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "operation/operation.hpp"

namespace kuiper_infer {

/// An argument of a call, which converts from all types that calls are written with: a number, a text, a list of
/// integers, an element type, an array, a list of arrays, or an argument of the outer call.
struct CallArgument : Argument {
  // NOLINTBEGIN(google-explicit-constructor): calls are written without naming the type.
  CallArgument() = default;
  CallArgument(Argument argument) : Argument(std::move(argument)) {}
  CallArgument(TensorArgument tensor) : Argument{std::move(tensor)} {}
  CallArgument(const std::vector<TensorArgument>& tensors) : Argument{List(tensors.size())} {
    std::transform(tensors.begin(), tensors.end(), std::get<List>(value).begin(),
                   [](const TensorArgument& tensor) { return Argument{tensor}; });
  }
  CallArgument(Value known) : Argument{std::move(known)} {}
  CallArgument(bool known) : Argument{Value(known)} {}
  CallArgument(int known) : Argument{Value(known)} {}
  CallArgument(int64_t known) : Argument{Value(known)} {}
  CallArgument(double known) : Argument{Value(known)} {}
  CallArgument(const char* known) : Argument{Value(known)} {}
  CallArgument(const std::vector<int64_t>& known) : Argument{Value(Value::List(known.begin(), known.end()))} {}
  CallArgument(RuntimeDataType type) : Argument{Value(std::string("torch.") + TypeName(type))} {}
  // NOLINTEND(google-explicit-constructor)
};
using CallArguments = std::map<std::string, CallArgument>;

/// Builds the plan of an operation out of other operations. Each Call plans an operation whose inputs are arrays of the
/// outer call or results of earlier calls; these results live in the workspace. The resulting plan allocates a few
/// small vectors in each run, so it is meant for rare operations.
class Composition {
 public:
  /// `outer` must outlive this object, not the plan.
  explicit Composition(const Arguments& outer);

  /// The first output of operation `type` on named arguments. A list under the empty name gives inputs without names.
  /// Throws what planning the operation throws.
  TensorArgument Call(const std::string& type, const CallArguments& arguments);
  /// All outputs of operation `type`, for operations with several.
  std::vector<TensorArgument> CallAll(const std::string& type, const CallArguments& arguments, int outputs);

  /// The first output of a plan that `make` makes. `make` gets the arrays, numbered anew from 0; they may be strided.
  TensorArgument Apply(const std::vector<TensorArgument>& arrays,
                       const std::function<OperationPlan(const std::vector<TensorArgument>&)>& make);

  /// An array that is known when planning.
  TensorArgument Constant(const NdArray& array);

  /// The view x[start : end] along an axis.
  TensorArgument Slice(const TensorArgument& x, int64_t axis, int64_t start, int64_t end);

  /// The array x in another element type; x itself if it has that type.
  TensorArgument Convert(const TensorArgument& x, RuntimeDataType type);

  /// A plan with these results as its outputs.
  OperationPlan Finish(const std::vector<TensorArgument>& results);

  const Arguments& outer() const { return outer_; }

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
  /// Adds the call of a plan on arrays and constants. The constants are numbered after the arrays.
  std::vector<TensorArgument> AddStep(const OperationPlan& plan, const std::vector<TensorArgument>& arrays,
                                      const std::vector<TensorArgument>& constants);
  /// The array itself if it is row-major, otherwise a row-major copy.
  TensorArgument Contiguous(const TensorArgument& tensor);

  const Arguments& outer_;
  std::vector<Place> results_;
  std::vector<Step> steps_;
  int64_t bytes_ = 0;
  int64_t scratch_bytes_ = 0;
  double multiply_adds_ = 0;
};

}  // namespace kuiper_infer
