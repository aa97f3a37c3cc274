// SPDX-License-Identifier: MIT
#include "cli/model_session.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <random>

#include "cli/build_option_flags.hpp"
#include "cli/plugin.hpp"
#include "data/npy.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/cpu_info.hpp"
#include "utils/dispatch_all.hpp"

namespace kuiper_infer::cli {
namespace {

constexpr unsigned kSeed = 20260721;

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "NAME=rest" -> (NAME, rest); without '=' the name is empty.
std::pair<std::string, std::string> SplitName(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) return {"", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

[[noreturn]] void FailUnknownInput(const std::string& name, const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "'" : ", '") + known + "'";
  throw Error(ErrorCode::kInput, "the model has no input '" + name + "', it has " + list);
}

Shape ParseShape(const std::string& text) {
  Shape shape;
  const char* at = text.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const long long extent = std::strtoll(at, &end, 10);
    const bool saturated = extent == std::numeric_limits<long long>::max();
    if (end == at || (*end != ',' && *end != '\0') || extent < 0 || saturated) {
      throw Error(ErrorCode::kInput, "--shape '" + text + "': expected a list of extents such as 1,3,224,224");
    }
    shape.push_back(extent);
    at = *end == ',' ? end + 1 : end;
  }
  return shape;
}

/// Reads the file of each [NAME=]FILE; without a name, files are taken in the order of the model's inputs.
template <class Read>
void ReadFiles(const std::vector<std::string>& given, const std::vector<std::string>& names, const Read& read,
               std::map<std::string, NdArray>& arrays) {
  std::size_t next = 0;
  for (const std::string& text : given) {
    auto [name, file] = SplitName(text);
    if (file.empty()) throw Error(ErrorCode::kInput, "'" + text + "' names no file, expected NAME=FILE");
    if (!name.empty() && !Contains(names, name)) {
      // A path may hold '=' itself.
      if (name.find('/') == std::string::npos) FailUnknownInput(name, names);
      name.clear();
      file = text;
    }
    if (name.empty()) {
      while (next < names.size() && arrays.count(names[next]) != 0) ++next;
      if (next == names.size()) {
        throw Error(ErrorCode::kInput, "file '" + file + "' is left over, the model has only " +
                                           std::to_string(names.size()) + (names.size() == 1 ? " input" : " inputs"));
      }
      name = names[next];
    }
    if (!arrays.emplace(name, read(file, name)).second) {
      throw Error(ErrorCode::kInput, "input '" + name + "' is given twice");
    }
  }
}

/// The input's operand. If the file records no type, its type is unknown, and any type is accepted.
const RuntimeOperand& OperandOf(const RuntimeGraph& graph, const std::string& input) {
  const auto& operators = graph.operators();
  const auto op = std::find_if(operators.begin(), operators.end(),
                               [&](const auto& each) { return each->type == "pnnx.Input" && each->name == input; });
  return *(*op)->output_operands;
}

/// An array of random numbers: uniform in [-1, 1) for floating types, and 0 or 1 for all other types, because these are
/// valid as indices, masks and flags.
NdArray RandomArray(const TensorSpec& spec, std::mt19937& generator) {
  const NdArray array(spec.type, spec.shape);
  std::uniform_real_distribution<float> real(-1.0F, 1.0F);
  DispatchAll(spec.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t i = 0; i < array.size(); ++i) {
      const float value = real(generator);
      array.template data<T>()[i] = static_cast<T>(std::is_integral_v<T> ? static_cast<float>(value > 0) : value);
    }
  });
  return array;
}

/// The model of a .param file alone, all weights zero.
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
    }
  }
  return RuntimeGraph(std::move(graph));
}

}  // namespace

NdArray ReadArray(const std::string& file, const RuntimeGraph& graph, const std::string& input, bool cast) {
  const NdArray array = ReadNpy(file);
  const RuntimeDataType wanted = OperandOf(graph, input).type;
  if (wanted == RuntimeDataType::kTypeUnknown || array.type() == wanted) return array;
  const bool castable = IsComplex(wanted) || !IsComplex(array.type());
  if (cast && castable) return array.To(wanted);
  throw Error(ErrorCode::kInput, file + ": is " + SpecString(array.spec()) + ", expected " +
                                     SpecString(graph.input_spec(input)) + " for input '" + input + "'" +
                                     (castable ? "; --cast converts it" : "; a complex file cannot be cast"));
}

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

std::map<std::string, Shape> ParseShapes(const std::vector<std::string>& shapes,
                                         const std::vector<std::string>& names) {
  std::map<std::string, Shape> parsed;
  for (const std::string& text : shapes) {
    const auto [name, extents] = SplitName(text);
    const std::string input = name.empty() && names.size() == 1 ? names.front() : name;
    if (!Contains(names, input)) FailUnknownInput(input, names);
    parsed[input] = ParseShape(extents);
  }
  return parsed;
}

void CheckIsGiven(const std::string& input, const Shape& shape) {
  if (std::any_of(shape.begin(), shape.end(), [](int64_t extent) { return extent < 0; })) {
    throw Error(ErrorCode::kInput, "input '" + input + "' has the free extents of shape " + ShapeString(shape) +
                                       ", expected --shape " + input + "=... to set them");
  }
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

std::map<std::string, NdArray> ReadInputs(const RuntimeGraph& graph, const ModelOptions& options, bool random) {
  const std::vector<std::string> names = graph.input_names();
  std::map<std::string, NdArray> arrays;
  const auto read_array = [&](const std::string& file, const std::string& name) {
    return ReadArray(file, graph, name, options.cast);
  };
  ReadFiles(options.inputs, names, read_array, arrays);
  const auto read_picture = [&](const std::string& file, const std::string& name) {
    return options.images.Read(file, name, graph.input_spec(name));
  };
  ReadFiles(options.images.files, names, read_picture, arrays);
  std::map<std::string, Shape> shapes = ParseShapes(options.shapes, names);
  std::mt19937 generator(kSeed);
  for (const std::string& name : names) {
    if (arrays.count(name) == 0) {
      TensorSpec spec = graph.input_spec(name);
      if (!random) {
        throw Error(ErrorCode::kInput,
                    "input '" + name + "' is missing, expected --input with a file of " + SpecString(spec));
      }
      if (shapes.count(name) != 0) spec.shape = shapes[name];
      CheckIsGiven(name, spec.shape);
      try {
        arrays[name] = RandomArray(spec, generator);
      } catch (const Error& error) {
        throw Error(error.code(), "input '" + name + "' of shape " + ShapeString(spec.shape) + ": " + error.what());
      }
    }
  }
  return arrays;
}

std::map<std::string, Shape> SetInputs(RuntimeGraph& graph, const ModelOptions& options, bool random) {
  std::map<std::string, Shape> shapes;
  for (const auto& [name, array] : ReadInputs(graph, options, random)) {
    graph.set_input(name, array);
    shapes[name] = array.shape();
  }
  return shapes;
}

}  // namespace kuiper_infer::cli
