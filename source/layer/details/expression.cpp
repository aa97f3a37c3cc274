// SPDX-License-Identifier: MIT
#include <complex>
#include <cstdlib>
#include <limits>

#include "kuiper_infer/parser/parse_expression.hpp"
#include "layer/abstract/operation_list.hpp"
#include "layer/details/elementwise_plan.hpp"
#include "layer/details/scalar_math.hpp"
#include "shape/promote.hpp"

namespace kuiper_infer {
namespace {

/// What stands on the evaluation stack: a known value, or an array whose instructions begin at `begin` of the program.
struct Item {
  Value known;
  bool array = false;
  std::size_t begin = 0;
  TensorSpec spec;   ///< rank 0 or not and python_scalar matter for promotion, extents do not
  int operand = -1;  ///< the input that this item is, untouched
};

/// Evaluates an expression in reverse Polish order on what is known of its inputs: numbers are folded, arrays give a
/// block program.
class ExpressionPlanner {
 public:
  explicit ExpressionPlanner(const Arguments& arguments) : arguments_(arguments) {
    if (const Argument::List* list = arguments.Get("inputs").list()) inputs_ = *list;
  }

  OperationPlan Plan() {
    ExpressionParser parser(arguments_.String("expr"));
    for (const auto& node : parser.Generate()) {
      if (node->num_index == static_cast<int32_t>(TokenType::TokenLeftSquare)) return PlanList(node->items.size());
      Push(*node);
    }
    return PlanItem(stack_.back());
  }

 private:
  [[noreturn]] void Fail(const std::string& text) const {
    arguments_.Fail(ErrorCode::kArgument, "expression '" + arguments_.String("expr") + "': " + text);
  }

  Item Pop() {
    Item item = std::move(stack_.back());
    stack_.pop_back();
    return item;
  }

  void PushKnown(Value value) {
    Item item;
    item.known = std::move(value);
    stack_.push_back(std::move(item));
  }

  void Push(const TokenNode& node) {
    if (node.num_index >= 0) return PushOperand(node.num_index);
    switch (static_cast<TokenType>(node.num_index)) {
      case TokenType::TokenNumber:
        return PushKnown(ParseNumber(node.text));
      case TokenType::TokenWord:
        return PushKnown(node.text == "None"                           ? Value()
                         : node.text == "True" || node.text == "False" ? Value(node.text == "True")
                                                                       : Value(node.text));
      case TokenType::TokenCast:
        return PushCast(node.text);
      case TokenType::TokenSize:
        return PushSize(node.right != nullptr);
      case TokenType::TokenSin:
      case TokenType::TokenUnary:
        return PushUnary(*kernel::FindUnary(node.text));
      default:
        return PushBinary(*kernel::FindBinary(node.text));
    }
  }

  void PushOperand(int index) {
    if (index >= static_cast<int>(inputs_.size())) {
      Fail("operand @" + std::to_string(index) + " is used, the operator has " + std::to_string(inputs_.size()) +
           " inputs");
    }
    const Argument& input = inputs_[static_cast<std::size_t>(index)];
    Item item;
    item.operand = index;
    if (const TensorArgument* tensor = input.tensor()) {
      if (tensor->is_constant() && tensor->spec.python_scalar) {
        item.known = NumberFromArray(tensor->constant);
      } else {
        item.array = true;
        item.spec = tensor->spec;
        item.begin = program_.instructions.size();
        program_.instructions.push_back(InputInstruction(static_cast<int>(operands_.size()), tensor->spec.type));
        operands_.push_back(*tensor);
      }
    } else if (input.known() != nullptr) {
      item.known = *input.known();
    } else {
      item.array = true;  // a list: can only be passed on
      item.spec = TensorSpec(RuntimeDataType::kTypeUnknown, {0});
      item.begin = program_.instructions.size();
    }
    stack_.push_back(std::move(item));
  }

  void PushSize(bool with_axis) {
    const Item axis = with_axis ? Pop() : Item();
    const Item array = Pop();
    const TensorArgument* tensor =
        array.operand >= 0 ? inputs_[static_cast<std::size_t>(array.operand)].tensor() : nullptr;
    if (tensor == nullptr) Fail("size needs an array operand");
    if (array.array) {
      program_.instructions.resize(array.begin);  // only the shape is read
      operands_.pop_back();
    }
    const Shape& shape = tensor->spec.shape;
    if (!with_axis) {
      Value::List extents;
      for (const int64_t extent : shape) extents.emplace_back(extent);
      return PushKnown(extents);
    }
    const auto rank = static_cast<int64_t>(shape.size());
    if (!axis.known.Is<int64_t>() || axis.known.Get<int64_t>() < -rank || axis.known.Get<int64_t>() >= rank) {
      Fail("size of axis " + ValueString(axis.known) + " of an array of shape " + ShapeString(shape));
    }
    const int64_t index = axis.known.Get<int64_t>();
    PushKnown(shape[static_cast<std::size_t>(index < 0 ? index + rank : index)]);
  }

  void PushCast(const std::string& type) {
    if (!stack_.back().array) return PushKnown(CastNumber(type, RequireNumber(Pop())));
    // A number that is computed while running.
    Item item = Pop();
    kernel::BlockInstruction cast = UnaryInstruction(arguments_, *kernel::FindUnary("positive"), item.spec.type);
    cast.result = type == "int" ? RuntimeDataType::kTypeInt64 : TypeFromTorchName(type);
    Emit(item, cast);
  }

