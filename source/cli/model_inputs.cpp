// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>

#include "cli/model_session.hpp"
#include "data/npy.hpp"
#include "kuiper_infer/utils/error.hpp"
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
