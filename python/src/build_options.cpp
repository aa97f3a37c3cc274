// SPDX-License-Identifier: MIT
// The library's table of options, for keyword arguments of Python.
#include "build_options.hpp"

#include <algorithm>
#include <variant>

#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "parts.hpp"
#include "runtime/build_option_table.hpp"

namespace kuiper_infer::python {
namespace {

/// Describes an option for Python, by the type of its member.
struct DescribeMember {
  const BuildOption& option;

  nb::tuple operator()(bool BuildOptions::* /*member*/) const { return Row("switch", false); }
  nb::tuple operator()(std::optional<bool> BuildOptions::* /*member*/) const { return Row("switch", true); }
  nb::tuple operator()(Precision BuildOptions::* /*member*/) const { return Row("word", false); }
  nb::tuple operator()(std::string BuildOptions::* /*member*/) const {
    return Row(option.is_folder ? "folder" : "word", true);
  }
  template <class Number>
  nb::tuple operator()(Number BuildOptions::* /*member*/) const {
    return Row("number", option.zero_is_none);
  }

  nb::tuple Row(const char* kind, bool none_is_unset) const {
    nb::list words;
    for (const std::string& word : option.words) words.append(word);
    const int64_t least = option.zero_is_none ? std::max<int64_t>(option.least, 1) : option.least;
    return nb::make_tuple(option.keyword, kind, none_is_unset, least, option.most, nb::tuple(words), option.in_config,
                          option.help);
  }
};

/// Sets a member from a value of Python's.
struct SetMember {
  const BuildOption& option;
  nb::handle value;
  BuildOptions& build;

  void operator()(std::string BuildOptions::*member) const {
    build.*member = option.is_folder ? PathOf(nb::cast<nb::bytes>(value)) : nb::cast<std::string>(value);
  }
  void operator()(Precision BuildOptions::*member) const { build.*member = PrecisionOf(nb::cast<std::string>(value)); }
  void operator()(std::optional<bool> BuildOptions::*member) const { build.*member = nb::cast<bool>(value); }
  template <class T>
  void operator()(T BuildOptions::*member) const {
    build.*member = nb::cast<T>(value);
  }
};

nb::list Table() {
  nb::list rows;
  for (const BuildOption& option : BuildOptionTable()) rows.append(std::visit(DescribeMember{option}, option.member));
  return rows;
}

}  // namespace

BuildOptions BuildOptionsOf(const nb::dict& given) {
  BuildOptions build;
  if (given.contains("states")) {
    for (const auto& [output, state] : nb::cast<nb::dict>(given["states"])) {
      NamedState named{nb::cast<std::string>(output), nb::cast<std::string>(state[0])};
      if (!state[1].is_none()) named.window = nb::cast<int64_t>(state[1]);
      build.states.push_back(std::move(named));
    }
  }
  for (const BuildOption& option : BuildOptionTable()) {
    const nb::str keyword(option.keyword.c_str());
    if (!given.contains(keyword)) continue;
    const nb::object value = given[keyword];
    if (value.is_none()) continue;
    std::visit(SetMember{option, value, build}, option.member);
    CheckBuildOption(option, build, option.keyword);
  }
  return build;
}

void AddBuildOptions(nb::module_& module) {
  module.def("build_options", &Table,
             "Keyword, kind, whether None stands for an option that is not set, least and largest number, words, "
             "whether config.toml has it, and help of each option.");
}

}  // namespace kuiper_infer::python
