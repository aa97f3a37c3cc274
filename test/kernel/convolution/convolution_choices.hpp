// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kernel/convolution/choose_method.hpp"
#include "kernel/product/bfloat16/kernel.hpp"
#include "kernel/product/bfloat16/pieces.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/int8/kernel.hpp"

namespace kuiper_infer::kernel {

inline const ProductKernel& Floats() { return Float32Kernel(UsedIsa()); }
inline const ProductKernel& Bytes() { return Int8KernelOf(UsedInt8Unit()); }
inline const ProductKernel& Split(int pieces) { return BFloat16KernelOf(UsedMatrixUnit(), pieces); }

/// Returns the methods, each with its kernels, that suit a geometry.
inline std::vector<ConvolutionChoice> ChoicesFor(const ConvolutionGeometry& geometry) {
  std::vector<const ProductKernel*> products{&Floats(), &Bytes()};
  for (int pieces = 1; pieces <= kMostPieces; ++pieces) products.push_back(&Split(pieces));
  std::vector<ConvolutionChoice> choices;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    for (const ProductKernel* product : products) {
      if (method.suits(geometry, *product)) choices.push_back({&method, product});
    }
  }
  return choices;
}

/// Returns the choice of that name, such as "rows, int8"; a choice without a method if there is none.
inline ConvolutionChoice ChoiceOf(const std::string& name, const ConvolutionGeometry& geometry) {
  for (const ConvolutionChoice& choice : ChoicesFor(geometry)) {
    if (choice.Name() == name) return choice;
  }
  return {};
}

/// Returns the method of that name with the float32 kernel, whether it suits a geometry or not.
inline ConvolutionChoice MethodOfFloats(const std::string& name) {
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    if (name == method.name) return {&method, &Floats()};
  }
  return {};
}

/// Returns a choice among the methods of one kernel.
inline MethodChoice ChoiceAmong(const ProductKernel& product, int threads = 1,
                                MethodMeasurements* measurements = nullptr, std::string_view forced = {}) {
  return {threads, measurements, forced, {&product}};
}

inline bool operator==(const ConvolutionChoice& a, const ConvolutionChoice& b) {
  return a.method == b.method && a.product == b.product;
}
inline bool operator!=(const ConvolutionChoice& a, const ConvolutionChoice& b) { return !(a == b); }

}  // namespace kuiper_infer::kernel
