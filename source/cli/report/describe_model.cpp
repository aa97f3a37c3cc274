// SPDX-License-Identifier: MIT
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "cli/machine.hpp"
#include "cli/report/descriptions.hpp"
#include "kuiper_infer/version.h"
#include "utils/system/cpu_info.hpp"
#include "utils/threads/parallel.hpp"
#include "utils/threads/thread_count.hpp"

namespace kuiper_infer::cli {
namespace {

/// The extents of an input that no plan has met yet are the file's, -1 where the file leaves them free.
template <class Extents>
nlohmann::json DescribeArray(const std::string& name, RuntimeDataType type, const Extents& shape) {
  if (type == RuntimeDataType::kTypeUnknown) return {{"name", name}, {"type", nullptr}, {"shape", nullptr}};
  return {{"name", name}, {"type", TypeName(type)}, {"shape", shape}};
}

/// The file's name, without the folder, and its size, which is null if there is no such file.
nlohmann::json DescribeFile(const std::string& path) {
  if (path.empty()) return nullptr;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(std::filesystem::u8path(path), error);
  return {{"name", std::filesystem::u8path(path).filename().u8string()},
          {"bytes", error ? nlohmann::json(nullptr) : nlohmann::json(bytes)}};
}

}  // namespace

nlohmann::json DescribeModel(const RuntimeGraph& graph, const ReportSubject& subject) {
  const RuntimeGraph::Report report = graph.report();
  nlohmann::json inputs = nlohmann::json::array();
  std::map<std::string, int> operators;
  for (const auto& op : graph.operators()) {
    ++operators[op->type];
    if (op->type != "pnnx.Input") continue;
    const RuntimeOperand& operand = *op->output_operands;
    inputs.push_back(DescribeArray(op->name, operand.type, operand.shapes));
  }
  nlohmann::json outputs = nlohmann::json::array();
  for (const std::string& name : graph.output_names()) {
    for (const TensorSpec& spec : graph.output_specs(name))
      outputs.push_back(DescribeArray(name, spec.type, spec.shape));
  }
  return {{"param", DescribeFile(subject.param)},
          {"bin", DescribeFile(subject.bin)},
          {"inputs", inputs},
          {"outputs", outputs},
          {"operators", operators},
          {"parameters", report.parameters},
          {"weight_bytes", report.weight_bytes},
          {"warnings", report.warnings}};
}

nlohmann::json DescribeMachine(const ReportSubject& subject) {
  const int wanted = subject.threads > 0 ? subject.threads : DefaultThreads();
  return {{"cpu", CpuName()},
          {"cores", UsableCores()},
          {"memory_bytes", PhysicalMemoryBytes()},
          {"isa", IsaName()},
          {"matrix_unit", MatrixUnitName()},
          {"int8_unit", Int8UnitName(UsedInt8Unit())},
          {"threads", wanted > 0 ? wanted : MaxThreads()},
          {"version", KUIPER_VERSION},
          {"options", subject.options}};
}

}  // namespace kuiper_infer::cli
