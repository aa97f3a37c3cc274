// SPDX-License-Identifier: MIT
#include "kernel/product/product_kernels.hpp"

#include <hwy/detect_compiler_arch.h>

#include "kernel/kernel_families.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/int8/kernel.hpp"
#include "kernel/product/integer_weights/kernel.hpp"
#include "kernel/product/integer_weights/rounding_kernel.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Whether a kernel of float32 rows reads a weight that a file holds in that format.
bool ReadsStored(const ProductKernel& kernel, const WeightFormat& stored) {
  // A scale for each row is one group.
  return &kernel.format == (&stored == &kInt8Format ? &kInt8GroupFormat : &stored);
}

/// Whether a kernel computes what a question asks for, whatever its sizes.
bool Answers(const ProductKernel& kernel, const ProductQuestion& question) {
  if (kernel.left == RuntimeDataType::kTypeUInt8) return question.on_byte_grid && question.stored == &kernel.format;
  if (kernel.format.pieces > 0) return question.stored == &kFloat32Format && question.pieces == kernel.format.pieces;
  return (!kernel.rounds_rows || question.pieces == 1) && ReadsStored(kernel, *question.stored);
}

}  // namespace

std::vector<const ProductKernel*> ProductKernels(const Units& units) {
  std::vector<const ProductKernel*> kernels;
  if (const ProductKernel* const bytes = FindInt8Kernel(units)) kernels.push_back(bytes);
  for (int pieces = 1; pieces <= kMostPieces; ++pieces) kernels.push_back(&BFloat16KernelOf(units.bfloat16, pieces));
  if constexpr (kHasIntegerWeightKernels) {
    if (GainsByRounding(units.isa, units.int8)) {
      for (const ProductKernel* kernel : RoundingKernels(units.isa, units.int8)) kernels.push_back(kernel);
    }
    for (const ProductKernel* kernel : IntegerWeightKernels(units.isa)) kernels.push_back(kernel);
  }
  kernels.push_back(&Float32Kernel(units.isa));
  return kernels;
}

const ProductKernel* FindInt8Kernel(const Units& units) {
  if constexpr (kHasInt8Kernels) {
    // Portable code for integers is slower than float32.
    if (units.int8 != Int8Unit::kPortable) return &Int8KernelOf(units.int8);
  }
  return nullptr;
}

bool HasProductKernels(const Units& units) { return HWY_ARCH_ARM_A64 || HWY_ARCH_WASM || units.isa >= Isa::kAvx2; }

const ProductKernel& ChooseProduct(const Units& units, const ProductQuestion& question) {
  const ProductKernel* fastest = nullptr;
  for (const ProductKernel* kernel : ProductKernels(units)) {
    if (!Answers(*kernel, question) || !kernel->Suits(question.shape)) continue;
    if (fastest == nullptr || kernel->Time(question.shape) < fastest->Time(question.shape)) fastest = kernel;
  }
  if (fastest == nullptr) {
    throw Error(ErrorCode::kUnsupported, std::string("this build lacks the kernels for weights stored as ") +
                                             question.stored->name + ": `kuiper strip` lists what a model needs");
  }
  return *fastest;
}

}  // namespace kuiper_infer::kernel
