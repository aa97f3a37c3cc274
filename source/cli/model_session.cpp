// SPDX-License-Identifier: MIT
#include "cli/model_session.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>

#include "cli/build_option_flags.hpp"
#include "cli/plugin.hpp"
#include "kernel/product/format/weight_format.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::cli {
namespace {

/// The model of a .param file alone: all weights are zero, and scales that have to be positive one.
RuntimeGraph LoadWithoutWeights(const std::string& param) {
  auto graph = std::make_unique<pnnx::Graph>();
  graph->Load(param, "");
  // Asking for more would not fail here but end the process later, when the memory is touched.
  int64_t left = PhysicalMemoryBytes() > 0 ? PhysicalMemoryBytes() : std::numeric_limits<int64_t>::max();
  for (pnnx::Operator* op : graph->ops) {
    for (auto& [key, attribute] : op->attrs) {
      const Shape shape(attribute.shape.begin(), attribute.shape.end());
      const int64_t bytes = ByteCount(static_cast<RuntimeDataType>(attribute.type), shape);
      if (bytes > left) {
        throw Error(ErrorCode::kResource, param + ": attribute '" + op->name + "." + key + "' of shape " +
                                              ShapeString(shape) + " is larger than the machine's memory");
      }
      left -= bytes;
      attribute.data.resize(static_cast<std::size_t>(bytes));
      const kernel::FormatParameter* const parameter = kernel::FindParameter(key);
      const auto type = static_cast<RuntimeDataType>(attribute.type);
      if (parameter != nullptr && parameter->positive && IsFloating(type)) {
        NdArray ones(RuntimeDataType::kTypeFloat32, shape);
        std::fill_n(ones.data<float>(), ones.size(), 1.0F);
        const NdArray stored = ones.To(type);
        std::memcpy(attribute.data.data(), stored.raw(), attribute.data.size());
      }
    }
  }
  return RuntimeGraph(std::move(graph));
}

}  // namespace

void CheckCacheFolder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code failure;
  std::filesystem::create_directories(std::filesystem::u8path(folder), failure);
  if (std::filesystem::is_directory(std::filesystem::u8path(folder), failure)) return;
  throw Error(ErrorCode::kFile, folder + ": is not a folder and cannot be made one, expected a folder for --cache");
}

Option ModelOptions::AddTo(const Command& command, bool with_shapes) {
  command.Add("--param,param", param, "The model's .pnnx.param file").Required();
  const Option weights = command.Add("--bin,bin", bin, "The model's .pnnx.bin file").Required();
  command.Add("--input", inputs, "A NumPy file: NAME=FILE, or FILE for the next input in the model's order");
  command.AddFlag("--cast", cast,
                  "Convert input files to the element types that the model expects, as PyTorch's `to` does");
  images.AddTo(command);
  AddPluginOption(command, plugins);
  AddBuildOptions(command, build);
  if (with_shapes) {
    command.Add("--shape", shapes,
                "The shape of an input without a file, which is filled at random; for example NAME=1,3,224,224");
  }
  return weights;
}

RuntimeGraph OpenModel(const std::string& param, const std::string& bin) {
  return bin.empty() ? LoadWithoutWeights(param) : RuntimeGraph(param, bin);
}

RuntimeGraph LoadModel(const ModelOptions& options) {
  CheckCacheFolder(options.build.cache_directory);
  LoadPlugins(options.plugins);
  RuntimeGraph graph = OpenModel(options.param, options.bin);
  graph.set_build_options(options.build);
  graph.Build();
  for (const std::string& warning : graph.report().warnings) std::cerr << "warning: " << warning << "\n";
  return graph;
}

}  // namespace kuiper_infer::cli
