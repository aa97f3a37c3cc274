// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kuiper_infer::cli {

/// Families of operators that pictures show in one colour.
struct OperatorKind {
  const char* id;     ///< a word for style sheets
  const char* name;   ///< for legends
  const char* color;  ///< "#rrggbb", readable on white and on black
};

/// All kinds, in the order of legends.
const std::vector<OperatorKind>& OperatorKinds();

/// The kind of an operator's or step's type. A type that a program registered has the last kind.
const OperatorKind& KindOf(const std::string& type);

}  // namespace kuiper_infer::cli
