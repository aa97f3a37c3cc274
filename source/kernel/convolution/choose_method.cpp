// SPDX-License-Identifier: MIT
#include "kernel/convolution/choose_method.hpp"

#include <algorithm>
#include <vector>

#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/method_measurement.hpp"
#include "kernel/product/float32/kernel.hpp"
#include "kernel/product/int8/kernel.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Less exact methods are chosen only if they are forced or measured.
constexpr double kMostRounding = 8;

using Choices = std::vector<ConvolutionChoice>;

double CostOf(const ConvolutionChoice& choice, const ConvolutionGeometry& geometry, bool channels_last, int threads) {
  return choice.method->cost(geometry, channels_last, threads, *choice.product);
}

/// Returns the first of the choices with the least estimated time.
ConvolutionChoice EstimateFastest(const Choices& choices, const ConvolutionGeometry& geometry, bool channels_last,
                                  int threads) {
  ConvolutionChoice fastest;
  double least = kNotWorthwhile;
  for (const ConvolutionChoice& choice : choices) {
    if (choice.method->rounding > kMostRounding) continue;
    const double cost = CostOf(choice, geometry, channels_last, threads);
    if (fastest.method == nullptr || cost < least) {
      fastest = choice;
      least = cost;
    }
  }
  return fastest;
}

/// Whether a kernel is worth it for a group's products.
bool SuitsGroups(const ProductKernel& product, const ConvolutionGeometry& geometry) {
  const ProductShape shape = ProductShapeOf(geometry);
  const bool few = product.left == RuntimeDataType::kTypeUInt8 && shape.columns < kLeastInt8Channels;
  return !few && product.Suits(shape);
}

/// Chooses for an image that lies as it does, without thinking of a copy.
ConvolutionChoice ChooseInPlace(const ConvolutionGeometry& geometry, bool channels_last, const MethodChoice& choice) {
  Choices rivals;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    for (const ProductKernel* product : choice.products) {
      if (!method.suits(geometry, *product)) continue;
      if (!method.along_channels && !SuitsGroups(*product, geometry)) continue;
      if (method.cost != nullptr) {
        rivals.push_back({&method, product});
      } else if (channels_last) {
        return {&method, product};
      }
    }
  }
  for (const ConvolutionChoice& rival : rivals) {
    if (choice.forced == rival.method->name && &rival.product->format == &kFloat32Format) return rival;
  }
  if (choice.measurements == nullptr || !channels_last)
    return EstimateFastest(rivals, geometry, channels_last, choice.threads);
  const auto hopeless = [&](const ConvolutionChoice& rival) {
    return CostOf(rival, geometry, channels_last, choice.threads) == kNotWorthwhile;
  };
  rivals.erase(std::remove_if(rivals.begin(), rivals.end(), hopeless), rivals.end());
  if (rivals.size() > 1) return choice.measurements->Fastest(geometry, rivals, choice.threads);
  return rivals.empty() ? ConvolutionChoice() : rivals.front();
}

}  // namespace

std::vector<std::string> ForcibleMethods() {
  std::vector<std::string> names;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    const bool known = std::find(names.begin(), names.end(), method.name) != names.end();
    if (method.cost != nullptr && !known) names.emplace_back(method.name);
  }
  return names;
}

ConvolutionChoice ChooseMethod(const ConvolutionGeometry& geometry, bool channels_last, const MethodChoice& choice) {
  const ConvolutionChoice chosen = ChooseInPlace(geometry, channels_last, choice);
  const bool fits = channels_last || chosen.method == nullptr || chosen.method->reads_any_order;
  return fits ? chosen : ChooseInPlace(geometry, true, choice);
}

bool SuitsChannelsLast(const ConvolutionGeometry& geometry, bool channels_last, const Units& units) {
  constexpr int64_t kFewChannels = 8;
  constexpr int64_t kLongProducts = 256;  // make up for few channels
  if (geometry.channels_in == 0) return false;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    if (method.along_channels && method.suits(geometry, Float32Kernel(units.isa))) return true;
  }
  const int64_t outputs = geometry.channels_out / geometry.groups;
  return outputs >= kFewChannels || (outputs > 1 && geometry.group_depth() >= kLongProducts) ||
         (channels_last && geometry.groups == 1);
}

}  // namespace kuiper_infer::kernel
