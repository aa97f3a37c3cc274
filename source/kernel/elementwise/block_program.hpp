// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <vector>

#include "kernel/elementwise/functions.hpp"
#include "kernel/quantization/quantize.hpp"
#include "utils/array_view.hpp"

namespace kuiper_infer::kernel {

/// The type that elements are computed in: double for float64, float for the other floating types, int64 for integers
/// and bool, complex numbers of doubles for complex types.
enum class ComputeType { kFloat, kDouble, kInt, kComplex };
ComputeType ComputeTypeOf(RuntimeDataType type);

/// One instruction of a postfix program over blocks. Values on the stack have an element type; instructions convert
/// their operands to `type` first.
struct BlockInstruction {
  enum class Kind { kInput, kConstant, kUnary, kBinary };
  Kind kind = Kind::kInput;
  int input = 0;                  ///< kInput
  std::complex<double> constant;  ///< kConstant, floating or complex
  int64_t integer = 0;            ///< kConstant, integral
  const UnaryFunction* unary = nullptr;
  const BinaryFunction* binary = nullptr;
  std::array<double, 3> parameters{};                      ///< of a unary function
  RuntimeDataType type = RuntimeDataType::kTypeFloat32;    ///< type in which the instruction computes
  RuntimeDataType result = RuntimeDataType::kTypeFloat32;  ///< type of the value that it leaves on the stack
};

/// Element-wise arithmetic over arrays in one pass over memory: the output is cut into blocks that stay in cache, and
/// the program runs on one block after the other.
struct BlockProgram {
  /// A run with a stack up to this depth does not allocate.
  static constexpr int kUsualDepth = 16;
  std::vector<BlockInstruction> instructions;
  int stack_depth = 1;
};

/// The output's axes; axes of extent 1 are left out. Neighbouring axes are merged if all inputs allow it, so that the
/// innermost loops are long.
struct MergedAxes {
  Shape shape;
  std::vector<Strides> strides;  ///< per input
};

/// The stored form of a program's float32 arrays.
struct ProgramStorage {
  /// The form of an input.
  struct Input {
    RuntimeDataType type = RuntimeDataType::kTypeFloat32;  ///< or kTypeUInt8 (bytes of the grid), or kTypeBFloat16
    QuantizationGrid grid = {};
  };
  std::vector<Input> inputs;                               ///< by input; an input without an entry is float32
  std::optional<QuantizationGrid> grid;                    ///< if it is set, results are rounded to it
  RuntimeDataType result = RuntimeDataType::kTypeFloat32;  ///< or kTypeUInt8 (bytes of the grid), or kTypeBFloat16

  Input InputAt(std::size_t input) const { return input < inputs.size() ? inputs[input] : Input(); }
  /// Whether results are rounded or converted after the last instruction.
  bool ChangesResults() const { return grid.has_value() || result != RuntimeDataType::kTypeFloat32; }
};

/// A program with the specs of its arrays, prepared once so that runs decide and allocate nothing.
struct PreparedProgram {
  BlockProgram program;
  MergedAxes axes;
  std::vector<RuntimeDataType> types;  ///< of the inputs
  RuntimeDataType output_type = RuntimeDataType::kTypeFloat32;
  int64_t size = 0;  ///< elements of the output
  ProgramStorage storage;
};

/// Prepares a program. Each input has the output's shape, with stride 0 along broadcast axes, and is float32, float64,
/// an integer type, bool or complex. The output is row-major. `storage` is the stored form of the float32 arrays; their
/// specs have the type float32 in any case.
PreparedProgram PrepareProgram(BlockProgram program, const std::vector<TensorSpec>& inputs, const TensorSpec& output,
                               const ProgramStorage& storage = {});

/// Evaluates a program: `inputs` has the address of each input. Inputs and output must not overlap, unless they are the
/// same array.
void RunProgram(const PreparedProgram& prepared, const void* const* inputs, void* output);

}  // namespace kuiper_infer::kernel
