// SPDX-License-Identifier: MIT
// Whole models: the bytes are a .param file; weights and inputs of the shapes that it asks for are made up. Load, Build
// and Run, then every operand read, within bounds of memory and time.
#include <algorithm>
#include <chrono>
#include <memory>

#include <glog/logging.h>

#include "fuzz/memory_file.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace {

using kuiper_infer::ByteCount;
using kuiper_infer::Error;
using kuiper_infer::NdArray;
using kuiper_infer::RuntimeDataType;
using kuiper_infer::Shape;

constexpr int64_t kMostWeights = 1 << 20;
constexpr int64_t kMostMemory = 64 << 20;

/// Small numbers of the type; false where there would be too many.
bool Fill(pnnx::Attribute& attribute, int64_t& bytes) {
  const auto type = static_cast<RuntimeDataType>(attribute.type);
  const Shape shape(attribute.shape.begin(), attribute.shape.end());
  bytes += ByteCount(type, shape);
  if (bytes > kMostWeights) return false;
  attribute.data.resize(static_cast<std::size_t>(ByteCount(type, shape)));
  if (type == RuntimeDataType::kTypeFloat32) {
    for (std::size_t i = 0; i * sizeof(float) < attribute.data.size(); ++i) {
      const float value = static_cast<float>(i % 7) / 4 - 0.5F;
      std::copy_n(reinterpret_cast<const char*>(&value), sizeof(float), attribute.data.data() + i * sizeof(float));
    }
  } else {
    for (std::size_t i = 0; i < attribute.data.size(); i += kuiper_infer::ElementBytes(type)) {
      attribute.data[i] = static_cast<char>(i / kuiper_infer::ElementBytes(type) % 2);
    }
  }
  return true;
}

NdArray MakeInput(kuiper_infer::TensorSpec spec) {
  for (int64_t& extent : spec.shape) extent = extent < 0 ? 3 : extent;
  if (ByteCount(spec.type, spec.shape) > kMostWeights) throw Error(kuiper_infer::ErrorCode::kInput, "too large");
  const NdArray numbers(RuntimeDataType::kTypeFloat32, spec.shape);
  for (int64_t i = 0; i < numbers.size(); ++i) numbers.data<float>()[i] = static_cast<float>(i * 5 % 11) / 4 - 1;
  return numbers.To(spec.type);
}

/// As `kuiper run --dump` does.
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
      if (attribute.type != 0 && !Fill(attribute, bytes)) return;
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
  for (const std::string& name : graph.input_names()) graph.set_input(name, MakeInput(graph.input_spec(name)));
  const auto start = std::chrono::steady_clock::now();
  kuiper_infer::RunOptions limits;
  limits.deadline = start + std::chrono::seconds(2);
  graph.Run(limits);
  graph.outputs();
  if (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(100)) ReadEverything(graph);
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
