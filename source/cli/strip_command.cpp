// SPDX-License-Identifier: MIT
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/model_session.hpp"
#include "data/file_writer.hpp"
#include "operation/binder.hpp"
#include "operation/operation.hpp"
#include "operation/weights/weight.hpp"

namespace kuiper_infer::cli {
namespace {

/// Types that planning itself calls for any model: converted operands, views of bytes, parts of arrays, numbers.
constexpr const char* kPlannersTypes[] = {"Tensor.to", "aten::view.dtype", "Tensor.slice", "pnnx.Expression"};

struct Options {
  std::vector<std::string> models;
  std::string output;
};

/// What models need of the library.
class Needs {
 public:
  /// Adds the files of operations that have rows for a type, or for a type that those files' operations call in turn.
  void AddType(const std::string& type) {
    for (const Operation& row : OperationTable::Instance().Find(type)) AddFile(row.file);
  }

  /// Adds what an operator needs.
  void AddOperator(const RuntimeOperator& op) {
    AddType(op.type);
    if (op.call == nullptr) return;
    const auto groups = op.call->params.find("groups");
    if (groups != op.call->params.end() && groups->second.Is<int64_t>() && groups->second.Get<int64_t>() > 1)
      families_.insert("channelwise");
    for (const auto& [key, weight] : op.call->attributes) {
      if (weight->quantized() != nullptr) families_.insert("integer_weights");
    }
  }

  const std::set<std::string>& files() const { return files_; }
  /// The families of kernels that a build may lack (kernel/kernel_families.hpp).
  const std::set<std::string>& families() const { return families_; }

 private:
  void AddFile(const std::string& name) {
    if (!files_.insert(name).second) return;
    if (name.rfind("quantization/", 0) == 0) families_.insert("int8");
    for (const OperationFile& file : OperationFiles()) {
      if (file.name != name) continue;
      std::istringstream calls(file.calls);
      for (std::string type; calls >> type;) AddType(type);
    }
  }

  std::set<std::string> files_;
  std::set<std::string> families_;
};

/// Adds what the model's operators need, those included that loading makes of others. Throws Error if the model cannot
/// be built.
void AddModel(const std::string& param, Needs& needs) {
  RuntimeGraph graph = OpenModel(param, "");
  graph.Build();
  for (const auto& op : graph.operators()) needs.AddOperator(*op);
}

/// CMake's command that sets a list.
std::string SetList(const std::string& name, const std::set<std::string>& values) {
  std::string text = "set(" + name;
  for (const std::string& value : values) text += "\n    " + value;
  return text + ")\n";
}

int Strip(const Options& options) {
  Needs needs;
  for (const char* type : kPlannersTypes) needs.AddType(type);
  std::string text =
      "# Made by `kuiper strip`: a build with -DKUIPER_OPERATORS=THIS_FILE has only what these models need.\n";
  for (const std::string& model : options.models) {
    AddModel(model, needs);
    text += "#   " + std::filesystem::u8path(model).filename().u8string() + "\n";
  }
  text += SetList("KUIPER_OPERATION_FILES", needs.files()) + SetList("KUIPER_KERNEL_FAMILIES", needs.families());
  WriteFile(options.output, text);
  std::cout << options.output << ": " << needs.files().size() << " of " << OperationFiles().size()
            << " files of operations\n";
  return 0;
}

}  // namespace

void AddStripCommand(CLI::App& app, Action& action) {
  const Command command(app, "strip",
                        "List the operations and kernels that models need, for a smaller build of the library");
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
