// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../data/ndarray.hpp"
#include "../data/tensor_fwd.hpp"
#include "build_options.hpp"
#include "ir.h"
#include "run_options.hpp"
#include "runtime_op.hpp"
#include "session.hpp"

namespace kuiper_infer {

/// A model: loaded from the converter's two files (or built in code), linked and planned once, run many times.
///
///     RuntimeGraph graph("resnet18.pnnx.param", "resnet18.pnnx.bin");
///     graph.Build("pnnx_input_0", "pnnx_output_0");
///     std::vector<sftensor> outputs = graph.Forward({image});      // one tensor per image
///
/// Init reports failure by its result and the log; every other call throws Error. A graph is used by one thread at a
/// time; different graphs are independent. For runs by several threads at once, make a Session for each.
class RuntimeGraph {
 public:
  enum class GraphState { NeedInit = -2, NeedBuild = -1, Complete = 0 };

  RuntimeGraph(std::string param_path, std::string bin_path);
  /// A model built in code, or a loaded one that was changed. Weights are moved out of the graph by Init.
  explicit RuntimeGraph(std::unique_ptr<pnnx::Graph> graph);
  /// A model from the contents of its two files. Both are read at once: neither is needed after the call. Throws
  /// Error(kFile) and Error(kResource), which the constructors leave to Init and Build.
  static RuntimeGraph FromMemory(std::string_view param_text, std::string_view bin_bytes,
                                 const BuildOptions& options = {});
  ~RuntimeGraph();
  RuntimeGraph(RuntimeGraph&&) noexcept;
  RuntimeGraph& operator=(RuntimeGraph&&) noexcept;

  /// Sets the file that the next Init reads the network from.
  void set_param_path(const std::string& param_path);
  /// Sets the file that the next Init reads the weights from.
  void set_bin_path(const std::string& bin_path);
  const std::string& param_path() const;
  const std::string& bin_path() const;

  /// Reads the files and translates every operator. On any failure it returns false: the state is unchanged, and the
  /// reason is logged and kept in last_error().
  bool Init();
  /// Why the last Init returned false; empty if none did.
  const std::string& last_error() const;

  /// Links and sorts the operators and creates the layers. If the recorded input shapes are static, plans for them and
  /// allocates; if a state grows and there is one other input, plans for one token, or frame. Calls Init if needed. The
  /// names are those of the pnnx.Input and pnnx.Output operators that Forward(inputs) uses. Throws Error; a second call
  /// does nothing.
  void Build(const std::string& input_name, const std::string& output_name);
  /// Builds the graph; Forward(inputs) then uses its first pnnx.Input and its first pnnx.Output.
  void Build();

  GraphState graph_state() const;

  // --- Running, classic: one tensor per element along axis 0, cube order -------------------------------------------

  /// Runs a model with one input and returns the output chosen in Build. If that output is a tuple, the tensors of its
  /// arrays follow each other. If `debug`, the run logs the time of each operator and keeps every operand's value in
  /// RuntimeOperand::datas.
  std::vector<std::shared_ptr<Tensor<float>>> Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                                                      bool debug = false);
  /// Copies the tensors into an input of the next runs. Throws Error for an unknown name and for wrong shapes.
  void set_inputs(const std::string& input_name, const std::vector<std::shared_ptr<Tensor<float>>>& inputs);
  /// Runs on the inputs set.
  void Forward(bool debug = false);
  /// Copies of the tensors of an output after a run.
  std::vector<std::shared_ptr<Tensor<float>>> get_outputs(const std::string& output_name) const;

  // --- Running on arrays of any rank and type, row-major -----------------------------------------------------------

