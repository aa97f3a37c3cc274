// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/elementwise/block_program.cpp"
#include "kernel/elementwise/block_program.hpp"

#include <utility>

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/block_register-inl.hpp"
#include "utils/simd.hpp"
#include "utils/threads/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

/// Elements per block: a few blocks of doubles stay in the first-level cache.
constexpr int64_t kBlock = 512;
/// Bytes from one register to the next. The three additional cache lines keep registers from competing for the same
/// sets of the cache.
constexpr int64_t kRegisterBytes = kBlock * 16 + 192;

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

/// Brings a block into the instruction's result type: integers wrap to their width; comparisons leave 0 or 1 in the
/// type they compared in.
void Finish(const BlockInstruction& instruction, int64_t count, Register& block) {
  block.data = block.own;
  if (ComputeTypeOf(instruction.type) == ComputeType::kInt) Narrow(block.write<int64_t>(), count, instruction.type);
  Convert(block, instruction.result, count);
}

void FillConstant(const BlockInstruction& instruction, int64_t count, Register& block) {
  block.type = instruction.result;
  DispatchCompute(instruction.result, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T value = std::is_integral_v<T> ? Cast<T>(instruction.integer) : Cast<T>(instruction.constant);
    std::fill_n(block.write<T>(), count, value);
  });
  block.data = block.own;
}

void RunUnary(const BlockInstruction& instruction, int64_t count, Register& block) {
  Convert(block, instruction.type, count);
  DispatchCompute(instruction.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RoutineOf<T> (*instruction.unary)(block.read<T>(), block.write<T>(), count, instruction.parameters.data());
  });
  Finish(instruction, count, block);
}

void RunBinary(const BlockInstruction& instruction, int64_t count, Register& left, Register& right) {
  Convert(left, instruction.type, count);
  Convert(right, instruction.type, count);
  DispatchCompute(instruction.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    RoutineOf<T> (*instruction.binary)(left.read<T>(), right.read<T>(), left.write<T>(), count);
  });
  Finish(instruction, count, left);
}

/// Whether the last instruction can write to the output directly: the output has the type that is computed in.
bool WritesOutput(const BlockInstruction& last, RuntimeDataType output) {
  const bool computed_in =
      ComputeTypeOf(output) == ComputeType::kFloat || ComputeTypeOf(output) == ComputeType::kDouble;
  const bool operation = last.kind == BlockInstruction::Kind::kUnary || last.kind == BlockInstruction::Kind::kBinary;
  return operation && computed_in && last.type == output && last.result == output;
}

void RunInstruction(const BlockInstruction& instruction, const PreparedProgram& prepared, const void* const* inputs,
                    int64_t start, int64_t count, Register* stack, int& depth) {
  const int input = instruction.input;
  switch (instruction.kind) {
    case BlockInstruction::Kind::kInput:
      Load({inputs[input], prepared.types[input], prepared.axes.shape, prepared.axes.strides[input],
            prepared.storage.InputAt(static_cast<std::size_t>(input))},
           start, count, stack[depth++]);
      break;
    case BlockInstruction::Kind::kConstant:
      FillConstant(instruction, count, stack[depth++]);
      break;
    case BlockInstruction::Kind::kUnary:
      RunUnary(instruction, count, stack[depth - 1]);
      break;
    case BlockInstruction::Kind::kBinary:
      --depth;
      RunBinary(instruction, count, stack[depth - 1], stack[depth]);
      break;
  }
}

/// Runs the program on the blocks [first, last) of the output, with registers in `memory`.
void RunBlocks(const PreparedProgram& prepared, const void* const* inputs, std::byte* output, int64_t first,
               int64_t last, std::byte* memory, Register* stack) {
  const BlockProgram& program = prepared.program;
  const RuntimeDataType type = prepared.output_type;
  const bool changes = prepared.storage.ChangesResults();
  const auto element = static_cast<int64_t>(ElementBytes(changes ? prepared.storage.result : type));
  const BlockInstruction& final = program.instructions.back();
  const bool direct = WritesOutput(final, type) && !changes;
  for (int i = 0; i < program.stack_depth; ++i) {
    stack[i] = {memory + i * kRegisterBytes, nullptr, RuntimeDataType::kTypeFloat32};
  }
  for (int64_t block = first; block < last; ++block) {
    const int64_t start = block * kBlock;
    const int64_t count = std::min(kBlock, prepared.size - start);
    int depth = 0;
    stack[0].own = memory;
    for (const BlockInstruction& instruction : program.instructions) {
      if (direct && &instruction == &final) {
        Convert(stack[0], final.type, count);
        stack[0].own = output + start * element;
      }
      RunInstruction(instruction, prepared, inputs, start, count, stack, depth);
    }
    if (direct) continue;
    Convert(stack[0], type, count);
    changes ? StoreChanged(stack[0].read<float>(), prepared.storage, output + start * element, count)
            : Store(stack[0], type, output + start * element, count);
  }
}

