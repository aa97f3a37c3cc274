// SPDX-License-Identifier: MIT
#include <filesystem>

#include "kuiper_infer/runtime/ir.h"
#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "runtime/pnnx/param_reader.hpp"

namespace pnnx {
namespace {

using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::RuntimeDataType;

/// The .bin archive: a file, or bytes in memory.
struct Archive {
  std::string name;  ///< for messages
  kuiper_infer::StoreZipReader reader;
  uint64_t bytes = 0;

  [[noreturn]] void Fail(const std::string& text) const { throw Error(ErrorCode::kFile, name + ": " + text); }
};

/// Fills the attributes from the archive. The k-th use of a name in the .param is the k-th entry of that name.
void ReadWeights(Graph& graph, Archive& archive, int64_t most_bytes) {
  kuiper_infer::StoreZipReader& reader = archive.reader;
  std::map<std::string, std::size_t> seen;
  uint64_t taken = 0;
  for (Operator* op : graph.ops) {
    for (auto& [key, attribute] : op->attrs) {
      if (attribute.type == 0) continue;
      const std::string name = op->name + "." + key;
      const kuiper_infer::Shape shape(attribute.shape.begin(), attribute.shape.end());
      const auto type = static_cast<RuntimeDataType>(attribute.type);
      const auto bytes = static_cast<uint64_t>(kuiper_infer::ByteCount(type, shape));
      const std::size_t occurrence = seen[name]++;
      if (!reader.has_file(name, occurrence)) {
        if (bytes == 0) continue;
        archive.Fail("has no entry '" + name + "', expected " + std::to_string(bytes) + " bytes");
      }
      const uint64_t present = reader.get_file_size(name, occurrence);
      if (present != bytes) {
        archive.Fail("entry '" + name + "' has " + std::to_string(present) + " bytes, expected " +
                     std::to_string(bytes) + " for " + kuiper_infer::TypeName(type) + " " +
                     kuiper_infer::ShapeString(shape));
      }
      // A damaged archive may announce more than it holds.
      if (bytes > archive.bytes * 1032) archive.Fail("entry '" + name + "' is larger than the file allows");
      if (most_bytes > 0 && bytes > static_cast<uint64_t>(most_bytes) - taken) {
        throw Error(ErrorCode::kResource, archive.name + ": weights up to entry '" + name +
                                              "' take more than the limit of " + std::to_string(most_bytes) + " bytes");
      }
      taken += bytes;
      attribute.data.resize(bytes);
      if (reader.read_file(name, attribute.data.data(), occurrence) != 0) archive.Fail(reader.error());
      if (type == RuntimeDataType::kTypeBool) {
        for (char& flag : attribute.data) flag = flag != 0 ? 1 : 0;
      }
    }
  }
}

}  // namespace

void Graph::Load(const std::string& param_path, const std::string& bin_path, int64_t most_bytes) {
  Graph loaded;
  ReadParam(loaded, ParamFile::Open(param_path));
  if (!bin_path.empty()) {
    Archive archive;
    archive.name = bin_path;
    if (archive.reader.open(bin_path) != 0) archive.Fail(archive.reader.error());
    archive.bytes = std::filesystem::file_size(bin_path);
    ReadWeights(loaded, archive, most_bytes);
  }
  Swap(loaded);
}

void Graph::LoadFromMemory(std::string_view param_text, std::string_view bin_bytes, int64_t most_bytes) {
  Graph loaded;
  ReadParam(loaded, ParamFile::FromMemory(param_text));
  Archive archive;
  archive.name = "the bin bytes";
  archive.bytes = bin_bytes.size();
  if (archive.reader.open_memory(bin_bytes) != 0) archive.Fail(archive.reader.error());
  ReadWeights(loaded, archive, most_bytes);
  Swap(loaded);
}

void Graph::Swap(Graph& loaded) {
  ops.swap(loaded.ops);
  operands.swap(loaded.operands);
  owned_ops_.swap(loaded.owned_ops_);
  owned_operands_.swap(loaded.owned_operands_);
  by_name_.swap(loaded.by_name_);
}

int Graph::load(const std::string& param_path, const std::string& bin_path) {
  ops.clear();
  operands.clear();
  by_name_.clear();
  owned_ops_.clear();
  owned_operands_.clear();
  error_.clear();
  try {
    Load(param_path, bin_path);
    return 0;
  } catch (const std::exception& error) {
    error_ = error.what();
    return -1;
  }
}

}  // namespace pnnx
