// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "operation/binder.hpp"

namespace kuiper_infer {

inline bool TakesArrays(const ArgumentSchema& argument) {
  return argument.kind == ArgumentKind::kTensor || argument.kind == ArgumentKind::kTensorList ||
         argument.kind == ArgumentKind::kAny;
}

/// Whether the type is a raw operator of PyTorch: its inputs are all of its arguments, in the schema's order.
inline bool IsRaw(const std::string& type) {
  return type.rfind("aten::", 0) == 0 || type.rfind("quantized_decomposed::", 0) == 0;
}

/// Matches one call with one row of the table.
class RowBinder {
 public:
  RowBinder(const OperatorCall& call, const Operation& operation, int input_arrays, const PlanningContext& context)
      : call_(call),
        operation_(operation),
        schema_(operation.schema->arguments()),
        context_(context),
        next_array_(input_arrays),
        values_(schema_.size()) {}

  Binding Run(const std::vector<Argument>& inputs);

 private:
  [[noreturn]] void Fail(const std::string& argument, const std::string& text, bool attribute = false) const {
    throw BindError(text, argument, attribute);
  }

  const TensorArgument& AddConstant(const NdArray& array);
  void BindParameter(const std::string& key, const Value& given);
  void BindAttribute(const std::string& key, const std::shared_ptr<Weight>& weight);
  void BindInputs(const std::vector<Argument>& inputs);
  void BindDefaults();
  void Assign(int index, const Argument& given);

  const OperatorCall& call_;
  const Operation& operation_;
  const std::vector<ArgumentSchema>& schema_;
  const PlanningContext& context_;
  int next_array_;
  std::vector<Argument> values_;
  std::map<std::string, TensorArgument> attributes_;
  std::vector<TensorArgument> constants_;
  bool needs_values_ = false;
};

}  // namespace kuiper_infer
