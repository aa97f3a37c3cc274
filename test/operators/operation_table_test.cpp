// SPDX-License-Identifier: MIT
// The rows of the table, whose schemas are parsed at their first use.
#include <gtest/gtest.h>

#include "operation/operation.hpp"

namespace kuiper_infer {
namespace {

TEST(OperationTableTest, EverySchemaCanBeRead) {
  for (const auto& [type, overloads] : OperationTable::Instance().rows()) {
    for (const Operation& operation : overloads) {
      EXPECT_EQ(operation.type, type);
      EXPECT_NO_THROW(operation.schema->arguments()) << type << ": " << operation.schema->text();
    }
  }
}

}  // namespace
}  // namespace kuiper_infer
