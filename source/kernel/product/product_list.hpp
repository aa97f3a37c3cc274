// SPDX-License-Identifier: MIT
#pragma once

#include "kernel/product/product_kernel.hpp"
#include "utils/rounding.hpp"

namespace kuiper_infer::kernel {

/// Products of the same rows by the same kernel. Their panels are numbered as if the weights lay side by side.
class ProductList {
 public:
  /// A panel of one of the products.
  struct Panel {
    const Product& product;
    int64_t index;
  };

  /// `products` outlives the list.
  ProductList(const Product* products, int64_t count) : products_(products), count_(count) {
    for (int64_t i = 0; i < count; ++i) {
      columns_ += products[i].columns;
      panels_ += PanelsOf(products[i]);
    }
  }

  /// The first product. What it says of the rows and of the kernel holds for all.
  const Product& front() const { return *products_; }
  int64_t columns() const { return columns_; }
  int64_t panels() const { return panels_; }

  Panel At(int64_t panel) const {
    const Product* product = products_;
    for (const Product* const last = products_ + count_ - 1; product < last && panel >= PanelsOf(*product); ++product) {
      panel -= PanelsOf(*product);
    }
    return {*product, panel};
  }

 private:
  static int64_t PanelsOf(const Product& product) {
    return DivideUp(product.columns, product.weight.kernel->panels.Columns());
  }

  const Product* products_;
  int64_t count_;
  int64_t columns_ = 0;
  int64_t panels_ = 0;
};

}  // namespace kuiper_infer::kernel
