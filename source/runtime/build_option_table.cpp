// SPDX-License-Identifier: MIT
#include "runtime/build_option_table.hpp"

#include "kernel/convolution/choose_method.hpp"
#include "runtime/precision.hpp"
#include "utils/thread_pool.hpp"

namespace kuiper_infer {
namespace {

BuildOption NumThreads() {
  BuildOption option("num_threads", &BuildOptions::num_threads, &kuiper_options::num_threads);
  option.help = "Compute with this number of threads";
  option.fallback = "one for each core";
  option.variable = "OMP_NUM_THREADS";
  option.flag = "--threads";
  option.keyword = "threads";
  option.most = std::numeric_limits<int>::max();
  option.most_useful = kMostThreads;
  return option;
}

BuildOption PrecisionLevel() {
  BuildOption option("precision", &BuildOptions::precision, &kuiper_options::precision);
  option.help =
      "Compute products at this precision if that is faster than a higher one: highest uses float32, high 16 bits of "
      "each factor, medium factors rounded to bfloat16";
  option.flag = "--precision";
  option.keyword = "precision";
  option.words = PrecisionNames();
  return option;
}

BuildOption MaxMemoryBytes() {
  BuildOption option("max_memory_bytes", &BuildOptions::max_memory_bytes, &kuiper_options::max_memory_bytes);
  option.help = "Refuse allocations by which the model would take more bytes than this";
  option.fallback = "no limit";
  option.flag = "--max-memory";
  option.keyword = "max_memory";
  option.zero_is_none = true;
  return option;
}

BuildOption CacheDirectory() {
  BuildOption option("cache_directory", &BuildOptions::cache_directory, &kuiper_options::cache_directory);
  option.help = "Keep packed weights in this folder, so that the next start is faster";
  option.fallback = "none";
  option.flag = "--cache";
  option.keyword = "cache";
  option.in_config = false;  // else whoever may copy models chooses where the service writes
  option.is_folder = true;
  return option;
}

BuildOption MeasureMethods() {
  BuildOption option("measure_methods", &BuildOptions::measure_methods, &kuiper_options::measure_methods);
  option.help = "Choose the methods of convolutions by measuring them";
  option.flag = "--measure";
  option.keyword = "measure_methods";
  return option;
}

BuildOption FuseOperators() {
  BuildOption option("fuse_operators", &BuildOptions::fuse_operators, &kuiper_options::fuse_operators);
  option.help = "Fuse operators with the operators whose results they read";
  option.fallback = "on";
  option.variable = "KUIPER_FUSION";
  option.flag = "--no-fusion";
  option.keyword = "fuse_operators";
  return option;
}

BuildOption PlaceResults() {
  BuildOption option("place_results", &BuildOptions::place_results, &kuiper_options::place_results);
  option.help = "Write the inputs of a concatenation directly into its result";
  option.fallback = "on";
  option.variable = "KUIPER_PLACEMENT";
  option.flag = "--no-placement";
  option.keyword = "place_results";
  return option;
}

BuildOption ConvolutionMethod() {
  BuildOption option("convolution_method", &BuildOptions::convolution_method, &kuiper_options::convolution_method);
  option.help = "Compute every convolution that this method suits by it";
  option.fallback = "auto";
  option.variable = "KUIPER_CONVOLUTION";
  option.flag = "--convolution";
  option.keyword = "convolution_method";
  option.words = kernel::ForcibleMethods();
  option.words.emplace_back("auto");
  return option;
}

}  // namespace

const std::vector<BuildOption>& BuildOptionTable() {
  static const std::vector<BuildOption> table = {NumThreads(),     PrecisionLevel(),   MaxMemoryBytes(),
                                                 CacheDirectory(), MeasureMethods(),   FuseOperators(),
                                                 PlaceResults(),   ConvolutionMethod()};
  return table;
}

}  // namespace kuiper_infer
