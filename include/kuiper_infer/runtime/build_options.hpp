// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kuiper_infer {

/// How exact products of float32 arrays are (convolutions, linear layers, matrix products). Everything else is computed
/// in float32 at every level. If a level is not faster than float32 on the CPU at hand, products are computed in
/// float32.
enum class Precision {
  kHighest,  ///< float32, or sums of bfloat16 products that are as exact
  kHigh,     ///< factors with at least 16 bits of mantissa, float32 sums
  /// Factors rounded to bfloat16 (8 bits of mantissa), float32 sums. If a weight is stored in 8 or 4 bits, the rows
  /// that it multiplies are rounded to 8-bit integers with a scale for each group of the weight, of at most 128
  /// numbers.
  kMedium,
};

/// The level of that name: "highest", "high" or "medium". Throws Error(kArgument) for any other name.
Precision PrecisionOf(const std::string& name);

/// A state that a program names: an output that is an input of the next run of a session. See Session.
struct NamedState {
  std::string output;  ///< its name, or its number if the items of tuples and lists are counted
  std::string input;   ///< its name
  /// The most elements that the state keeps along its axis, counted from its end. Only a state that grows can have a
  /// window. 0: as the file says, otherwise all elements.
  int64_t window = 0;
};

/// How RuntimeGraph loads and plans a model. The defaults suit nearly everyone. A value that an option can't have is an
/// Error of Init and Build, which names option, value and what was expected.
///
/// Each member but `states`, which describes the model, has a row in source/runtime/build_option_table.cpp, from which
/// the other interfaces follow.
struct BuildOptions {
  /// How exact products are. Less exact products are faster on CPUs with a matrix unit: AVX512_BF16 and, for
  /// weights in 8 or 4 bits, products of bytes (AVX512_VNNI, AVX-VNNI, AVX2) are used at kMedium, AMX at every level.
  Precision precision = Precision::kHighest;

  /// Whether the methods of 3x3 convolutions, F(6,3) among them, are chosen by a short measurement of each instead of
  /// by an estimate. Planning takes some milliseconds more for each size of layer. The choice, and with it the last
  /// digits of results, may differ from one process to the next.
  bool measure_methods = false;

  /// Threads of Build and of runs, 0 or more; see RuntimeGraph::set_num_threads.
  int num_threads = 0;

  /// The most bytes that the model may take: its weights and their packed forms, the arrays of its plans and runs, and
  /// copies of inputs and outputs until they are freed. An allocation that would exceed the limit throws
  /// Error(kResource) instead. 0: the machine's memory is the limit. For models from strangers, whose shapes may ask
  /// for anything.
  int64_t max_memory_bytes = 0;

  /// A folder for the packed weights of models, and for the methods that measure_methods chose, so that the next
  /// process starts faster; empty: none. The folder is created if it does not exist. It holds a file for each model,
  /// build of the library and CPU, about as large as the weights. Processes map the file and share its pages, so it
  /// must not be changed in place. Its parts are verified before use: a broken part is made anew. If the folder cannot
  /// be written, a warning is logged. Only models from files use the folder, and only if Init was not called before
  /// Build. The mapped bytes don't count in max_memory_bytes.
  std::string cache_directory;

  /// States in addition to those that the file names. A state that the file names, too, can be given a window here.
  std::vector<NamedState> states;

  /// The most elements that a growing state may have along its axis, such as the tokens of a conversation. A run that
  /// would exceed it throws Error(kInput) and changes nothing. A state with a window has at most its window, which must
  /// not exceed this. 0: as many as the model and the memory allow.
  int64_t max_state_length = 0;

  /// The element type in which sessions keep growing states that are float32 in the model and that only attention
  /// reads, as keys or values: "float32"; "bfloat16", which halves their memory; "int8", integers with a scale for each
  /// row (a token's key or value of one head), which takes a little more than a quarter; or "auto", bfloat16 at
  /// Precision::kMedium and float32 at the other levels. Longer conversations are read faster in fewer bytes. Other
  /// states are kept as they are (RuntimeGraph::State::kept). Empty: "auto".
  std::string state_type;

  // Switches for finding a fault or measuring what an optimisation gains. If the program leaves a switch unset, an
  // environment variable sets it. If the variable has a wrong value, Init fails in either case.

  /// Whether operators are fused: activations and additions into convolutions, element-wise operators into each other.
  /// Unset: false if KUIPER_FUSION is 0, else true.
  std::optional<bool> fuse_operators;

  /// Whether operators write their results directly into the result of a concatenation that reads them. Unset: false
  /// if KUIPER_PLACEMENT is 0, else true.
  std::optional<bool> place_results;

  /// The method of the convolutions over channels-last images that it suits: "rows", "segments", "winograd2",
  /// "winograd4", "winograd6", or "auto", which chooses for each convolution. Empty: the value of KUIPER_CONVOLUTION if
  /// that is set, else "auto".
  std::string convolution_method;
};

}  // namespace kuiper_infer
