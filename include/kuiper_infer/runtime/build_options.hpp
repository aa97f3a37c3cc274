// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kuiper_infer {

/// How exact products of float32 arrays are (convolutions, linear layers, matrix products). Everything else is computed
/// in float32 at every level, and a CPU on which a level is not faster computes the next more exact one.
enum class Precision {
  kHighest,  ///< float32, or what is as exact
  kHigh,     ///< factors of at least 16 bits of mantissa, float32 sums
  kMedium,   ///< factors rounded to bfloat16 (8 bits of mantissa), float32 sums
};

/// The level of that name: "highest", "high" or "medium". Throws Error(kArgument) for another.
Precision PrecisionOf(const std::string& name);

/// How RuntimeGraph loads and plans a model. The defaults suit nearly everyone. A value that an option can't have is an
/// Error of Init and Build, which names option, value and what was expected.
///
/// Each member has a row in source/runtime/build_option_table.cpp, from which the other interfaces follow.
struct BuildOptions {
  /// Less exact products are faster on CPUs with units for them: AVX512_BF16 at Precision::kMedium.
  Precision precision = Precision::kHighest;

  /// Chooses the methods of 3x3 convolutions by a short measurement of each, F(6,3) among them, instead of by an
  /// estimate. Planning takes some milliseconds more for each size of layer. The choice, and with it the last digits
  /// of results, may differ from one process to the next.
  bool measure_methods = false;

  /// Threads of Build and of runs, 0 or more; see RuntimeGraph::set_num_threads.
  int num_threads = 0;

  /// Bytes that the model may take: its weights, what is made of them, the arrays of its plans and runs, and the copies
  /// that outputs() makes, until they are freed. More throws Error(kResource) before it is allocated. 0: what the
  /// machine has. For models from strangers, whose shapes may ask for anything.
  int64_t max_memory_bytes = 0;

  /// A folder for what loading makes of a model's weights, and for the methods that measure_methods chose, so that the
  /// next process starts faster; empty: none. It is made where there is none and holds a file for each model, library
  /// and CPU, about as large as the weights, which processes share: it is mapped and must not be changed in place. Its
  /// parts are verified before use; what is broken is made anew, and a folder that can't be written is a warning. Only
  /// models from files that Init has not loaded before Build use it. The mapped bytes don't count in max_memory_bytes.
  std::string cache_directory;

  // Switches for those who look for a fault or measure what an optimisation gives. What a program sets counts; where it
  // leaves one unset, an environment variable sets it. A variable with a wrong value fails Init in either case.

  /// Joins operators with those in front of them: activations and additions with convolutions, element-wise operators
  /// with each other. Unset: false where KUIPER_FUSION is 0, else true.
  std::optional<bool> fuse_operators;

  /// Lets operators write what is concatenated behind them into the concatenation's result at once. Unset: false where
  /// KUIPER_PLACEMENT is 0, else true.
  std::optional<bool> place_results;

  /// The method of convolutions over channels-last images, where it suits them: "rows", "segments", "winograd2",
  /// "winograd4", "winograd6", or "auto", which chooses one for each. Empty: what KUIPER_CONVOLUTION says, else "auto".
  std::string convolution_method;
};

}  // namespace kuiper_infer
