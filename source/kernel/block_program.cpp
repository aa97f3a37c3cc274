// SPDX-License-Identifier: MIT
#include "kernel/block_program.hpp"

#include <algorithm>
#include <complex>
#include <type_traits>

#include "utils/dispatch.hpp"
#include "utils/parallel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Elements per block: a few blocks of doubles stay in the first-level cache.
constexpr int64_t kBlock = 512;
constexpr int64_t kElementBytes = 16;

/// A block on the stack.
struct Register {
  std::byte* memory;
  RuntimeDataType type;

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(memory);
  }
};

template <class Function>
auto DispatchCompute(RuntimeDataType type, const Function& function) {
  switch (ComputeTypeOf(type)) {
    case ComputeType::kFloat:
      return function(TypeTag<float>{});
    case ComputeType::kDouble:
      return function(TypeTag<double>{});
    case ComputeType::kComplex:
      return function(TypeTag<std::complex<double>>{});
    case ComputeType::kInt:
      break;
  }
  return function(TypeTag<int64_t>{});
}

/// One element in another type; complex numbers lose their imaginary part.
template <class To, class From>
To Cast(const From& value) {
  constexpr bool kFromComplex = !std::is_arithmetic_v<From>;
  if constexpr (kFromComplex && std::is_arithmetic_v<To>) {
    return static_cast<To>(value.real());
  } else if constexpr (!kFromComplex && !std::is_arithmetic_v<To>) {
    return To(static_cast<typename To::value_type>(value));
  } else {
    return static_cast<To>(value);
  }
}

/// The type in which elements of `Stored` are computed.
template <class Stored>
using Computed = std::conditional_t<std::is_integral_v<Stored>, int64_t,
                                    std::conditional_t<std::is_arithmetic_v<Stored>, Stored, std::complex<double>>>;

/// DispatchReal with the complex types.
template <class Function>
void DispatchStored(RuntimeDataType type, const Function& function) {
  if (type == RuntimeDataType::kTypeComplex64) return function(TypeTag<std::complex<float>>{});
  if (type == RuntimeDataType::kTypeComplex128) return function(TypeTag<std::complex<double>>{});
  DispatchReal(type, function);
}

/// Integers wrap to the width of their type; bool is 0 or 1.
void Narrow(int64_t* values, int64_t count, RuntimeDataType type) {
  DispatchReal(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      for (int64_t i = 0; i < count; ++i) values[i] = values[i] != 0 ? 1 : 0;
    } else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int64_t)) {
      for (int64_t i = 0; i < count; ++i) values[i] = static_cast<int64_t>(static_cast<T>(values[i]));
    }
  });
}

/// Changes a block's type in place: each element is read before the one that is written over it.
void Convert(Register& block, RuntimeDataType type, int64_t count) {
  if (block.type == type) return;
  DispatchCompute(block.type, [&](auto from_tag) {
    DispatchCompute(type, [&](auto to_tag) {
      using From = typename decltype(from_tag)::type;
      using To = typename decltype(to_tag)::type;
      if constexpr (!std::is_same_v<From, To>) {
        // Growing elements are written from the end.
        const auto convert = [&](int64_t i) {
          const From value = block.as<From>()[i];
          if (std::is_integral_v<To> && type == RuntimeDataType::kTypeBool) {
            block.as<To>()[i] = Cast<To>(static_cast<int64_t>(value != From(0)));
          } else {
            block.as<To>()[i] = Cast<To>(value);
          }
        };
        if (sizeof(To) > sizeof(From)) {
          for (int64_t i = count; i-- > 0;) convert(i);
        } else {
          for (int64_t i = 0; i < count; ++i) convert(i);
        }
      }
    });
  });
  if (ComputeTypeOf(type) == ComputeType::kInt) Narrow(block.as<int64_t>(), count, type);
  block.type = type;
}

/// Reads `count` elements that follow each other in the output's row-major order from element `start` on.
template <class Stored, class T>
void Gather(const Stored* data, const Shape& shape, const Strides& strides, int64_t start, int64_t count, T* to) {
  const auto rank = static_cast<int64_t>(shape.size());
  if (rank == 0) {
    std::fill_n(to, count, Cast<T>(*data));
    return;
  }
  const int64_t inner = shape[rank - 1];
  const int64_t step = strides[rank - 1];
  while (count > 0) {
    const int64_t column = start % inner;
    int64_t rest = start / inner;
    int64_t offset = column * step;
    for (int64_t axis = rank - 1; axis-- > 0;) {
      offset += rest % shape[axis] * strides[axis];
      rest /= shape[axis];
    }
    const int64_t run = std::min(count, inner - column);
    const Stored* from = data + offset;
    if (step == 0) {
      std::fill_n(to, run, Cast<T>(*from));
    } else if (step == 1) {
      for (int64_t i = 0; i < run; ++i) to[i] = Cast<T>(from[i]);
    } else {
      for (int64_t i = 0; i < run; ++i) to[i] = Cast<T>(from[i * step]);
    }
    to += run;
    start += run;
    count -= run;
  }
}

void Load(const ConstArrayView& input, const Shape& shape, const Strides& strides, int64_t start, int64_t count,
          Register& block) {
  block.type = input.type();
  DispatchStored(input.type(), [&](auto tag) {
    using Stored = typename decltype(tag)::type;
    Gather(input.as<Stored>(), shape, strides, start, count, block.as<Computed<Stored>>());
  });
}

