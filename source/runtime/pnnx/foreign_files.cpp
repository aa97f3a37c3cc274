// SPDX-License-Identifier: MIT
#include "runtime/pnnx/foreign_files.hpp"

#include <algorithm>
#include <cctype>

namespace pnnx {
namespace {

struct ForeignKind {
  const char* ending;
  const char* what;
  const char* way;
};

constexpr char kExport[] = "export the PyTorch module with kuiper_infer.export or pnnx";
constexpr ForeignKind kForeignKinds[] = {
    {".onnx", "an ONNX model", "`pnnx FILE.onnx` writes one"},
    {".pt", "a file of PyTorch's", kExport},
    {".pt2", "a program of torch.export", "`kuiper convert FILE` of the Python package writes one"},
    {".pth", "a file of PyTorch's", kExport},
    {".ckpt", "a file of PyTorch's", kExport},
    {".torchscript", "a file of PyTorch's", kExport},
    {".safetensors", "a file of weights alone", kExport},
    {".gguf", "a file of weights alone", kExport},
    {".pnnx.bin", "the weights of a model", "it lies beside them"},
};

bool EndsWith(const std::string& path, const std::string& ending) {
  if (path.size() < ending.size()) return false;
  return std::equal(ending.rbegin(), ending.rend(), path.rbegin(),
                    [](char wanted, char found) { return wanted == std::tolower(static_cast<unsigned char>(found)); });
}

}  // namespace

std::string WayFromForeignFile(const std::string& path) {
  for (const ForeignKind& kind : kForeignKinds) {
    if (!EndsWith(path, kind.ending)) continue;
    return std::string(kind.what) + ", expected a .pnnx.param file: " + kind.way + " (docs/exporting.md)";
  }
  return "";
}

}  // namespace pnnx
