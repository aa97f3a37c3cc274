// SPDX-License-Identifier: MIT
// Fuzzes whole models. The bytes are a .param file; weights and inputs of its shapes are made up. The model is loaded,
// built and run within bounds of memory and time, and every operand is read. Then it runs with inputs at the limits of
// their types, and with extents of 0 and 1.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <glog/logging.h>

#include "fuzz/memory_file.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "model/small_extents.hpp"

namespace {

using kuiper_infer::ByteCount;
using kuiper_infer::Error;
using kuiper_infer::NdArray;
using kuiper_infer::RuntimeDataType;
using kuiper_infer::Shape;

constexpr int64_t kMostWeights = 1 << 20;
constexpr int64_t kMostMemory = 64 << 20;

template <class T, class Value>
void FillWith(pnnx::Attribute& attribute, const Value& value) {
  for (std::size_t i = 0; (i + 1) * sizeof(T) <= attribute.data.size(); ++i) {
    const T number = value(i);
    std::memcpy(attribute.data.data() + i * sizeof(T), &number, sizeof(T));
  }
}

/// Fills an attribute with small numbers. Scales of stored integers are positive, because other ones are refused at
/// once. Returns false if the attribute is too large.
bool Fill(const std::string& name, pnnx::Attribute& attribute, int64_t& bytes) {
  const auto type = static_cast<RuntimeDataType>(attribute.type);
  const Shape shape(attribute.shape.begin(), attribute.shape.end());
  bytes += ByteCount(type, shape);
  if (bytes > kMostWeights) return false;
  attribute.data.resize(static_cast<std::size_t>(ByteCount(type, shape)));
  const bool scales = name.find("_scales") != std::string::npos;
  const auto floating = [scales](std::size_t i) {
    return scales ? 1.0F / static_cast<float>(16 + i % 3) : static_cast<float>(i % 7) / 4 - 0.5F;
  };
  if (type == RuntimeDataType::kTypeFloat32) {
    FillWith<float>(attribute, floating);
  } else if (type == RuntimeDataType::kTypeFloat64 && scales) {
    FillWith<double>(attribute, floating);
  } else if (type == RuntimeDataType::kTypeInt8) {
    FillWith<int8_t>(attribute, [](std::size_t i) { return static_cast<int8_t>(i * 37); });
  } else {
    for (std::size_t i = 0; i < attribute.data.size(); i += kuiper_infer::ElementBytes(type)) {
      attribute.data[i] = static_cast<char>(i / kuiper_infer::ElementBytes(type) % 2);
    }
  }
  return true;
}

/// The contents of integer inputs and of all other inputs: small numbers (kSmall), one limit of the type's range (its
/// index), or all limits in turn (kTurn).
struct Contents {
  int integer_end;
  int floating_end;
};
constexpr int kSmall = -1;
constexpr int kTurn = -2;
constexpr int kIntegerEnds = 6;
const std::vector<double> kFloatingEnds{
    0.0,  -0.0,   std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
    -1e5, 9.3e18, std::numeric_limits<float>::max(),        std::numeric_limits<double>::lowest(),
    1e-42};

/// Returns limits in one kind of inputs at a time, and at last in both: an index out of range ends a run before other
/// numbers are read.
std::vector<Contents> AllContents() {
  std::vector<Contents> all{{kSmall, kSmall}};
  for (int end = 0; end < kIntegerEnds; ++end) all.push_back({end, kSmall});
  for (int end = 0; end < static_cast<int>(kFloatingEnds.size()); ++end) all.push_back({kSmall, end});
  all.push_back({kTurn, kSmall});
  all.push_back({kSmall, kTurn});
  all.push_back({kTurn, kTurn});
  return all;
}

int64_t IntegerEnd(RuntimeDataType type, int end) {
  const int spare_bits = 64 - 8 * static_cast<int>(kuiper_infer::ElementBytes(type));
  const int64_t least = std::numeric_limits<int64_t>::min() >> spare_bits;
  const int64_t most = std::numeric_limits<int64_t>::max() >> spare_bits;
  return std::vector<int64_t>{least, most, -1, 0, least + 1, 100}[static_cast<std::size_t>(end)];
}

/// Returns the input's element type and shape, with numbers for free extents.
kuiper_infer::TensorSpec SpecOf(const kuiper_infer::RuntimeGraph& graph, const std::string& input) {
  kuiper_infer::TensorSpec spec = graph.input_spec(input);
  for (int64_t& extent : spec.shape) extent = extent < 0 ? 3 : extent;
  return spec;
}

NdArray MakeInput(const kuiper_infer::TensorSpec& spec, Contents contents) {
  if (ByteCount(spec.type, spec.shape) > kMostWeights) throw Error(kuiper_infer::ErrorCode::kInput, "too large");
  const bool floating = !kuiper_infer::IsInteger(spec.type);
  const int end = floating ? contents.floating_end : contents.integer_end;
  const NdArray numbers(floating ? RuntimeDataType::kTypeFloat64 : RuntimeDataType::kTypeInt64, spec.shape);
  const int ends = floating ? static_cast<int>(kFloatingEnds.size()) : kIntegerEnds;
  for (int64_t i = 0; i < numbers.size(); ++i) {
    const int chosen = end == kTurn ? static_cast<int>(i % ends) : end;
    const double small = static_cast<double>(i * 5 % 11) / 4 - 1;
    if (floating) {
      numbers.data<double>()[i] = end == kSmall ? small : kFloatingEnds[static_cast<std::size_t>(chosen)];
    } else {
      numbers.data<int64_t>()[i] = end == kSmall ? static_cast<int64_t>(small) : IntegerEnd(spec.type, chosen);
    }
  }
  return numbers.To(spec.type);
}

/// Runs a graph and reads every operand, as `kuiper run --dump` does.
void ReadEverything(kuiper_infer::RuntimeGraph& graph) {
  graph.Forward(true);
  for (const auto& op : graph.get_topo_queues()) {
    for (const auto& operand : op->output_operands_seq) {
      if (graph.holds_array(operand->name)) graph.operand_array(operand->name);
    }
  }
}

void RunModel(const uint8_t* data, std::size_t size) {
  const kuiper_infer::MemoryFile file(data, size);
  auto source = std::make_unique<pnnx::Graph>();
  source->Load(file.path(), "");
  int64_t bytes = 0;
  for (pnnx::Operator* op : source->ops) {
    for (auto& [name, attribute] : op->attrs) {
      if (attribute.type != 0 && !Fill(name, attribute, bytes)) return;
    }
  }
  kuiper_infer::RuntimeGraph graph(std::move(source));
  kuiper_infer::BuildOptions options;
  options.max_memory_bytes = kMostMemory;
  options.num_threads = 1;
  graph.set_build_options(options);
  if (!graph.Init()) return;
  for (const std::string& name : graph.input_names()) graph.input_spec(name);  // as `kuiper info` before the build
  graph.Build();
  graph.report();
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [start] { return std::chrono::steady_clock::now() - start; };
  kuiper_infer::RunOptions limits;
  limits.deadline = start + std::chrono::seconds(2);
  for (const Contents& contents : AllContents()) {
    if (elapsed() > std::chrono::milliseconds(500)) return;
    try {
      for (const std::string& name : graph.input_names()) {
        graph.set_input(name, MakeInput(SpecOf(graph, name), contents));
      }
      graph.Run(limits);
      graph.outputs();
      if (elapsed() < std::chrono::milliseconds(100)) ReadEverything(graph);
    } catch (const Error&) {
    }
  }
  kuiper_infer::test::Shapes shapes;
  for (const std::string& name : graph.input_names()) shapes.push_back(SpecOf(graph, name).shape);
  std::mt19937 random(1);
  for (const kuiper_infer::test::Shapes& variant : kuiper_infer::test::WithSmallExtents(shapes, random)) {
    if (elapsed() > std::chrono::milliseconds(700)) return;
    try {
      std::size_t input = 0;
      for (const std::string& name : graph.input_names()) {
        const kuiper_infer::TensorSpec spec(graph.input_spec(name).type, variant[input++]);
        graph.set_input(name, MakeInput(spec, {kSmall, kSmall}));
      }
      graph.Run(limits);
      graph.outputs();
    } catch (const Error&) {
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  FLAGS_minloglevel = google::GLOG_FATAL;
  FLAGS_logtostderr = true;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  try {
    RunModel(data, size);
  } catch (const Error&) {
  }
  return 0;
}
