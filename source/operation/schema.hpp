// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kuiper_infer/data/value.hpp"

namespace kuiper_infer {

/// What an argument may be. Lists accept a single item where PyTorch does.
enum class ArgumentKind {
  kTensor,
  kTensorList,
  kInt,
  kIntList,
  kFloat,
  kFloatList,
  kBool,
  kString,
  kNumber,
  kType,
  kAny
};

/// One argument of an operation.
struct ArgumentSchema {
  std::string name;                  ///< PyTorch's name
  std::vector<std::string> aliases;  ///< other names for it in files
  ArgumentKind kind = ArgumentKind::kAny;
  bool optional = false;  ///< None is allowed ("Tensor?")
  bool list = false;      ///< written with brackets
  int count = 0;          ///< length of a fixed-length list ("int[2]"), otherwise 0
  std::optional<Value> default_value;
};

/// An operation's arguments in PyTorch's order. They are parsed when they are first asked for, because a program uses
/// few of all operations. The text looks like
///     "Tensor input|self, Tensor weight, Tensor? bias=None, int[2] stride=1, str padding_mode=zeros, bool
///     ceil_mode=False"
/// Kinds: Tensor, Tensor[], any[], int, int[], int[N], float, float[], bool, str, Scalar (any number), dtype, any; `?`
/// after the kind allows None. `|` separates alternative names. An argument without a default is required; `?` alone
/// does not make None its default. `*` as an item has no meaning: in PyTorch the arguments after it are given by name.
class Schema {
 public:
  explicit Schema(std::string text) : text_(std::move(text)) {}

  /// The arguments in order. Like Find, it throws std::logic_error if the text is malformed.
  const std::vector<ArgumentSchema>& arguments() const;
  /// The index of the argument with this name or alias, or -1.
  int Find(const std::string& name) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  mutable std::once_flag parsed_;
  mutable std::vector<ArgumentSchema> arguments_;
};

/// An argument's kind as the schema writes it, such as "int[2]?".
std::string KindText(const ArgumentSchema& argument);

}  // namespace kuiper_infer
