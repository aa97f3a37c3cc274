// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "kuiper_infer/data/tensor.hpp"
#include "kuiper_infer/runtime/build_options.hpp"
#include "operation/planning_context.hpp"
#include "planning/program.hpp"
#include "runtime/recent_programs.hpp"

namespace kuiper_infer {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

/// The context that options stand for, with the environment's switches where they set none. Throws Error(kArgument)
/// where one of either is wrong.
PlanningContext MakePlanningContext(const BuildOptions& options);

/// Takes over what the context's cache says of measured methods, where methods are measured.
void ReadMeasurements(const PlanningContext& context);

/// What all runs of a graph share: its operators and the programs planned for them. Operators and the names and specs
/// of inputs don't change once sessions exist.
struct BuiltGraph {
  Operators operators;  ///< in file order
  Operators inputs;     ///< as their users number them
  Operators outputs;
  Operators order;                    ///< of execution
  std::vector<std::string> warnings;  ///< what had to be guessed when the file was loaded
  BuildOptions options;
  PlanningContext context;  ///< made of the options when the file is loaded; a subgraph has that of its whole
  std::atomic<int> threads{0};

  /// Sets the operators, and with them inputs and outputs.
  void SetOperators(Operators in_file_order);

  int used_threads(int wanted) const;

  /// The program for such inputs: planned by the first who asks, for that one's threads, kept for a while. Safe to call
  /// from several threads.
  std::shared_ptr<const Program> ProgramFor(const ProgramKey& key);

  /// Type and shape of a pnnx.Input as recorded, -1 where the extent is free. Throws Error(kGraph) where it has no
  /// output.
  static TensorSpec RecordedSpec(const RuntimeOperator& input);
  static bool IsStatic(const RuntimeOperator& input);

  /// The index of a name; throws Error(kInput) that lists the names there are.
  std::size_t FindInput(const std::string& name) const;
  std::size_t FindOutput(const std::string& name) const;
  /// The operand of that name; null when there is none.
  std::shared_ptr<RuntimeOperand> FindOperand(const std::string& name) const;

  /// Throws Error(kInput) where the input cannot be that array.
  void CheckInput(std::size_t index, const NdArray& array) const;
  /// The array for an input given as one tensor per element along axis 0.
  NdArray FromTensors(std::size_t index, const Tensors& tensors) const;

 private:
  struct Entry {
    ProgramKey key;
    std::shared_ptr<const Program> program;
  };
  using Numbers = std::unordered_map<std::string, std::size_t>;
  /// Which inputs have other extents than the file records, for messages about shapes. An export for one set of sizes
  /// holds constants wherever the network computed with them.
  std::string NameOtherSizes(const std::vector<TensorSpec>& given) const;
  static std::size_t Find(const Operators& among, const Numbers& numbers, const std::string& name, const char* what);

  Numbers input_numbers_;
  Numbers output_numbers_;
  std::mutex mutex_;
  RecentPrograms<Entry> programs_;
};

}  // namespace kuiper_infer
