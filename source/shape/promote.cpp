// SPDX-License-Identifier: MIT
#include "shape/promote.hpp"

#include <algorithm>

namespace kuiper_infer {
namespace {

using Type = RuntimeDataType;

/// The category of an element type: 0 bool, 1 integer, 2 floating, 3 complex; -1 unknown.
int Category(Type type) {
  if (type == Type::kTypeBool) return 0;
  if (IsInteger(type)) return 1;
  if (IsFloating(type)) return 2;
  return IsComplex(type) ? 3 : -1;
}

/// Kinds of operands in ascending priority: within a category, the type of the kind that comes last here decides.
enum Priority { kPythonNumber, kRankZero, kArray };

Type DefaultOf(int category, Type type) {
  if (category == 2) return Type::kTypeFloat32;
  if (category == 3) return Type::kTypeComplex64;
  return type;
}

Type ComplexOf(Type real) { return real == Type::kTypeFloat64 ? Type::kTypeComplex128 : Type::kTypeComplex64; }

}  // namespace

Type PromoteTypes(Type a, Type b) {
  if (a == b || b == Type::kTypeUnknown) return a;
  if (a == Type::kTypeUnknown) return b;
  const int category_a = Category(a);
  const int category_b = Category(b);
  if (category_a != category_b) {
    const Type high = category_a > category_b ? a : b;
    const Type low = category_a > category_b ? b : a;
    // float64 and complex64 give complex128.
    return Category(high) == 3 && Category(low) == 2 && ComplexOf(low) == Type::kTypeComplex128 ? Type::kTypeComplex128
                                                                                                : high;
  }
  if (category_a == 2 && ElementBytes(a) == 2 && ElementBytes(b) == 2) return Type::kTypeFloat32;  // half and bfloat16
  if (category_a == 1 && (a == Type::kTypeUInt8 || b == Type::kTypeUInt8)) {
    const Type other = a == Type::kTypeUInt8 ? b : a;
    return other == Type::kTypeInt8 ? Type::kTypeInt16 : other;
  }
  return ElementBytes(a) >= ElementBytes(b) ? a : b;
}

Type Promote(const std::vector<TensorSpec>& operands) {
  Type of_priority[3] = {Type::kTypeUnknown, Type::kTypeUnknown, Type::kTypeUnknown};
  for (const TensorSpec& spec : operands) {
    const Priority priority = spec.python_scalar ? kPythonNumber : (spec.rank() == 0 ? kRankZero : kArray);
    const Type type = priority == kPythonNumber ? DefaultOf(Category(spec.type), spec.type) : spec.type;
    of_priority[priority] = PromoteTypes(of_priority[priority], type);
  }
  Type result = of_priority[kArray];
  for (const Priority lower : {kRankZero, kPythonNumber}) {
    // A lower priority counts only with a higher category; floating arrays keep their precision in complex numbers.
    if (Category(of_priority[lower]) <= Category(result)) continue;
    result = IsFloating(result) ? ComplexOf(result) : PromoteTypes(result, of_priority[lower]);
  }
  return result;
}

Type FloatingResult(Type type) { return Category(type) < 2 ? Type::kTypeFloat32 : type; }

}  // namespace kuiper_infer