  /// A state (see Session): an output that is an input of the next run.
  struct State {
    std::string input;   ///< name of the input
    std::string output;  ///< name of the output, "NAME.0", "NAME.1" and so on if it is an item of a tuple
    TensorSpec spec;     ///< as recorded in the file; -1 where the extent is free
    int64_t axis = -1;   ///< the axis along which it grows; -1 if it is replaced in each run
    int64_t window = 0;  ///< the most elements that it keeps along the axis; 0 if it keeps all
    /// The most elements that it may have along the axis, by the file and by BuildOptions::max_state_length; 0 if there
    /// is no limit, as for a state with a window.
    int64_t max_length = 0;
    /// The element type in which sessions keep it: the one of `spec`, or that of BuildOptions::state_type.
    RuntimeDataType kept = RuntimeDataType::kTypeUnknown;
  };
  /// The states, in the order of the inputs. They are not among input_names(), output_names(), output_specs() and
  /// outputs(). A run of the graph continues them, as a run of a session does.
  std::vector<State> states() const;
  /// Copies of the states of the graph's own runs, and back to such copies: see Session::Snapshot and Session::Restore.
  StateSnapshot SnapshotStates() const;
  void RestoreStates(const StateSnapshot& snapshot);
  /// Outputs that are an input with new elements behind it, and no states: a program may have meant them as states.
  std::vector<State> proposed_states() const;

  /// The names of the pnnx.Input operators that are no states, in the order of their numbers.
  std::vector<std::string> input_names() const;
  /// The names of the pnnx.Output operators that hold more than states, in the order of their numbers.
  std::vector<std::string> output_names() const;
  /// Element type and shape of an input as recorded in the file; -1 where the extent is free.
  TensorSpec input_spec(const std::string& input_name) const;
  /// Element types and shapes of the arrays of one output, which are several if it is a tuple or list, as planned last
  /// by Build, Run or InferShapes. If nothing is planned yet because an input's extent is free, output extents that
  /// depend on it are -1. Before Build, and for an array whose shape depends on contents (nonzero), the spec is as the
  /// file records it, with -1 for extents that depend on contents. If the file records nothing, the type is unknown.
  std::vector<TensorSpec> output_specs(const std::string& output_name) const;
  /// Sets an input of the next runs. If `array` is contiguous, Run reads it in place: its memory must stay valid.
  /// Throws Error(kInput) for an unknown name and for a wrong type or shape.
  void set_input(const std::string& input_name, const NdArray& array);
  /// Runs on the inputs set. Shapes without a plan are planned first; the last four plans are kept. Throws Error; after
  /// it the graph can be used again.
  void Run(const RunOptions& options = {});
  /// Copies of the arrays of all outputs, tuples and lists flattened in order. They are row-major, and later runs don't
  /// change them.
  std::vector<NdArray> outputs() const;

  /// A session for runs in another thread, while this graph and other sessions run. Once the graph is built, several
  /// threads may call this at once.
  Session NewSession() const;

  // --- Looking inside ----------------------------------------------------------------------------------------------

  /// All operators in file order.
  const std::vector<std::shared_ptr<RuntimeOperator>>& operators() const;
  /// All operators in execution order (after Build).
  const std::vector<std::shared_ptr<RuntimeOperator>>& get_topo_queues() const;
  /// Whether there is a pnnx.Input operator of that name.
  bool is_input_op(const std::string& op_name) const;
  /// Whether there is a pnnx.Output operator of that name.
  bool is_output_op(const std::string& op_name) const;

  /// An operand by its name in the file; null if there is none.
  std::shared_ptr<RuntimeOperand> find_operand(const std::string& operand_name) const;
  /// A copy of an operand's array: of any operand after Forward(debug = true), of inputs and outputs after any run.
  /// Throws Error(kInput) for an unknown name and for an operand that holds no array.
  NdArray operand_array(const std::string& operand_name) const;
  /// Whether an operand holds an array after Forward(debug = true), rather than a number or a list.
  bool holds_array(const std::string& operand_name) const;

  /// Infers all shapes for other input shapes, given by input name, and stores them in the operands. Inputs that are
  /// not named keep the recorded shape. Throws Error that names the operator which does not allow these shapes.
  void InferShapes(const std::map<std::string, Shape>& input_shapes);

  /// The operators between the named operands as a graph of its own (state NeedBuild) that shares the weights. Its
  /// inputs are pnnx.Input operators named pnnx_input_0, pnnx_input_1 and so on, in the order given. Throws
  /// Error(kGraph) if an output depends on an operand that is neither given nor computed from given ones.
  std::unique_ptr<RuntimeGraph> Subgraph(const std::vector<std::string>& input_operands,
                                         const std::vector<std::string>& output_operands) const;

