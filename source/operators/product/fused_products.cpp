// SPDX-License-Identifier: MIT
#include "operators/product/fused_products.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "kernel/product/multiply_together.hpp"

namespace kuiper_infer {

KernelCall FusedProducts::MakeCall(const Fusion& fusion, const PlanningContext& context) const {
  KernelCall call;
  std::vector<PackedProduct> products;
  std::vector<FusedProduct> parts = parts_;
  for (FusedProduct& part : parts) {
    part.fusion.inputs = fusion.inputs;
    products.push_back(part.product.Pack(part.fusion, context));
    call.multiply_adds += part.product.multiply_adds();
    part.product.NoteWeight(products.back(), call);
  }
  const std::string kernel = products.front().product.weight.kernel->name;
  call.method = std::to_string(products.size()) + " products" + (kernel.empty() ? "" : " of " + kernel);
  call.run = [products](const RunContext& c) {
    std::array<kernel::Product, kMost> now;
    const std::size_t count = products.size();
    for (std::size_t i = 0; i < count; ++i) now[i] = products[i].In(c, static_cast<int>(i));
    kernel::MultiplyTogether(now.data(), static_cast<int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) products[i].Round(now[i]);
  };
  call.rowwise = std::make_shared<const RowsTimesWeights>(std::move(parts));
  return call;
}

}  // namespace kuiper_infer
