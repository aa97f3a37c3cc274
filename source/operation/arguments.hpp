// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kuiper_infer/data/value.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "operation/schema.hpp"
#include "operation/weights/weight.hpp"

namespace kuiper_infer {

struct PlanningContext;

/// An array argument of an operator as its plan sees it: its spec, its contents if they are known, and where the run
/// finds it.
struct TensorArgument {
  TensorSpec spec;
  int input = -1;                            ///< index into RunContext::inputs
  NdArray constant;                          ///< defined if the contents are known already (folded constants)
  std::shared_ptr<Weight> weight = nullptr;  ///< set for a weight of the operator, which is a constant, too

  bool is_constant() const { return constant.defined() || weight != nullptr; }
  /// The contents of a constant; not defined for other arrays.
  NdArray values() const { return weight != nullptr ? weight->values() : constant; }
  /// Makes the argument a constant of the array's spec.
  void SetValues(const NdArray& array) {
    spec = array.spec();
    constant = array;
    weight = nullptr;
  }
  /// The element of a constant that has exactly one element, a real number; nothing for other arrays.
  std::optional<double> known_number() const;
};

/// The memory of an array argument read with another shape and other strides, like torch.as_strided.
TensorArgument AsStrided(const TensorArgument& tensor, Shape shape, Strides strides);

/// A row-major array argument under another shape of as many elements.
TensorArgument Reshaped(const TensorArgument& tensor, const Shape& shape);

/// One argument: absent, a known value, an array, or a list of arguments.
struct Argument {
  using List = std::vector<Argument>;
  std::variant<std::monostate, Value, TensorArgument, List> value;

  bool absent() const { return std::holds_alternative<std::monostate>(value); }
  const Value* known() const { return std::get_if<Value>(&value); }
  const TensorArgument* tensor() const { return std::get_if<TensorArgument>(&value); }
  const List* list() const { return std::get_if<List>(&value); }
  /// Whether the argument is absent or the known value None.
  bool none() const { return absent() || (known() != nullptr && known()->IsNone()); }
};

/// Kind and content of an argument, for messages.
std::string Describe(const Argument& argument);

/// What the file records of an operator's first output.
struct RecordedOutput {
  RuntimeDataType type = RuntimeDataType::kTypeUnknown;
  int64_t rank = -1;  ///< -1 if the file records no shape
};

/// The arguments of one operator, bound to the operation's schema. Every operation reads its arguments here, whether
/// the file gave them as a parameter, an attribute, a named or positional input, or a constant expression. If an
/// argument does not fit, a getter throws Error(kArgument) that names the argument, the kind wanted and the value
/// found; the caller of the operation adds the operator's name (operator_errors.hpp).
class Arguments {
 public:
  /// `context` must outlive the object.
  Arguments(std::string type, const Schema* schema, std::vector<Argument> values,
            std::map<std::string, TensorArgument> attributes, const PlanningContext& context, int output_count,
            RecordedOutput recorded);

  /// Whether an argument is present and not None.
  bool Has(const std::string& name) const;
  const Argument& Get(const std::string& name) const;

  /// A required array: an argument of the schema or an attribute of the operator.
  const TensorArgument& Tensor(const std::string& name) const;
  /// An optional array; null if it is absent or None.
  const TensorArgument* OptionalTensor(const std::string& name) const;
  /// A list of arrays; a single array counts as a list of one.
  std::vector<TensorArgument> Tensors(const std::string& name) const;

  /// An argument of any kind that has to be known when the graph is planned; `wanted` names the kind for the message.
  const Value& Known(const std::string& name, const char* wanted) const;
  int64_t Int(const std::string& name) const;
  double Float(const std::string& name) const;
  bool Bool(const std::string& name) const;
  std::string String(const std::string& name) const;
  /// A number of the kind that was given: bool, int, float or complex.
  Value Number(const std::string& name) const;
  /// An element type; kTypeUnknown if it is None.
  RuntimeDataType Type(const std::string& name) const;
  std::vector<int64_t> Ints(const std::string& name) const;
  /// A list of exactly `count` integers; a single integer stands for all of them.
  std::vector<int64_t> Ints(const std::string& name, int64_t count) const;
  std::vector<double> Floats(const std::string& name) const;

  /// An axis, checked against the rank (rank 0 counts as 1). A negative number counts from the end.
  int64_t Axis(const std::string& name, int64_t rank) const;
  /// Several axes, each checked as Axis does; repeated axes are refused. Absent, None or empty gives all axes.
  std::vector<int64_t> Axes(const std::string& name, int64_t rank) const;

  /// What the plan depends on besides the arguments.
  const PlanningContext& context() const { return *context_; }
  /// Number of outputs that the model uses.
  int output_count() const { return output_count_; }
  /// What the file records of the first output. It replaces arguments that the converter leaves out.
  const RecordedOutput& recorded() const { return recorded_; }
  /// The spelling of the operation: the operator's type in the file, or the type of a part of a composition.
  const std::string& type() const { return type_; }
  const std::vector<Argument>& values() const { return values_; }
  const Schema& schema() const { return *schema_; }

  /// Throws an Error with this text, to which the caller of the operation adds the operator.
  [[noreturn]] static void Fail(ErrorCode code, const std::string& text) { throw Error(code, text); }
  [[noreturn]] static void Fail(const std::string& text) { Fail(ErrorCode::kShape, text); }
  /// Throws Error(kArgument) unless `condition`.
  static void Require(bool condition, const std::string& text) {
    if (!condition) Fail(text);
  }

 private:
  std::string type_;
  const Schema* schema_;
  std::vector<Argument> values_;
  std::map<std::string, TensorArgument> attributes_;
  const PlanningContext* context_;
  int output_count_;
  RecordedOutput recorded_;
};

}  // namespace kuiper_infer