  /// A second graph of the same operators, which shares the weights. It is built, and has inputs, shapes and results of
  /// its own, so that a program can look inside it while sessions run. Once this graph is built, several threads may
  /// call this at once.
  std::unique_ptr<RuntimeGraph> Duplicate() const;

  /// Writes operators, operands, shapes and parameters as readable text.
  void Dump(std::ostream& stream) const;

  /// Figures about the plan for the shapes used last.
  struct Report {
    int64_t parameters = 0;             ///< number of weights
    int64_t weight_bytes = 0;           ///< memory of the weights, packed forms included
    double multiply_adds = 0;           ///< per run
    int64_t planned_bytes = 0;          ///< arena of a run: arrays and scratch memory
    int64_t largest_live_bytes = 0;     ///< most bytes of arrays alive at the same time: a lower bound of the arena
    bool planned = false;               ///< false: an input shape is not known yet
    int64_t plans = 0;                  ///< plans made so far, by this graph and its sessions
    std::vector<std::string> warnings;  ///< guesses at what the file means, shapes other than the recorded ones
    /// What a pass of planning left.
    struct Pass {
      std::string name;
      int64_t steps = 0;
      int64_t copies = 0;  ///< steps that only copy
      int64_t bytes = 0;   ///< bytes that the steps write
    };
    std::vector<Pass> passes;  ///< in the order in which they ran; empty before planning
  };
  Report report() const;

  /// An interval in which a thread worked on a step or waited.
  struct ThreadSpan {
    enum class Kind {
      kAlone,    ///< the calling thread works without helpers
      kShared,   ///< a thread works on its part of work that several threads share
      kWaiting,  ///< the calling thread waits for helpers to finish their parts
    };
    int thread = 0;  ///< 0: the calling thread; helpers are numbered from 1 on
    Kind kind = Kind::kAlone;
    double start = 0;  ///< seconds since the run's start
    double seconds = 0;
  };
  /// One step of a run: an operator, or a copy of an array into the layout that an operator needs.
  struct StepProfile {
    std::string name;            ///< name of the operator
    std::string type;            ///< type of the operator, or "layout copy"
    std::string method;          ///< the algorithm, if there is a choice
    Shape output;                ///< shape of the first output
    double start = 0;            ///< seconds since the run's start
    double seconds = 0;          ///< duration of the step
    double multiply_adds = 0;    ///< 0 for operators whose time does not depend on them
    double bytes = 0;            ///< bytes that the step has to read and write, each counted once
    int64_t live_bytes = 0;      ///< bytes of the arena in use: arrays that are still needed, and scratch memory
    bool channels_last = false;  ///< whether all channels of a pixel lie side by side in the first output
    /// The element type of the first output in memory: a float32 array may be stored as bytes or bfloat16.
    RuntimeDataType stored = RuntimeDataType::kTypeUnknown;
    std::vector<ThreadSpan> threads;  ///< filled by Profile(true); the calling thread's intervals cover the step
  };
  /// Runs on the inputs set, like Run, and returns the steps in order. If `threads`, the result also tells what each
  /// thread did.
  std::vector<StepProfile> Profile(bool threads = false, const RunOptions& options = {});

  /// Sets the number of threads that Build, Forward and Run use. 0 (the default) means OpenMP's number if the program
  /// or OMP_NUM_THREADS has set one, otherwise one thread for each core that the process may use, by its CPU mask and
  /// its control group's quota.
  void set_num_threads(int count);

  /// Sets how the model is loaded and planned. Throws Error(kState) after Init or Build.
  void set_build_options(const BuildOptions& options);

  /// Creates the layer of one operator through the registry.
  static std::shared_ptr<templates::Layer<float>> CreateLayer(const std::shared_ptr<RuntimeOperator>& op);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

using GraphState = RuntimeGraph::GraphState;

}  // namespace kuiper_infer
