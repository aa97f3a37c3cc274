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
      "Compute products this exactly, where that is faster: highest as float32, high with 16 bits of their factors, "
      "medium with factors rounded to bfloat16";
  option.flag = "--precision";
  option.keyword = "precision";
  option.words = PrecisionNames();
  return option;
}

BuildOption MaxMemoryBytes() {
  BuildOption option("max_memory_bytes", &BuildOptions::max_memory_bytes, &kuiper_options::max_memory_bytes);
  option.help = "Refuse what would make the model take more bytes, before they are allocated";
  option.fallback = "no limit";
  option.flag = "--max-memory";
  option.keyword = "max_memory";
  option.zero_is_none = true;
  return option;
}

BuildOption CacheDirectory() {
  BuildOption option("cache_directory", &BuildOptions::cache_directory, &kuiper_options::cache_directory);
  option.help = "Keep packed weights in this folder, which makes the next start faster";
  option.fallback = "none";
  option.flag = "--cache";
  option.keyword = "cache";
  option.in_config = false;  // the service would write where whoever may copy models says
  option.is_folder = true;
  return option;
}

BuildOption MeasureMethods() {
  BuildOption option("measure_methods", &BuildOptions::measure_methods, &kuiper_options::measure_methods);
  option.help = "Choose the methods of convolutions by a measurement";
  option.flag = "--measure";
  option.keyword = "measure_methods";
  return option;
}

BuildOption FuseOperators() {
  BuildOption option("fuse_operators", &BuildOptions::fuse_operators, &kuiper_options::fuse_operators);
  option.help = "Join operators with those in front of them";
  option.fallback = "on";
  option.variable = "KUIPER_FUSION";
  option.flag = "--no-fusion";
  option.keyword = "fuse_operators";
  return option;
}

BuildOption PlaceResults() {
  BuildOption option("place_results", &BuildOptions::place_results, &kuiper_options::place_results);
  option.help = "Write concatenated channels to their place at once";
  option.fallback = "on";
  option.variable = "KUIPER_PLACEMENT";
  option.flag = "--no-placement";
  option.keyword = "place_results";
  return option;
}

BuildOption ConvolutionMethod() {
  BuildOption option("convolution_method", &BuildOptions::convolution_method, &kuiper_options::convolution_method);
  option.help = "Compute the convolutions that it suits by this method";
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
