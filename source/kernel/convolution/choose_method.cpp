// SPDX-License-Identifier: MIT
#include "kernel/convolution/choose_method.hpp"

#include <algorithm>
#include <vector>

#include "kernel/convolution/convolution_product.hpp"
#include "kernel/convolution/cost.hpp"
#include "kernel/convolution/method_measurement.hpp"

namespace kuiper_infer::kernel {
namespace {

/// Less exact methods are left to those who force them or ask for a measurement.
constexpr double kMostRounding = 8;

using Methods = std::vector<const ConvolutionMethod*>;

double CostOf(const ConvolutionMethod& method, const ConvolutionGeometry& geometry, bool channels_last, int threads) {
  return method.cost(geometry, channels_last, threads, ProductTime(method.formats, geometry));
}

/// The first of the methods that should be faster than all others.
const ConvolutionMethod* EstimateFastest(const Methods& methods, const ConvolutionGeometry& geometry,
                                         bool channels_last, int threads) {
  const ConvolutionMethod* fastest = nullptr;
  double least = kNotWorthwhile;
  for (const ConvolutionMethod* method : methods) {
    if (method->rounding > kMostRounding) continue;
    const double cost = CostOf(*method, geometry, channels_last, threads);
    if (fastest == nullptr || cost < least) {
      fastest = method;
      least = cost;
    }
  }
  return fastest;
}

/// Chooses for an image that lies as it does, without thinking of a copy.
const ConvolutionMethod* ChooseInPlace(const ConvolutionGeometry& geometry, bool channels_last,
                                       const MethodChoice& choice) {
  Methods rivals;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    const auto& formats = choice.formats;
    if (std::find(formats.begin(), formats.end(), method.formats) == formats.end()) continue;
    if (!method.suits(geometry)) continue;
    if (!method.along_channels && !SuitsProduct(method.formats, geometry)) continue;
    if (method.cost != nullptr) {
      rivals.push_back(&method);
    } else if (channels_last) {
      return &method;
    }
  }
  for (const ConvolutionMethod* method : rivals) {
    if (choice.forced == method->name) return method;
  }
  if (choice.measurements == nullptr || !channels_last)
    return EstimateFastest(rivals, geometry, channels_last, choice.threads);
  const auto hopeless = [&](const ConvolutionMethod* method) {
    return CostOf(*method, geometry, channels_last, choice.threads) == kNotWorthwhile;
  };
  rivals.erase(std::remove_if(rivals.begin(), rivals.end(), hopeless), rivals.end());
  if (rivals.size() > 1) return choice.measurements->Fastest(geometry, rivals, choice.threads);
  return rivals.empty() ? nullptr : rivals.front();
}

}  // namespace

std::vector<std::string> ForcibleMethods() {
  std::vector<std::string> names;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    if (method.cost != nullptr && method.formats == NumberFormats()) names.emplace_back(method.name);
  }
  return names;
}

const ConvolutionMethod* ChooseMethod(const ConvolutionGeometry& geometry, bool channels_last,
                                      const MethodChoice& choice) {
  const ConvolutionMethod* method = ChooseInPlace(geometry, channels_last, choice);
  const bool fits = channels_last || method == nullptr || method->reads_any_order;
  return fits ? method : ChooseInPlace(geometry, true, choice);
}

bool SuitsChannelsLast(const ConvolutionGeometry& geometry, bool channels_last) {
  constexpr int64_t kFewChannels = 8;
  constexpr int64_t kLongProducts = 256;  // make up for few channels
  if (geometry.channels_in == 0) return false;
  for (const ConvolutionMethod& method : ConvolutionMethods()) {
    if (method.along_channels && method.suits(geometry)) return true;
  }
  const int64_t outputs = geometry.channels_out / geometry.groups;
  return outputs >= kFewChannels || (outputs > 1 && geometry.group_depth() >= kLongProducts) ||
         (channels_last && geometry.groups == 1);
}

}  // namespace kuiper_infer::kernel
