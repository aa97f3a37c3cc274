// SPDX-License-Identifier: MIT
// Every option is in the table, and headers, Python and documents have the options of the table.
#include "runtime/build_option_table.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kuiper_infer::test {
namespace {

using Names = std::vector<std::string>;

std::string TextOf(const std::string& path) {
  std::ifstream file(KUIPER_SOURCE_DIR "/" + path);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the captures of `pattern` between `begin` and the next `end`, in order.
Names Found(const std::string& path, const std::string& begin, const std::string& end, const std::string& pattern) {
  const std::string text = TextOf(path);
  const std::size_t first = text.find(begin);
  EXPECT_NE(first, std::string::npos) << path << " has no " << begin;
  const std::string part = text.substr(first, text.find(end, first) - first);
  const std::regex expression(pattern);
  Names names;
  for (std::sregex_iterator match(part.begin(), part.end(), expression), none; match != none; ++match) {
    names.push_back((*match)[1]);
  }
  return names;
}

/// Returns the table's names in the order of the members in `object`.
template <class Object, class Member>
Names NamesByAddress(const Object& object, Member BuildOption::*member) {
  std::map<const void*, std::string> names;
  for (const BuildOption& option : BuildOptionTable()) {
    const void* const address =
        std::visit([&](auto pointer) { return static_cast<const void*>(&(object.*pointer)); }, option.*member);
    EXPECT_TRUE(names.emplace(address, option.name).second) << option.name << " has another option's member";
  }
  Names ordered;
  for (const auto& [address, name] : names) ordered.push_back(name);
  return ordered;
}

Names Keywords(bool only_in_config) {
  Names keywords;
  for (const BuildOption& option : BuildOptionTable()) {
    if (option.in_config || !only_in_config) keywords.push_back(option.keyword);
  }
  return keywords;
}

/// The names but `states` and, in C, their count: they describe the model and are no options of the table.
Names WithoutStates(Names names) {
  for (const char* own : {"states", "state_count"})
    names.erase(std::remove(names.begin(), names.end(), own), names.end());
  return names;
}

constexpr const char* kEndOfStruct = "\n}";
constexpr const char* kMember = "\n  [\\w:<>, *]*?(\\w+)(?: = [^;]*)?;";

TEST(BuildOptionTableTest, EveryMemberOfBuildOptionsIsAnOption) {
  const Names members = WithoutStates(
      Found("include/kuiper_infer/runtime/build_options.hpp", "struct BuildOptions {", kEndOfStruct, kMember));
  EXPECT_GE(members.size(), 8U);
  EXPECT_EQ(members, NamesByAddress(BuildOptions(), &BuildOption::member));
}

TEST(BuildOptionTableTest, EveryMemberOfTheCStructIsAnOption) {
  Names members =
      WithoutStates(Found("include/kuiper_infer/kuiper_c.h", "typedef struct kuiper_options {", kEndOfStruct, kMember));
  ASSERT_FALSE(members.empty());
  EXPECT_EQ(members.front(), "size");
  members.erase(members.begin());
  EXPECT_EQ(members, NamesByAddress(kuiper_options(), &BuildOption::c_member));
}

TEST(BuildOptionTableTest, PythonHasEveryOption) {
  const Names keywords =
      WithoutStates(Found("python/kuiper_infer/_model.py", "        *,\n", ") -> None", "\n        (\\w+): "));
  EXPECT_THAT(keywords, testing::UnorderedElementsAreArray(Keywords(false)));
  const Names explained =
      WithoutStates(Found("python/kuiper_infer/_model.py", "class Model:", "def __init__", "\n    `(\\w+)`:"));
  EXPECT_THAT(explained, testing::UnorderedElementsAreArray(Keywords(false)));
}

TEST(BuildOptionTableTest, ConfigurationsOfTheServiceHaveWhatIsOfferedThere) {
  Names keys = Found("python/kuiper_infer/serve/config.py", "class ModelConfig:", "\n\n\n", "\n    (\\w+): ");
  for (const char* own : {"workers", "batching", "limits", "generation"})
    keys.erase(std::remove(keys.begin(), keys.end(), own), keys.end());
  EXPECT_THAT(keys, testing::UnorderedElementsAreArray(Keywords(true)));
  const std::string page = TextOf("docs/serving.md");
  for (const std::string& key : Keywords(true))
    EXPECT_TRUE(std::regex_search(page, std::regex("\n(# )?" + key + " = "))) << key;
}

/// Returns the row of the documents' table.
std::string DocumentRow(const BuildOption& option) {
  const auto code = [](const std::string& text) { return text.empty() ? text : "`" + text + "`"; };
  const std::string unset = option.fallback.empty() ? ValueText(option, {}) : option.fallback;
  return "| " + code(option.name) + " | " + code(option.flag) + " | " + code(option.keyword) +
         (option.in_config ? "" : ", not in `config.toml`") + " | " + code(option.variable) + " | " +
         ExpectedText(option) + " | " + unset + " | " + option.help + " |\n";
}

TEST(BuildOptionTableTest, TheDocumentsHaveItsRows) {
  const std::string page = TextOf("docs/threads-and-memory.md");
  std::string rows;
  for (const BuildOption& option : BuildOptionTable()) rows += DocumentRow(option);
  EXPECT_NE(page.find("|---|\n" + rows + "\n"), std::string::npos) << "docs/threads-and-memory.md lacks\n" << rows;
}

}  // namespace
}  // namespace kuiper_infer::test
