// SPDX-License-Identifier: MIT
#include "quantization/grid_keeping.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace kuiper_infer::quantization {
namespace {

using Types = std::set<std::string>;

/// The text of a parameter; empty if the operator has no parameter of that name.
std::string TextOf(const pnnx::Operator& op, const std::string& name) {
  const auto found = op.params.find(name);
  return found == op.params.end() ? "" : found->second.encode_to_string();
}

bool IsZero(const std::string& text) { return text.empty() || text == "None" || text == "0" || text == "0.0"; }

/// Whether an expression is add(...) of terms @0, @1, ... and further sums, and names each of that many inputs once.
bool AddsEachOnce(std::string text, std::size_t inputs) {
  for (std::size_t at = text.find("add("); at != std::string::npos; at = text.find("add(")) text.erase(at, 4);
  text.erase(std::remove(text.begin(), text.end(), ')'), text.end());
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string term; std::getline(stream, term, ',');) found.push_back(term);
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < inputs; ++i) wanted.push_back("@" + std::to_string(i));
  return std::is_permutation(found.begin(), found.end(), wanted.begin(), wanted.end());
}

}  // namespace

bool KeepsGrid(const pnnx::Operator& op) {
  static const Types kMoving = {"nn.MaxPool1d",
                                "nn.MaxPool2d",
                                "nn.MaxPool3d",
                                "F.max_pool1d",
                                "F.max_pool2d",
                                "F.max_pool3d",
                                "nn.UpsamplingNearest2d",
                                "F.upsample_nearest",
                                "nn.Flatten",
                                "torch.flatten",
                                "nn.Unflatten",
                                "torch.unflatten",
                                "Tensor.unflatten",
                                "Tensor.view",
                                "Tensor.reshape",
                                "Tensor.reshape_as",
                                "Tensor.view_as",
                                "torch.squeeze",
                                "torch.unsqueeze",
                                "Tensor.permute",
                                "torch.permute",
                                "torch.transpose",
                                "torch.t",
                                "torch.movedim",
                                "Tensor.slice",
                                "Tensor.select",
                                "torch.narrow",
                                "torch.chunk",
                                "torch.split",
                                "torch.tensor_split",
                                "torch.unbind",
                                "Tensor.expand",
                                "Tensor.expand_as",
                                "torch.flip",
                                "torch.roll",
                                "Tensor.contiguous",
                                "nn.Identity",
                                "nn.Dropout",
                                "nn.Dropout2d",
                                "F.dropout",
                                "nn.PixelShuffle",
                                "F.pixel_shuffle",
                                "nn.PixelUnshuffle",
                                "F.pixel_unshuffle",
                                "nn.ChannelShuffle",
                                "F.channel_shuffle",
                                "nn.ZeroPad2d",
                                "nn.ReflectionPad1d",
                                "nn.ReflectionPad2d",
                                "nn.ReplicationPad1d",
                                "nn.ReplicationPad2d"};
  static const Types kResizing = {"nn.Upsample", "F.upsample", "F.interpolate"};
  static const Types kPadding = {"F.pad", "nn.ConstantPad1d", "nn.ConstantPad2d"};
  if (op.inputs.empty()) return false;
  if (kResizing.count(op.type) != 0) return TextOf(op, "mode") == "nearest";
  if (kPadding.count(op.type) != 0) return IsZero(TextOf(op, "value"));
  return kMoving.count(op.type) != 0 && TextOf(op, "return_indices") != "True" && TextOf(op, "training") != "True";
}

bool IsJoin(const pnnx::Operator& op) {
  static const Types kTypes = {"torch.cat", "torch.stack", "torch.concat"};
  return kTypes.count(op.type) != 0 && !op.inputs.empty();
}

bool IsSum(const pnnx::Operator& op) {
  if (op.inputs.size() < 2) return false;
  if (op.type == "torch.add") return TextOf(op, "alpha").empty() || TextOf(op, "alpha") == "1";
  return op.type == "pnnx.Expression" && AddsEachOnce(TextOf(op, "expr"), op.inputs.size());
}

bool IsAddition(const pnnx::Operator& op) { return op.inputs.size() == 2 && IsSum(op); }

bool IsActivation(const pnnx::Operator& op) {
  static const Types kTypes = {"nn.ReLU",     "F.relu",       "torch.relu",  "nn.ReLU6", "F.relu6",
                               "nn.SiLU",     "F.silu",       "nn.GELU",     "F.gelu",   "nn.Hardswish",
                               "F.hardswish", "nn.LeakyReLU", "F.leaky_relu"};
  return kTypes.count(op.type) != 0 && op.inputs.size() == 1;
}

}  // namespace kuiper_infer::quantization
