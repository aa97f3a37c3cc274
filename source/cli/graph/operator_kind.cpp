// SPDX-License-Identifier: MIT
#include "cli/graph/operator_kind.hpp"

#include <map>

#include "operation/operation.hpp"

namespace kuiper_infer::cli {
namespace {

enum Kind { kBorder, kConvolution, kProduct, kNormalization, kElementwise, kMovement, kQuantization, kOther };

Kind KindOfFamily(const std::string& family) {
  static const std::map<std::string, Kind> kKinds = {
      {"convolution", kConvolution},  {"product", kProduct},         {"attention", kProduct},
      {"recurrent", kProduct},        {"pooling", kNormalization},   {"normalization", kNormalization},
      {"reduction", kNormalization},  {"elementwise", kElementwise}, {"loss", kElementwise},
      {"movement", kMovement},        {"indexing", kMovement},       {"sorting", kMovement},
      {"sampling", kMovement},        {"signal", kMovement},         {"creation", kMovement},
      {"quantization", kQuantization}};
  const auto found = kKinds.find(family);
  return found == kKinds.end() ? kOther : found->second;
}

}  // namespace

const std::vector<OperatorKind>& OperatorKinds() {
  static const std::vector<OperatorKind> kKinds = {{"border", "input, output", "#4d8b31"},
                                                   {"convolution", "convolution", "#2b6cb0"},
                                                   {"product", "linear, attention, recurrent", "#7b5ea7"},
                                                   {"normalization", "normalisation, pooling, reduction", "#2a8c82"},
                                                   {"elementwise", "element-wise", "#b08a1c"},
                                                   {"movement", "movement", "#7a828a"},
                                                   {"quantization", "rounding to a grid", "#b5485d"},
                                                   {"other", "other", "#a0522d"}};
  return kKinds;
}

const OperatorKind& KindOf(const std::string& type) {
  Kind kind = kOther;
  if (type == "pnnx.Input" || type == "pnnx.Output") {
    kind = kBorder;
  } else if (type == "layout copy") {
    kind = kMovement;
  } else if (const auto& rows = OperationTable::Instance().Find(type); !rows.empty()) {
    kind = KindOfFamily(rows.front().family());
  }
  return OperatorKinds()[kind];
}

}  // namespace kuiper_infer::cli
