// SPDX-License-Identifier: MIT
#include <cstdio>
#include <iostream>
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/nearest_name.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/operation.hpp"

namespace kuiper_infer::cli {
namespace {

using Overloads = std::vector<Operation>;

void PrintJson() {
  nlohmann::json table = nlohmann::json::array();
  for (const auto& [type, overloads] : OperationTable::Instance().rows()) {
    for (const Operation& operation : overloads) {
      table.push_back({{"type", type}, {"family", operation.family()}, {"arguments", operation.schema->text()}});
    }
  }
  std::cout << table.dump() << "\n";
}

/// Prints a line for each type: the arguments' names, for each overload.
void PrintNames() {
  for (const auto& [type, overloads] : OperationTable::Instance().rows()) {
    std::cout << type;
    const char* separator = "";
    for (const Operation& operation : overloads) {
      std::string names;
      for (const ArgumentSchema& argument : operation.schema->arguments()) {
        names += (names.empty() ? "" : ", ") + argument.name;
      }
      std::cout << separator << "(" << names << ")";
      separator = " or ";
    }
    std::cout << "\n";
  }
}

/// Prints a line for each argument of a type: kind, names, default.
void PrintArguments(const std::string& type, const Overloads& overloads) {
  for (const Operation& operation : overloads) {
    std::cout << type << (operation.schema->arguments().empty() ? ": no arguments\n" : "\n");
    for (const ArgumentSchema& argument : operation.schema->arguments()) {
      std::string names = argument.name;
      for (const std::string& alias : argument.aliases) names += " or " + alias;
      std::cout << "  " << KindText(argument) << " " << names;
      if (argument.default_value.has_value()) std::cout << " = " << ValueString(*argument.default_value);
      std::cout << "\n";
    }
  }
}

int Ops(const std::vector<std::string>& types, bool json) {
  const auto& rows = OperationTable::Instance().rows();
  for (const std::string& type : types) {
    const auto found = rows.find(type);
    if (found == rows.end()) {
      std::vector<std::string> names;
      for (const auto& [name, overloads] : rows) names.push_back(name);
      throw Error(ErrorCode::kUnsupported, "operator type '" + type + "' is not supported, the nearest one is '" +
                                               NearestName(type, names) + "'");
    }
    PrintArguments(type, found->second);
  }
  if (json) {
    PrintJson();
  } else if (types.empty()) {
    PrintNames();
  }
  return 0;
}

}  // namespace

void AddOpsCommand(CLI::App& app, Action& action) {
  const Command command(app, "ops", "List the supported operators with their arguments");
  auto types = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false);
  const Option described =
      command.Add("type", *types, "Describe these types only: kind, name and default of each argument");
  command.AddFlag("--json", *json, "Print a JSON array of all types with their families and full schemas")
      .Excludes(described);
  command.SetFooter(
      "Arguments are written as in PyTorch's schemas: `int[]` is a list, `?` allows None, and an argument without a\n"
      "default is required. A type with several lists of arguments accepts any of them.\n"
      "Examples:\n"
      "  kuiper ops | grep Conv2d\n"
      "  kuiper ops nn.Conv2d torch.max");
  command.SetAction(action, [=] { return Ops(*types, *json); });
}

}  // namespace kuiper_infer::cli
