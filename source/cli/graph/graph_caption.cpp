// SPDX-License-Identifier: MIT
#include <cstdio>
#include <filesystem>

#include "cli/graph/graph_drawing.hpp"
#include "cli/machine.hpp"
#include "kuiper_infer/version.h"
#include "utils/system/cpu_info.hpp"

namespace kuiper_infer::cli {
namespace {

/// The name without the suffixes that the converter appends.
std::string ModelName(const std::string& param) {
  std::string name = std::filesystem::u8path(param).filename().u8string();
  for (const std::string& ending : {std::string(".param"), std::string(".pnnx")}) {
    if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
      name.resize(name.size() - ending.size());
    }
  }
  return name.empty() ? "model from memory" : name;
}

std::string Formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

}  // namespace

GraphCaption CaptionOf(const RuntimeGraph& graph, const std::string& param, double total) {
  const RuntimeGraph::Report report = graph.report();
  constexpr double kMebibyte = 1 << 20;
  GraphCaption caption;
  caption.title = ModelName(param);
  caption.totals.push_back(Formatted("%.1f million multiply-adds, ", report.multiply_adds / 1e6) +
                           Formatted("%.2f MiB for a run, ", static_cast<double>(report.planned_bytes) / kMebibyte) +
                           Formatted("%.2f MiB of weights", static_cast<double>(report.weight_bytes) / kMebibyte));
  const std::string cpu = CpuName();
  caption.totals.push_back((total > 0 ? Formatted("%.3f ms in all steps, ", total * 1e3) : "") +
                           (cpu.empty() ? "" : cpu + ", ") + IsaName() + ", KuiperInfer " KUIPER_VERSION);
  return caption;
}

}  // namespace kuiper_infer::cli
