// SPDX-License-Identifier: MIT
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "data/file_writer.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer::cli {
namespace {

/// Types that planning itself calls for any model: converted operands, views of bytes, parts of arrays, numbers.
constexpr const char* kPlannersTypes[] = {"Tensor.to", "aten::view.dtype", "Tensor.slice", "pnnx.Expression"};

struct Options {
  std::vector<std::string> models;
  std::string output;
};

/// The files of operations that have rows for a type, or for a type that those files' operations call in turn.
class NeededFiles {
 public:
  void AddType(const std::string& type) {
    for (const Operation& row : OperationTable::Instance().Find(type)) AddFile(row.file);
  }

  const std::set<std::string>& names() const { return names_; }

 private:
  void AddFile(const std::string& name) {
    if (!names_.insert(name).second) return;
    for (const OperationFile& file : OperationFiles()) {
      if (file.name != name) continue;
      std::istringstream calls(file.calls);
      for (std::string type; calls >> type;) AddType(type);
    }
  }

  std::set<std::string> names_;
};

/// Adds what the model's operators need, those included that loading makes of others. Throws Error if the model cannot
/// be built.
void AddModel(const std::string& param, NeededFiles& needed) {
  RuntimeGraph graph = OpenModel(param, "");
  graph.Build();
  for (const auto& op : graph.operators()) needed.AddType(op->type);
}

int Strip(const Options& options) {
  NeededFiles needed;
  for (const char* type : kPlannersTypes) needed.AddType(type);
  std::string text =
      "# Made by `kuiper strip`: a build with -DKUIPER_OPERATORS=THIS_FILE has the operations of these models alone.\n";
  for (const std::string& model : options.models) {
    AddModel(model, needed);
    text += "#   " + std::filesystem::u8path(model).filename().u8string() + "\n";
  }
  text += "set(KUIPER_OPERATION_FILES";
  for (const std::string& name : needed.names()) text += "\n    " + name;
  WriteFile(options.output, text + ")\n");
  std::cout << options.output << ": " << needed.names().size() << " of " << OperationFiles().size()
            << " files of operations\n";
  return 0;
}

}  // namespace

void AddStripCommand(CLI::App& app, Action& action) {
  const Command command(app, "strip", "List the operations that models need, for a smaller build of the library");
  auto options = std::make_shared<Options>();
  command.Add("--models", options->models, "The models' .pnnx.param files; weights are not read").Required();
  command.Add("--output", options->output, "The file to write, for CMake's option KUIPER_OPERATORS").Required();
  command.SetFooter(
      "Example:\n"
      "  kuiper strip --models a.pnnx.param b.pnnx.param --output operators.cmake\n"
      "  cmake -B build-small -DKUIPER_OPERATORS=$PWD/operators.cmake -DKUIPER_BUILD_TESTS=OFF");
  command.SetAction(action, [options] { return Strip(*options); });
}

}  // namespace kuiper_infer::cli