/// Runs a program whose stack is deeper than usual. The stack is allocated outside of the parallel region, from which
/// no exception may leave.
void RunDeep(const PreparedProgram& prepared, const void* const* inputs, std::byte* output, int64_t blocks) {
  const int64_t workers = std::min<int64_t>(MaxThreads(), blocks);
  const auto depth = static_cast<std::size_t>(prepared.program.stack_depth);
  std::vector<std::byte> memory(workers * depth * kRegisterBytes);
  std::vector<Register> stacks(workers * depth);
  ParallelItems(blocks, workers, [&](int64_t worker, int64_t block) {
    RunBlocks(prepared, inputs, output, block, block + 1, memory.data() + worker * depth * kRegisterBytes,
              stacks.data() + worker * depth);
  });
}

}  // namespace

void RunProgram(const PreparedProgram& prepared, const void* const* inputs, void* output) {
  auto* bytes = static_cast<std::byte*>(output);
  const int64_t blocks = (prepared.size + kBlock - 1) / kBlock;
  if (prepared.program.stack_depth > BlockProgram::kUsualDepth) {
    RunDeep(prepared, inputs, bytes, blocks);
    return;
  }
  constexpr int64_t kGrain = 8;
  ParallelFor(blocks, kGrain, [&](int64_t first, int64_t last) {
    alignas(64) std::byte memory[BlockProgram::kUsualDepth * kRegisterBytes];
    Register stack[BlockProgram::kUsualDepth];
    RunBlocks(prepared, inputs, bytes, first, last, memory, stack);
  });
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {
namespace {

MergedAxes Merge(const std::vector<TensorSpec>& inputs, const Shape& shape) {
  MergedAxes merged;
  merged.strides.resize(inputs.size());
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    bool joins = !merged.shape.empty();
    for (std::size_t k = 0; k < inputs.size() && joins; ++k) {
      joins = merged.strides[k].back() == inputs[k].strides[axis] * shape[axis];
    }
    if (joins) {
      merged.shape.back() *= shape[axis];
      for (std::size_t k = 0; k < inputs.size(); ++k) merged.strides[k].back() = inputs[k].strides[axis];
    } else {
      merged.shape.push_back(shape[axis]);
      for (std::size_t k = 0; k < inputs.size(); ++k) merged.strides[k].push_back(inputs[k].strides[axis]);
    }
  }
  return merged;
}

}  // namespace

KUIPER_SIMD_TABLE(RunProgram);

ComputeType ComputeTypeOf(RuntimeDataType type) {
  if (type == RuntimeDataType::kTypeFloat64) return ComputeType::kDouble;
  if (IsFloating(type)) return ComputeType::kFloat;
  if (IsComplex(type)) return ComputeType::kComplex;
  return ComputeType::kInt;
}

PreparedProgram PrepareProgram(BlockProgram program, const std::vector<TensorSpec>& inputs, const TensorSpec& output,
                               const ProgramStorage& storage) {
  PreparedProgram prepared;
  prepared.program = std::move(program);
  prepared.axes = Merge(inputs, output.shape);
  for (const TensorSpec& input : inputs) prepared.types.push_back(input.type);
  prepared.output_type = output.type;
  prepared.size = output.size();
  prepared.storage = storage;
  return prepared;
}

void RunProgram(const PreparedProgram& prepared, const void* const* inputs, void* output) {
  if (prepared.size > 0) KUIPER_SIMD(RunProgram)(prepared, inputs, output);
}

}  // namespace kuiper_infer::kernel
#endif
