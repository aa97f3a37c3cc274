// SPDX-License-Identifier: MIT
#include "runtime/build_option_table.hpp"

#include "kernel/convolution/choose_method.hpp"
#include "runtime/precision.hpp"
#include "runtime/states/state_storage.hpp"
#include "utils/threads/thread_pool.hpp"

namespace kuiper_infer {
namespace {

BuildOption NumThreads() {
  BuildOption option("num_threads", &BuildOptions::num_threads, &kuiper_options::num_threads, "--threads", "threads",
                     "Compute with this number of threads");
  option.fallback = "one for each core";
  option.variable = "OMP_NUM_THREADS";
  option.most = std::numeric_limits<int>::max();
  option.most_useful = kMostThreads;
  return option;
}

BuildOption PrecisionLevel() {
  BuildOption option("precision", &BuildOptions::precision, &kuiper_options::precision, "--precision", "precision",
                     "Compute products at this precision if that is faster than a higher one: highest uses float32, "
                     "high 16 bits of each factor, medium factors rounded to bfloat16");
  option.words = PrecisionNames();
  return option;
}

BuildOption MaxMemoryBytes() {
  BuildOption option("max_memory_bytes", &BuildOptions::max_memory_bytes, &kuiper_options::max_memory_bytes,
                     "--max-memory", "max_memory",
                     "Refuse allocations by which the model would take more bytes than this");
  option.fallback = "no limit";
  option.zero_is_none = true;
  return option;
}

BuildOption CacheDirectory() {
  BuildOption option("cache_directory", &BuildOptions::cache_directory, &kuiper_options::cache_directory, "--cache",
                     "cache", "Keep packed weights in this folder, so that the next start is faster");
  option.fallback = "none";
  option.in_config = false;  // otherwise a person who may only copy models could choose where the service writes
  option.is_folder = true;
  return option;
}

BuildOption MaxStateLength() {
  BuildOption option("max_state_length", &BuildOptions::max_state_length, &kuiper_options::max_state_length,
                     "--max-state-length", "max_state_length",
                     "Refuse runs by which a growing state would have more elements along its axis than this");
  option.fallback = "no limit";
  option.zero_is_none = true;
  return option;
}

BuildOption StateType() {
  BuildOption option("state_type", &BuildOptions::state_type, &kuiper_options::state_type, "--state-type", "state_type",
                     "Keep keys and values between runs in this element type: auto is bfloat16 at medium and float32 "
                     "at other precisions");
  option.fallback = "auto";
  option.words = StateTypeNames();
  return option;
}

BuildOption ConvolutionMethod() {
  BuildOption option("convolution_method", &BuildOptions::convolution_method, &kuiper_options::convolution_method,
                     "--convolution", "convolution_method", "Compute convolutions by this method if it suits them");
  option.fallback = "auto";
  option.variable = "KUIPER_CONVOLUTION";
  option.words = kernel::ForcibleMethods();
  option.words.emplace_back("auto");
  return option;
}

/// The option, as a switch that is on unless the program or the environment variable turns it off.
BuildOption OnUnless(const char* variable, BuildOption option) {
  option.fallback = "on";
  option.variable = variable;
  return option;
}

}  // namespace

const std::vector<BuildOption>& BuildOptionTable() {
  using B = BuildOptions;
  using C = kuiper_options;
  static const std::vector<BuildOption> table = {
      NumThreads(),
      PrecisionLevel(),
      MaxMemoryBytes(),
      CacheDirectory(),
      {"measure_methods", &B::measure_methods, &C::measure_methods, "--measure", "measure_methods",
       "Choose the methods of convolutions by measuring them"},
      OnUnless("KUIPER_FUSION", {"fuse_operators", &B::fuse_operators, &C::fuse_operators, "--no-fusion",
                                 "fuse_operators", "Fuse operators with the operators whose results they read"}),
      OnUnless("KUIPER_PLACEMENT", {"place_results", &B::place_results, &C::place_results, "--no-placement",
                                    "place_results", "Write the inputs of a concatenation directly into its result"}),
      ConvolutionMethod(),
      MaxStateLength(),
      StateType()};
  return table;
}

}  // namespace kuiper_infer
