// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "kuiper_infer/data/tensor.hpp"
#include "kuiper_infer/runtime/build_options.hpp"
#include "operation/planning_context.hpp"
#include "planning/joint_program.hpp"
#include "planning/program.hpp"
#include "runtime/input_ranges.hpp"
#include "runtime/recent_programs.hpp"
#include "runtime/states/model_states.hpp"

namespace kuiper_infer {

using Tensors = std::vector<std::shared_ptr<Tensor<float>>>;

/// Makes the planning context of build options. A switch that the options leave unset is taken from the environment.
/// Throws Error(kArgument) if an option or an environment variable is wrong.
PlanningContext MakePlanningContext(const BuildOptions& options);

/// If methods are measured, takes the methods that earlier processes have chosen from the context's cache.
void ReadMeasurements(const PlanningContext& context);

/// What all runs of a graph share: its operators and the programs planned for them. Once sessions exist, the operators
/// and the names and specs of inputs don't change.
struct BuiltGraph {
  Operators operators;                ///< in file order
  Operators inputs;                   ///< in the order of their numbers (InputOperators)
  Operators outputs;                  ///< in the order of their numbers (OutputOperators)
  ModelStates states;                 ///< the outputs that are inputs of the next run
  Operators order;                    ///< in execution order
  std::string weights;                ///< a text that tells the weights apart; empty for graphs without files
  std::vector<std::string> warnings;  ///< what had to be guessed when the file was loaded
  BuildOptions options;
  PlanningContext context;  ///< made of the options when the file is loaded; a subgraph has its graph's context
  std::atomic<int> threads{0};
  std::atomic<int64_t> plans{0};  ///< made so far

  /// Sets the operators, and takes inputs and outputs from them.
  void SetOperators(Operators in_file_order);

  /// Makes the parameters of all operators visible in RuntimeOperator::params, those of operators that are set later
  /// too. Programs may look at a graph from several threads, while others run it or cut parts of it.
  void ShowParameters();
  bool shows_parameters() const;
  /// Allocates RuntimeOperand::datas of all operands in the recorded shapes, once. Only programs that look at the
  /// operators of a built graph need them.
  void AllocateTensors();
  /// Held while `params` or `datas` of the operators is written, which only programs read, and while `params` is read
  /// for a part of the graph or for a dump.
  std::mutex& parameters_mutex() const { return parameters_mutex_; }

  int used_threads(int wanted) const;

  /// The program for the inputs that `key` describes. The first call plans it, for the calling thread's number of
  /// threads. The last four programs are kept, and programs that runners hold. Safe to call from several threads. If
  /// key.any_length, the extents of growing inputs are -1 in the key; `lengths` are those of the next run, and the call
  /// throws OtherShape if no plan serves all lengths.
  std::shared_ptr<const Program> ProgramFor(const ProgramKey& key, const std::vector<int64_t>& lengths = {});

  /// The plan of several runs at once. The plans used last are kept. Safe to call from several threads.
  std::shared_ptr<const JointProgram> JointProgramFor(const std::vector<ProgramRuns>& runs);

  /// What the file says of the free extents of the inputs.
  const InputRanges& ranges() const { return ranges_; }

  /// Notes that no plan serves all lengths for these inputs, and logs the reason.
  void PlanEachLength(const ProgramKey& key, const std::string& reason);
  bool PlansEachLength(const ProgramKey& key) const;

  /// The spec of a state before the first run; a state that grows has no elements along its axis. Free extents follow
  /// from the extents of the inputs in `given`, whose entries of unknown type are ignored. Throws Error(kInput) if an
  /// extent is not known.
  TensorSpec FirstSpec(const StatePair& pair, const std::vector<TensorSpec>& given) const;

  /// A text that tells models apart.
  std::string Identity() const;

  /// Type and shape of a pnnx.Input as recorded; a free extent is -1. Throws Error(kGraph) if the operator has no
  /// output.
  static TensorSpec RecordedSpec(const RuntimeOperator& input);
  static bool IsStatic(const RuntimeOperator& input);

  /// The index of a name; throws Error(kInput) that lists the names there are.
  std::size_t FindInput(const std::string& name) const;
  std::size_t FindOutput(const std::string& name) const;
  /// The operand of that name; null if there is none.
  std::shared_ptr<RuntimeOperand> FindOperand(const std::string& name) const;

  /// Throws Error(kInput) if the array has a type or shape that the input cannot have.
  void CheckInput(std::size_t index, const NdArray& array) const;
  /// The array for an input given as one tensor per element along axis 0.
  NdArray FromTensors(std::size_t index, const Tensors& tensors) const;

 private:
  struct Entry {
    ProgramKey key;
    std::shared_ptr<const Program> program;
  };
  /// A program that a runner may hold.
  struct HeldProgram {
    ProgramKey key;
    std::weak_ptr<const Program> program;
  };
  /// The program of that key that a runner still holds, so that runners with the same inputs share one; or null.
  std::shared_ptr<const Program> FindHeld(const ProgramKey& key);
  using Numbers = std::unordered_map<std::string, std::size_t>;
  /// Names the inputs whose extents differ from the recorded ones, for messages about shapes. An export for one set of
  /// sizes holds constants wherever the network computed with sizes.
  std::string NameOtherSizes(const std::vector<TensorSpec>& given) const;
  static std::size_t Find(const Operators& among, const Numbers& numbers, const std::string& name, const char* what);

  InputRanges ranges_;
  Numbers input_numbers_;
  Numbers output_numbers_;
  mutable std::mutex parameters_mutex_;
  bool shows_parameters_ = false;
  bool has_tensors_ = false;
  std::vector<ProgramKey> planned_each_length_;
  mutable std::mutex mutex_;
  RecentPrograms<Entry> programs_;
  std::vector<HeldProgram> held_;
  std::deque<std::shared_ptr<const JointProgram>> joint_;  ///< the most recent one first
};

}  // namespace kuiper_infer
