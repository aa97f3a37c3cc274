// SPDX-License-Identifier: MIT
#include <iostream>
#include <memory>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "layer/abstract/operation.hpp"

namespace kuiper_infer::cli {
namespace {

int Ops(bool json) {
  const auto& rows = OperationTable::Instance().rows();
  if (json) {
    nlohmann::json table = nlohmann::json::array();
    for (const auto& [type, overloads] : rows) {
      for (const Operation& operation : overloads) {
        table.push_back({{"type", type}, {"arguments", operation.schema.text()}});
      }
    }
    std::cout << table.dump() << "\n";
    return 0;
  }
  for (const auto& [type, overloads] : rows) {
    for (const Operation& operation : overloads) std::cout << type << "(" << operation.schema.text() << ")\n";
  }
  return 0;
}

}  // namespace

void AddOpsCommand(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("ops", "List the supported operators with their arguments");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print a JSON array");
  command->footer("Example:\n  kuiper ops | grep Conv2d");
  command->callback([json, &action] { action = [=] { return Ops(*json); }; });
}

}  // namespace kuiper_infer::cli
