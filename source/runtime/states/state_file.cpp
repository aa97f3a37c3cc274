// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "data/bool_bytes.hpp"
#include "data/byte_source.hpp"
#include "data/checksum.hpp"
#include "data/file_beside.hpp"
#include "data/file_writer.hpp"
#include "data/little_endian.hpp"
#include "data/memory_budget.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "runtime/kept_elements.hpp"
#include "runtime/states/session_states.hpp"

namespace kuiper_infer {
namespace {

constexpr std::string_view kMagic = "KUISTATE";
constexpr uint32_t kVersion = 1;
constexpr std::size_t kSumBytes = sizeof(uint32_t);
constexpr uint32_t kNotSet = 0;
constexpr uint32_t kSet = 1;
constexpr uint32_t kSetAfterDropping = 2;  ///< readers that know no windows take this for kSet

[[noreturn]] void Fail(const std::string& path, const std::string& text) {
  throw Error(ErrorCode::kFile, path + ": " + text);
}

/// Reads the fields of a file whose checksum is right. Such a file may still be made by hand, so counts are checked.
class StateReader {
 public:
  StateReader(std::string path, std::string_view bytes) : path_(std::move(path)), fields_(bytes) {}

  uint32_t U32() { return Need(4), fields_.U32(); }
  uint64_t U64() { return Need(8), fields_.U64(); }
  std::string_view Bytes(uint64_t count) { return Need(count), fields_.Text(count); }
  std::string Text() { return std::string(Bytes(U32())); }
  void End() const {
    if (fields_.left() > 0) Fail(path_, "has " + std::to_string(fields_.left()) + " bytes behind its last state");
  }

 private:
  void Need(uint64_t count) const {
    if (fields_.left() < count) Fail(path_, "ends within a state");
  }

  std::string path_;
  FieldReader fields_;
};

void WriteArray(const NdArray& array, FieldWriter& out) {
  out.U32(static_cast<uint32_t>(array.type())).U32(static_cast<uint32_t>(array.rank()));
  for (const int64_t extent : array.shape()) out.U64(static_cast<uint64_t>(extent));
  const NdArray rows = array.Contiguous();
  const auto bytes = static_cast<std::size_t>(ByteCount(rows.type(), rows.shape()));
  out.Text({static_cast<const char*>(rows.raw()), bytes});
}

NdArray ReadArray(StateReader& in, const StatePair& pair, const std::string& path) {
  const uint32_t type = in.U32();
  const uint32_t rank = in.U32();
  const auto element = static_cast<RuntimeDataType>(type);
  if (ElementBytes(element) == 0 || rank > kMostAxes) {
    Fail(path, "state '" + pair.name + "' has type " + std::to_string(type) + " and " + std::to_string(rank) + " axes");
  }
  Shape shape;
  for (uint32_t axis = 0; axis < rank; ++axis) shape.push_back(static_cast<int64_t>(in.U64()));
  int64_t count = 0;
  try {
    count = ByteCount(element, shape);
  } catch (const Error& error) {
    Fail(path, "state '" + pair.name + "': " + error.what());
  }
  const std::string_view bytes = in.Bytes(static_cast<uint64_t>(count));
  NdArray array(element, shape);
  if (!bytes.empty()) std::memcpy(array.raw(), bytes.data(), bytes.size());
  MakeBoolBytes(array);
  return array;
}

/// The type in which sessions keep a state that a file has in the type `found`.
RuntimeDataType KeptType(const StatePair& pair, RuntimeDataType found) {
  const RuntimeDataType type = pair.TypeInModel(found);
  return pair.growing ? pair.growing->stored.value_or(type) : type;
}

}  // namespace

void SaveStates(const SessionStates& states, const ModelStates& like, const std::string& identity,
                const std::string& path) {
  FieldWriter out;
  out.Text(kMagic).U32(kVersion).U32(static_cast<uint32_t>(identity.size())).Text(identity);
  out.U32(static_cast<uint32_t>(like.pairs.size()));
  for (std::size_t i = 0; i < like.pairs.size(); ++i) {
    const SessionStates::Entry& entry = states.entries()[i];
    out.U32(static_cast<uint32_t>(like.pairs[i].name.size())).Text(like.pairs[i].name);
    const uint32_t set = entry.growing && entry.growing->dropped() ? kSetAfterDropping : kSet;
    out.U32(entry.set() ? set : kNotSet);
    if (entry.set()) WriteArray(entry.View(), out);
  }
  const std::string& bytes = out.bytes();
  const std::string sum = FieldWriter().U32(Crc32(bytes.data(), bytes.size())).bytes();
  FileBeside file(path, ".part");
  FileWriter writer(file.beside());
  writer.Write(bytes);
  writer.Write(sum);
  writer.Finish();
  file.Place();
}

SessionStates LoadStates(const ModelStates& like, const std::string& identity, const std::string& path) {
  const auto source = ByteSource::OpenFile(path);
  RequireMemory(static_cast<int64_t>(source->size()));
  const std::string text = source->Text(source->size());
  const std::string_view bytes = text;
  if (bytes.substr(0, kMagic.size()) != kMagic) Fail(path, "is no file of states");
  StateReader in(
      path, bytes.substr(kMagic.size(), std::max(bytes.size(), kMagic.size() + kSumBytes) - kMagic.size() - kSumBytes));
  const uint32_t version = in.U32();
  if (version != kVersion) {
    Fail(path, "has version " + std::to_string(version) + ", expected " + std::to_string(kVersion));
  }
  const uint32_t sum = FieldReader(bytes.substr(bytes.size() - kSumBytes)).U32();
  if (sum != Crc32(bytes.data(), bytes.size() - kSumBytes)) Fail(path, "is cut or altered: its checksum is wrong");
  if (in.Text() != identity) Fail(path, "is of another model");
  SessionStates states(like);
  const uint32_t count = in.U32();
  if (count != like.pairs.size()) {
    Fail(path, "has " + std::to_string(count) + " states, the model " + std::to_string(like.pairs.size()));
  }
  for (std::size_t i = 0; i < like.pairs.size(); ++i) {
    const StatePair& pair = like.pairs[i];
    const std::string name = in.Text();
    if (name != pair.name) Fail(path, "has the state '" + name + "', expected '" + pair.name + "'");
    const uint32_t set = in.U32();
    if (set == kNotSet) continue;
    NdArray array = ReadArray(in, pair, path);
    if (pair.growing && array.rank() <= pair.growing->axis) Fail(path, "state '" + name + "' has too few axes");
    // Sessions with other options may have kept the same state in another type.
    const RuntimeDataType kept = KeptType(pair, array.type());
    const int64_t scales = ScaleExtent(pair, array.type());
    const bool other = array.type() == RuntimeDataType::kTypeBFloat16 || scales > 0;
    if (pair.growing && scales > array.shape().back()) Fail(path, "state '" + name + "' has no room for its scales");
    if (pair.growing && other && array.type() != kept) array = ElementsOf(pair, array);
    if (array.type() != kept && array.type() != pair.TypeInModel(array.type())) {
      Fail(path, "state '" + name + "' is " + TypeName(array.type()) + ", expected " + TypeName(pair.type));
    }
    states.Set(pair, i, array);
    if (set == kSetAfterDropping && pair.growing) states.entries()[i].growing->set_dropped(true);
  }
  in.End();
  return states;
}

}  // namespace kuiper_infer