void Store(const Register& block, const ArrayView& output, int64_t start, int64_t count) {
  DispatchStored(output.type(), [&](auto tag) {
    using Stored = typename decltype(tag)::type;
    Stored* to = output.as<Stored>() + start;
    const auto* from = block.as<Computed<Stored>>();
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<Stored>(from[i]);
  });
}

/// Axes of extent 1 dropped and neighbours merged where all inputs allow it, so that the innermost runs are long.
struct MergedAxes {
  Shape shape;
  std::vector<Strides> strides;  ///< per input
};

MergedAxes Merge(const std::vector<ConstArrayView>& inputs, const Shape& shape) {
  MergedAxes merged;
  merged.strides.resize(inputs.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    bool joins = !merged.shape.empty();
    for (std::size_t k = 0; k < inputs.size() && joins; ++k) {
      joins = merged.strides[k].back() == inputs[k].strides()[axis] * shape[axis];
    }
    if (joins) {
      merged.shape.back() *= shape[axis];
      for (std::size_t k = 0; k < inputs.size(); ++k) merged.strides[k].back() = inputs[k].strides()[axis];
    } else {
      merged.shape.push_back(shape[axis]);
      for (std::size_t k = 0; k < inputs.size(); ++k) merged.strides[k].push_back(inputs[k].strides()[axis]);
    }
  }
  return merged;
}

/// The block routine of a table row for a compute type.
template <class T, class Function>
auto RoutineOf(const Function& function) {
  if constexpr (std::is_same_v<T, float>) {
    return function.f32;
  } else if constexpr (std::is_same_v<T, double>) {
    return function.f64;
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return function.c128;
  } else {
    return function.i64;
  }
}

/// Integers wrap to their width; comparisons leave 0 or 1 in the type they compared in.
void Finish(const BlockInstruction& instruction, int64_t count, Register& block) {
  if (ComputeTypeOf(instruction.type) == ComputeType::kInt) Narrow(block.as<int64_t>(), count, instruction.type);
  Convert(block, instruction.result, count);
}

void FillConstant(const BlockInstruction& instruction, int64_t count, Register& block) {
  block.type = instruction.result;
  DispatchCompute(instruction.result, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T value = std::is_integral_v<T> ? Cast<T>(instruction.integer) : Cast<T>(instruction.constant);
    std::fill_n(block.as<T>(), count, value);
  });
}

void RunUnary(const BlockInstruction& instruction, int64_t count, Register& block) {
  Convert(block, instruction.type, count);
  DispatchCompute(instruction.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RoutineOf<T> (*instruction.unary)(block.as<T>(), block.as<T>(), count, instruction.parameters.data());
  });
  Finish(instruction, count, block);
}

void RunBinary(const BlockInstruction& instruction, int64_t count, Register& left, Register& right) {
  Convert(left, instruction.type, count);
  Convert(right, instruction.type, count);
  DispatchCompute(instruction.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RoutineOf<T> (*instruction.binary)(left.as<T>(), right.as<T>(), left.as<T>(), count);
  });
  Finish(instruction, count, left);
}

}  // namespace

ComputeType ComputeTypeOf(RuntimeDataType type) {
  if (type == RuntimeDataType::kTypeFloat32) return ComputeType::kFloat;
  if (type == RuntimeDataType::kTypeFloat64) return ComputeType::kDouble;
  if (IsComplex(type)) return ComputeType::kComplex;
  return ComputeType::kInt;
}

void RunBlockProgram(const BlockProgram& program, const std::vector<ConstArrayView>& inputs, const ArrayView& output) {
  const int64_t total = output.size();
  const MergedAxes axes = Merge(inputs, output.shape());
  const int64_t blocks = (total + kBlock - 1) / kBlock;
  constexpr int64_t kGrain = 8;
  ParallelFor(blocks, kGrain, [&](int64_t first, int64_t last) {
    // Expressions of models need a few registers; only absurdly nested ones take memory from the heap.
    constexpr int kUsualDepth = 16;
    alignas(64) std::byte usual[kUsualDepth * kBlock * kElementBytes];
    Register usual_registers[kUsualDepth];
    std::vector<std::byte> deep;
    std::vector<Register> deep_registers;
    std::byte* memory = usual;
    Register* registers = usual_registers;
    if (program.stack_depth > kUsualDepth) {
      deep.resize(static_cast<std::size_t>(program.stack_depth * kBlock * kElementBytes));
      deep_registers.resize(static_cast<std::size_t>(program.stack_depth));
      memory = deep.data();
      registers = deep_registers.data();
    }
    for (int i = 0; i < program.stack_depth; ++i) {
      registers[i] = {memory + i * kBlock * kElementBytes, RuntimeDataType::kTypeFloat32};
    }
    for (int64_t block = first; block < last; ++block) {
      const int64_t start = block * kBlock;
      const int64_t count = std::min(kBlock, total - start);
      int depth = 0;
      for (const BlockInstruction& instruction : program.instructions) {
        switch (instruction.kind) {
          case BlockInstruction::Kind::kInput:
            Load(inputs[instruction.input], axes.shape, axes.strides[instruction.input], start, count,
                 registers[depth++]);
            break;
          case BlockInstruction::Kind::kConstant:
            FillConstant(instruction, count, registers[depth++]);
            break;
          case BlockInstruction::Kind::kUnary:
            RunUnary(instruction, count, registers[depth - 1]);
            break;
          case BlockInstruction::Kind::kBinary:
            --depth;
            RunBinary(instruction, count, registers[depth - 1], registers[depth]);
            break;
        }
      }
      Convert(registers[0], output.type(), count);
      Store(registers[0], output, start, count);
    }
  });
}

}  // namespace kuiper_infer::kernel
