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

  void set_param_path(const std::string& param_path);
  void set_bin_path(const std::string& bin_path);
  const std::string& param_path() const;
  const std::string& bin_path() const;

  /// Reads the files and translates every operator. False on any failure: the state is unchanged, the reason is logged
  /// and kept in last_error().
  bool Init();
  const std::string& last_error() const;

  /// Links, sorts, creates the layers, plans for the recorded input shapes (where they are static) and allocates.
  /// Calls Init if needed. The names are those of the pnnx.Input and pnnx.Output operators that
  /// Forward(inputs) uses. A second call does nothing.
  void Build(const std::string& input_name, const std::string& output_name);
  /// Builds with the first input and the first output as those of Forward.
  void Build();

  GraphState graph_state() const;

  // --- Running, classic: one tensor per element along axis 0, cube order -------------------------------------------

  /// Runs a model with one input and returns the output chosen in Build (all its arrays, one after the other, when it
  /// is a tuple). `debug` logs the time of each operator and keeps every operand's value in RuntimeOperand::datas.
  std::vector<std::shared_ptr<Tensor<float>>> Forward(const std::vector<std::shared_ptr<Tensor<float>>>& inputs,
                                                      bool debug = false);
  void set_inputs(const std::string& input_name, const std::vector<std::shared_ptr<Tensor<float>>>& inputs);
  void Forward(bool debug = false);
  std::vector<std::shared_ptr<Tensor<float>>> get_outputs(const std::string& output_name) const;

  // --- Running on arrays of any rank and type, row-major -----------------------------------------------------------

  std::vector<std::string> input_names() const;
  std::vector<std::string> output_names() const;
  /// Element type and shape of an input as recorded in the file; -1 where the extent is free.
  TensorSpec input_spec(const std::string& input_name) const;
  /// Element types and shapes of the arrays of one output, several where it is a tuple or list, as planned last (by
  /// Build, Run or InferShapes). Where an input's extent is free, nothing is planned before one of these calls: extents
  /// that then depend on it are -1. An array that only a run tells, and any array before Build, is as the file records
  /// it, with extents of -1 where the shape depends on contents (nonzero); its type is unknown where the file records
  /// nothing.
  std::vector<TensorSpec> output_specs(const std::string& output_name) const;
  /// Sets an input of the next runs. `array` is read in place by Run, not copied, where it is contiguous.
  void set_input(const std::string& input_name, const NdArray& array);
  /// Runs on the inputs set. Other shapes than the last ones are planned first; a few plans are kept. After an error
  /// the graph can be used again.
  void Run(const RunOptions& options = {});
  /// The arrays of all outputs, tuples and lists flattened in order. Copies: later runs don't change them.
  std::vector<NdArray> outputs() const;

  /// A session for runs beside this graph's own, in other threads. Safe to call from several threads once the graph is
  /// built.
  Session NewSession() const;

  // --- Looking inside ----------------------------------------------------------------------------------------------

  /// All operators in file order.
  const std::vector<std::shared_ptr<RuntimeOperator>>& operators() const;
  /// All operators in execution order (after Build).
  const std::vector<std::shared_ptr<RuntimeOperator>>& get_topo_queues() const;
  bool is_input_op(const std::string& op_name) const;
  bool is_output_op(const std::string& op_name) const;

  /// An operand by its name in the file; null when there is none.
  std::shared_ptr<RuntimeOperand> find_operand(const std::string& operand_name) const;
  /// Copy of an operand's array after Forward(debug = true) or of any output and input. Throws Error(kInput) for an
  /// unknown name or an operand that holds no array.
  NdArray operand_array(const std::string& operand_name) const;
  /// Whether an operand holds an array after Forward(debug = true), rather than a number or a list.
  bool holds_array(const std::string& operand_name) const;

  /// Infers all shapes for other input sizes (by input name; the rest as recorded) and stores them in the operands.
  /// Throws Error naming the operator that does not allow them.
  void InferShapes(const std::map<std::string, Shape>& input_shapes);

  /// The part between the named operands as a graph of its own (state NeedBuild) that shares the weights. Its inputs
  /// are pnnx.Input operators named pnnx_input_0, ... in the order given. Throws Error(kGraph) when an output depends
  /// on something not given.
  std::unique_ptr<RuntimeGraph> Subgraph(const std::vector<std::string>& input_operands,
                                         const std::vector<std::string>& output_operands) const;

  /// Another graph of the same operators up to the outputs, which shares the weights; built, with inputs, shapes and
  /// results of its own. Serves to look inside while sessions run, and may be called by several threads once the graph
  /// is built.
  std::unique_ptr<RuntimeGraph> Duplicate() const;

  /// Writes operators, operands, shapes and parameters as readable text.
  void Dump(std::ostream& stream) const;

  /// Figures about the plan for the shapes used last.
  struct Report {
    int64_t parameters = 0;             ///< number of weights
    int64_t weight_bytes = 0;           ///< that weights take in memory, those packed for kernels included
    double multiply_adds = 0;           ///< per run
    int64_t planned_bytes = 0;          ///< of arrays and scratch, placed together
    int64_t largest_live_bytes = 0;     ///< of arrays: no plan needs less
    bool planned = false;               ///< false: an input shape is not known yet
    std::vector<std::string> warnings;  ///< guesses at what the file means, shapes unlike its own
    /// What each pass of planning left: steps, such of them that only copy, and the bytes that steps write.
    struct Pass {
      std::string name;
      int64_t steps = 0;
      int64_t copies = 0;
      int64_t bytes = 0;
    };
    std::vector<Pass> passes;  ///< in the order in which they ran; empty before planning
  };
  Report report() const;

  /// A time in which a thread computed at a step or waited.
  struct ThreadSpan {
    enum class Kind {
      kAlone,    ///< the calling thread, no helper beside it
      kShared,   ///< a thread's part of work that several threads shared
      kWaiting,  ///< the calling thread, until helpers had finished their parts
    };
    int thread = 0;  ///< 0: the calling one; helpers are numbered from 1 on
    Kind kind = Kind::kAlone;
    double start = 0;  ///< seconds since the run's start
    double seconds = 0;
  };
  /// One step of a run: an operator, or a copy that brings an array into the layout which an operator reads.
  struct StepProfile {
    std::string name;            ///< of the operator
    std::string type;            ///< of the operator, or "layout copy"
    std::string method;          ///< how it is computed, where there is a choice
    Shape output;                ///< shape of the first output
    double start = 0;            ///< seconds since the run's start
    double seconds = 0;          ///< of the step
    double multiply_adds = 0;    ///< 0 where they don't matter
    double bytes = 0;            ///< that the step reads and writes at least once
    int64_t live_bytes = 0;      ///< of the planned memory: arrays needed then or later, and scratch
    bool channels_last = false;  ///< all channels of a pixel lie side by side in the first output
    /// What the first output consists of in memory: floats may be stored as bytes or bfloat16 numbers.
    RuntimeDataType stored = RuntimeDataType::kTypeUnknown;
    std::vector<ThreadSpan> threads;  ///< where Profile was asked for them; those of the calling thread cover the step
  };
  /// Runs on the inputs set, like Run, and gives the steps in order, with `threads` also what each thread did.
  std::vector<StepProfile> Profile(bool threads = false);

  /// Threads that Build, Forward and Run use. 0 (the default): OpenMP's number where the program or OMP_NUM_THREADS has
  /// set one; otherwise one for each core that the process may use, by its CPU mask and its control group's quota.
  void set_num_threads(int count);

  /// How the model is loaded and planned. To be set before Init and Build; throws Error(kState) later.
  void set_build_options(const BuildOptions& options);

  /// Creates the layer of one operator through the registry.
  static std::shared_ptr<templates::Layer<float>> CreateLayer(const std::shared_ptr<RuntimeOperator>& op);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

using GraphState = RuntimeGraph::GraphState;

}  // namespace kuiper_infer
