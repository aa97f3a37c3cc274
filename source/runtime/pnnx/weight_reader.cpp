// SPDX-License-Identifier: MIT
#include "runtime/pnnx/weight_reader.hpp"

#include <map>
#include <utility>

#include "data/little_endian.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/utils/shape.hpp"
#include "runtime/pnnx/zip_archive.hpp"

namespace kuiper_infer {
namespace {

/// Smaller weights are read at once: they would gain little, and planning looks at many of them.
constexpr uint64_t kLarge = uint64_t{1} << 16;

/// Whether weights of that type may stay in the file, because they are packed part by part.
bool CanStay(RuntimeDataType type) {
  return type == RuntimeDataType::kTypeFloat32 || type == RuntimeDataType::kTypeInt8 ||
         type == RuntimeDataType::kTypeUInt8;
}

/// The entries of one archive, checked against what a graph expects.
class WeightReader {
 public:
  WeightReader(std::shared_ptr<const ByteSource> source, int64_t most_bytes, WeightReading reading)
      : archive_(std::move(source)), most_bytes_(most_bytes), reading_(reading) {}

  void Read(const std::string& name, pnnx::Attribute& attribute) {
    const Shape shape(attribute.shape.begin(), attribute.shape.end());
    const auto type = static_cast<RuntimeDataType>(attribute.type);
    const auto bytes = static_cast<uint64_t>(ByteCount(type, shape));
    const ZipEntry* const entry = archive_.Find(name, seen_[name]++);
    if (entry == nullptr) {
      if (bytes == 0) return;
      Fail("has no entry '" + name + "', expected " + std::to_string(bytes) + " bytes");
    }
    if (entry->size != bytes) {
      Fail("entry '" + name + "' has " + std::to_string(entry->size) + " bytes, expected " + std::to_string(bytes) +
           " for " + TypeName(type) + " " + ShapeString(shape));
    }
    // A damaged archive may announce more than it holds: deflation packs at most 1032 bytes into one.
    if (bytes / 1032 > archive_.source().size()) Fail("entry '" + name + "' is larger than the file allows");
    if (most_bytes_ > 0 && bytes > static_cast<uint64_t>(most_bytes_) - taken_) {
      throw Error(ErrorCode::kResource, archive_.source().name() + ": weights up to entry '" + name +
                                            "' take more than the limit of " + std::to_string(most_bytes_) + " bytes");
    }
    taken_ += bytes;
    if (reading_ == WeightReading::kWhenNeeded && CanStay(type) && bytes >= kLarge) {
      attribute.stored = archive_.Stored(*entry);
      if (attribute.stored != nullptr) return;
    }
    attribute.data.resize(bytes);
    archive_.Read(*entry, attribute.data.data());
    if (type == RuntimeDataType::kTypeBool) {
      for (char& flag : attribute.data) flag = flag != 0 ? 1 : 0;
    }
  }

  std::string Contents() const {
    FieldWriter contents;
    for (const ZipEntry& entry : archive_.entries()) {
      contents.U64(entry.name.size()).Text(entry.name).U32(entry.crc).U64(entry.size).U64(entry.header);
    }
    return contents.bytes();
  }

 private:
  [[noreturn]] void Fail(const std::string& text) const {
    throw Error(ErrorCode::kFile, archive_.source().name() + ": " + text);
  }

  ZipArchive archive_;
  const int64_t most_bytes_;
  const WeightReading reading_;
  std::map<std::string, std::size_t> seen_;
  uint64_t taken_ = 0;
};

}  // namespace

std::string ReadWeights(pnnx::Graph& graph, std::shared_ptr<const ByteSource> archive, int64_t most_bytes,
                        WeightReading reading) {
  WeightReader reader(std::move(archive), most_bytes, reading);
  for (pnnx::Operator* op : graph.ops) {
    for (auto& [key, attribute] : op->attrs) {
      if (attribute.type != 0) reader.Read(op->name + "." + key, attribute);
    }
  }
  return reader.Contents();
}

}  // namespace kuiper_infer