  void PushUnary(const kernel::UnaryFunction& function) {
    Item item = Pop();
    if (!item.array) return PushKnown(ApplyToNumber(function, RequireNumber(item)));
    Emit(item, UnaryInstruction(arguments_, function, item.spec.type));
  }

  void Emit(Item item, const kernel::BlockInstruction& instruction) {
    program_.instructions.push_back(instruction);
    item.spec.type = instruction.result;
    item.operand = -1;
    stack_.push_back(std::move(item));
  }

  void PushBinary(const kernel::BinaryFunction& function) {
    const Item right = Pop();
    const Item left = Pop();
    if (!left.array && !right.array) {
      return PushKnown(ApplyToNumbers(function, RequireNumber(left), RequireNumber(right)));
    }
    const TensorSpec left_spec = SpecOf(left);
    const TensorSpec right_spec = SpecOf(right);
    auto& code = program_.instructions;
    if (!left.array)
      code.insert(code.begin() + static_cast<std::ptrdiff_t>(right.begin), ConstantInstruction(left.known));
    if (!right.array) code.push_back(ConstantInstruction(right.known));
    Item item;
    item.array = true;
    item.begin = left.array ? left.begin : right.begin;
    item.spec = left_spec.rank() >= right_spec.rank() ? left_spec : right_spec;
    item.spec.python_scalar = left_spec.python_scalar && right_spec.python_scalar;
    Emit(item, BinaryInstruction(arguments_, function, Promote(left_spec, right_spec)));
  }

  TensorSpec SpecOf(const Item& item) const {
    return item.array ? item.spec : ArrayFromNumber(RequireNumber(item)).spec();
  }

  Value RequireNumber(const Item& item) const {
    if (!item.known.IsNumber()) Fail("found " + ValueString(item.known) + ", expected a number");
    return item.known;
  }

  OperationPlan PlanItem(const Item& item) {
    OperationPlan plan;
    if (!item.array) {
      plan.outputs = {OutputPlan::Known(item.known)};
    } else if (item.operand >= 0) {
      plan.outputs = {OutputPlan::Forward(inputs_[static_cast<std::size_t>(item.operand)])};
    } else {
      return PlanBlockProgram(arguments_, std::move(program_), operands_, item.spec.python_scalar);
    }
    return plan;
  }

  OperationPlan PlanList(std::size_t count) {
    std::vector<OutputPlan> items;
    std::vector<std::function<void(const RunContext&)>> runs;
    Value::List known;
    for (std::size_t i = stack_.size() - count; i < stack_.size(); ++i) {
      const bool computed = stack_[i].array && stack_[i].operand < 0;
      std::size_t next = i + 1;
      while (next < stack_.size() && !stack_[next].array) ++next;
      const std::size_t end = next < stack_.size() ? stack_[next].begin : program_.instructions.size();
      OperationPlan item = computed ? PlanPart(stack_[i], end) : PlanItem(stack_[i]);
      items.push_back(std::move(item.outputs.front()));
      if (computed) runs.push_back(std::move(item.run));
      if (!stack_[i].array) known.push_back(stack_[i].known);
    }
    OperationPlan plan;
    plan.outputs = {known.size() == count ? OutputPlan::Known(known) : OutputPlan::List(std::move(items))};
    if (runs.empty()) return plan;
    plan.run = [runs = std::move(runs)](const RunContext& c) {
      for (std::size_t i = 0; i < runs.size(); ++i) runs[i]({c.inputs, c.outputs + i, c.workspace});
    };
    return plan;
  }

  /// The plan of one computed item of a list, whose instructions end at `end`.
  OperationPlan PlanPart(const Item& item, std::size_t end) {
    kernel::BlockProgram part;
    std::vector<TensorArgument> operands;
    for (std::size_t i = item.begin; i < end; ++i) {
      part.instructions.push_back(program_.instructions[i]);
      kernel::BlockInstruction& instruction = part.instructions.back();
      if (instruction.kind != kernel::BlockInstruction::Kind::kInput) continue;
      operands.push_back(operands_[static_cast<std::size_t>(instruction.input)]);
      instruction.input = static_cast<int>(operands.size()) - 1;
    }
    return PlanBlockProgram(arguments_, std::move(part), operands, item.spec.python_scalar);
  }

  static Value ParseNumber(const std::string& text) {
    if (text.find("inf") != std::string::npos)
      return text[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    if (text.find("nan") != std::string::npos) return std::numeric_limits<double>::quiet_NaN();
    char* end = nullptr;
    const double real = std::strtod(text.c_str(), &end);
    if (*end != '\0') {  // complex
      if (*end == 'j') return std::complex<double>(0, real);
      return std::complex<double>(real, std::strtod(*end == '+' && end[1] == '-' ? end + 1 : end, nullptr));
    }
    if (text.find_first_of(".eE") != std::string::npos) return real;
    return static_cast<int64_t>(std::strtoll(text.c_str(), nullptr, 10));
  }

  const Arguments& arguments_;
  Argument::List inputs_;
  kernel::BlockProgram program_;
  std::vector<TensorArgument> operands_;
  std::vector<Item> stack_;
};

OperationPlan PlanExpression(const Arguments& arguments) { return ExpressionPlanner(arguments).Plan(); }

}  // namespace

void RegisterExpression(OperationTable& table) {
  table.Add({"pnnx.Expression"}, "any[] inputs, str expr", PlanExpression, InputLayout::kStrided);
}

}  // namespace kuiper_infer
