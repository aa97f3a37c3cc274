// SPDX-License-Identifier: MIT
// Archives made byte by byte: the layouts of both generations of the converter, and damaged files.
#include "kuiper_infer/runtime/store_zip.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include <gtest/gtest.h>

namespace kuiper_infer {
namespace {

struct Member {
  std::string name;
  std::string payload;
};

uint32_t Checksum(const std::string& bytes) {
  uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

/// Appends little-endian fields.
class Bytes {
 public:
  Bytes& U16(uint64_t value) { return Number(value, 2); }
  Bytes& U32(uint64_t value) { return Number(value, 4); }
  Bytes& U64(uint64_t value) { return Number(value, 8); }
  Bytes& Text(const std::string& value) {
    text_ += value;
    return *this;
  }
  uint64_t size() const { return text_.size(); }
  const std::string& text() const { return text_; }

 private:
  Bytes& Number(uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k) text_ += static_cast<char>(value >> (8 * k));
    return *this;
  }

  std::string text_;
};

constexpr uint32_t kLocal = 0x04034B50;
constexpr uint32_t kCentral = 0x02014B50;
constexpr uint32_t kEnd = 0x06054B50;
constexpr uint32_t kEnd64 = 0x06064B50;
constexpr uint32_t kLocator64 = 0x07064B50;
constexpr uint64_t kMax16 = 0xFFFF;
constexpr uint64_t kMax32 = 0xFFFFFFFF;

Bytes& Extra64(Bytes& bytes, uint64_t size, uint64_t offset) {
  return bytes.U16(1).U16(28).U64(size).U64(size).U64(offset).U32(0);
}

/// The older converter's layout: true sizes, no extra fields.
std::string Archive32(const std::vector<Member>& members) {
  Bytes bytes;
  Bytes directory;
  for (const Member& member : members) {
    const uint64_t size = member.payload.size();
    directory.U32(kCentral).U16(0).U16(0).U16(0).U16(0).U16(0).U16(0).U32(Checksum(member.payload)).U32(size).U32(size);
    directory.U16(member.name.size()).U16(0).U16(0).U16(0).U16(0).U32(0).U32(bytes.size()).Text(member.name);
    bytes.U32(kLocal).U16(0).U16(0).U16(0).U16(0).U16(0).U32(Checksum(member.payload)).U32(size).U32(size);
    bytes.U16(member.name.size()).U16(0).Text(member.name).Text(member.payload);
  }
  const uint64_t start = bytes.size();
  bytes.Text(directory.text());
  bytes.U32(kEnd).U16(0).U16(0).U16(members.size()).U16(members.size()).U32(directory.size()).U32(start).U16(0);
  return bytes.text();
}

/// The current converter's layout: every size in a 64-bit extra field, which in the local header has four values.
std::string Archive64(const std::vector<Member>& members) {
  Bytes bytes;
  Bytes directory;
  for (const Member& member : members) {
    const uint64_t size = member.payload.size();
    const uint64_t offset = bytes.size();
    directory.U32(kCentral).U16(0).U16(0).U16(0).U16(0).U16(0).U16(0).U32(Checksum(member.payload));
    directory.U32(kMax32).U32(kMax32).U16(member.name.size()).U16(32).U16(0).U16(kMax16).U16(0).U32(0).U32(kMax32);
    Extra64(directory.Text(member.name), size, offset);
    bytes.U32(kLocal).U16(0).U16(0).U16(0).U16(0).U16(0).U32(Checksum(member.payload)).U32(kMax32).U32(kMax32);
    Extra64(bytes.U16(member.name.size()).U16(32).Text(member.name), size, 0).Text(member.payload);
  }
  const uint64_t start = bytes.size();
  bytes.Text(directory.text());
  const uint64_t end = bytes.size();
  bytes.U32(kEnd64).U64(44).U16(0).U16(0).U32(0).U32(0).U64(members.size()).U64(members.size());
  bytes.U64(directory.size()).U64(start).U32(kLocator64).U32(0).U64(end).U32(1);
  bytes.U32(kEnd).U16(kMax16).U16(kMax16).U16(kMax16).U16(kMax16).U32(kMax32).U32(kMax32).U16(0);
  return bytes.text();
}

class StoreZipTest : public testing::Test {
 protected:
  StoreZipTest() : path_(testing::TempDir() + "store_zip_" + std::to_string(getpid()) + ".bin") {}
  ~StoreZipTest() override { std::filesystem::remove(path_); }

  void Write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  std::string FileBytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  static std::string Read(StoreZipReader& reader, const std::string& name, std::size_t occurrence = 0) {
    std::string payload(reader.get_file_size(name, occurrence), '\0');
    EXPECT_EQ(reader.read_file(name, payload.data(), occurrence), 0) << reader.error();
    return payload;
  }

  void ExpectMembers(const std::vector<Member>& members) const {
    StoreZipReader reader;
    ASSERT_EQ(reader.open(path_), 0) << reader.error();
    std::vector<std::string> names;
    for (const Member& member : members) {
      names.push_back(member.name);
      EXPECT_TRUE(reader.has_file(member.name));
      EXPECT_EQ(reader.get_file_size(member.name), member.payload.size());
      EXPECT_EQ(Read(reader, member.name), member.payload);
    }
    EXPECT_EQ(reader.names(), names);
    EXPECT_FALSE(reader.has_file("stranger"));
    EXPECT_EQ(reader.get_file_size("stranger"), 0U);
    char byte = 0;
    EXPECT_NE(reader.read_file("stranger", &byte), 0);
    EXPECT_NE(reader.error().find("stranger"), std::string::npos);
  }

  const std::string path_;
};

const std::vector<Member>& Members() {
  static const std::vector<Member> kMembers = {{"conv.0.bias", std::string("\0\1\2\3", 4)},
                                               {"conv.0.weight", std::string(61, 'w')},
                                               {"empty.data", ""},
                                               {"/model/fc:0.weight", "PK\3\4 looks like a header"}};
  return kMembers;
}

TEST_F(StoreZipTest, ReadsTheOldLayout) {
  Write(Archive32(Members()));
  ExpectMembers(Members());
}

TEST_F(StoreZipTest, ReadsTheCurrentLayout) {
  Write(Archive64(Members()));
  ExpectMembers(Members());
}

TEST_F(StoreZipTest, ReadsEmptyArchives) {
  ASSERT_EQ(Archive32({}).size(), 22U);
  ASSERT_EQ(Archive64({}).size(), 98U);
  for (const std::string& bytes : {Archive32({}), Archive64({})}) {
    Write(bytes);
    StoreZipReader reader;
    EXPECT_EQ(reader.open(path_), 0) << bytes.size() << " bytes: " << reader.error();
    EXPECT_TRUE(reader.names().empty());
  }
}

TEST_F(StoreZipTest, DuplicatesAreToldApart) {
  const std::vector<Member> members = {{"op.weight", "first"}, {"op.bias", "b"}, {"op.weight", "the second"}};
  for (const std::string& bytes : {Archive32(members), Archive64(members)}) {
    Write(bytes);
    StoreZipReader reader;
    ASSERT_EQ(reader.open(path_), 0) << reader.error();
    EXPECT_EQ(Read(reader, "op.weight"), "first");
    EXPECT_EQ(Read(reader, "op.weight", 1), "the second");
    EXPECT_FALSE(reader.has_file("op.weight", 2));
    EXPECT_EQ(reader.get_file_size("op.weight", 2), 0U);
  }
}

TEST_F(StoreZipTest, ReadsDeflatedEntries) {
  // zlib's raw deflate of "kuiper " twenty times.
  const std::string packed("\xcb\x2e\xcd\x2c\x48\x2d\x52\xc8\x1e\x0c\x14\x00", 12);
  std::string payload;
  for (int k = 0; k < 20; ++k) payload += "kuiper ";
  const std::string name = "fc.weight";
  constexpr int kDeflated = 8;
  Bytes bytes;
  bytes.U32(kLocal).U16(20).U16(0).U16(kDeflated).U32(0).U32(Checksum(payload)).U32(packed.size()).U32(payload.size());
  bytes.U16(name.size()).U16(0).Text(name).Text(packed);
  const uint64_t start = bytes.size();
  bytes.U32(kCentral).U16(20).U16(20).U16(0).U16(kDeflated).U32(0).U32(Checksum(payload)).U32(packed.size());
  bytes.U32(payload.size()).U16(name.size()).U16(0).U16(0).U16(0).U16(0).U32(0).U32(0).Text(name);
  const uint64_t directory = bytes.size() - start;
  bytes.U32(kEnd).U16(0).U16(0).U16(1).U16(1).U32(directory).U32(start).U16(0);
  Write(bytes.text());
  ExpectMembers({{name, payload}});
}

TEST_F(StoreZipTest, TruncatedArchivesAreRefused) {
  for (const std::string& bytes : {Archive32(Members()), Archive64(Members())}) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      Write(bytes.substr(0, size));
      StoreZipReader reader;
      ASSERT_NE(reader.open(path_), 0) << size << " of " << bytes.size() << " bytes";
      ASSERT_FALSE(reader.error().empty());
    }
  }
}

TEST_F(StoreZipTest, DamageIsNoticedOrHarmless) {
  for (const std::string& bytes : {Archive32(Members()), Archive64(Members())}) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const int flip : {0x01, 0xFF}) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        Write(damaged);
        StoreZipReader reader;
        if (reader.open(path_) != 0) continue;
        for (const Member& member : Members()) {
          // A caller compares the announced size with the one it needs before it reads.
          if (reader.get_file_size(member.name) != member.payload.size()) continue;
          std::string payload(member.payload.size(), '\0');
          if (reader.read_file(member.name, payload.data()) != 0) continue;
          ASSERT_EQ(payload, member.payload) << "byte " << at << " of " << bytes.size();
        }
      }
    }
  }
}

TEST_F(StoreZipTest, WrongChecksumIsNamed) {
  std::string bytes = Archive64(Members());
  bytes[bytes.find(std::string(61, 'w')) + 7] = 'x';
  Write(bytes);
  StoreZipReader reader;
  ASSERT_EQ(reader.open(path_), 0);
  std::string payload(61, '\0');
  EXPECT_NE(reader.read_file("conv.0.weight", payload.data()), 0);
  EXPECT_NE(reader.error().find("conv.0.weight"), std::string::npos);
  EXPECT_EQ(Read(reader, "conv.0.bias"), Members()[0].payload);
}

TEST_F(StoreZipTest, ASizeThatTheFileLacksIsRefused) {
  std::string bytes = Archive32({{"fc.weight", std::string(64, 'w')}});
  const std::string sizes = Bytes().U32(64).U32(64).text();
  for (std::size_t at = bytes.find(sizes); at != std::string::npos; at = bytes.find(sizes)) {
    bytes.replace(at, sizes.size(), Bytes().U32(4096).U32(4096).text());
  }
  Write(bytes);
  StoreZipReader reader;
  if (reader.open(path_) != 0) return;
  std::string payload(4096, '\0');
  EXPECT_NE(reader.read_file("fc.weight", payload.data()), 0);
}

TEST_F(StoreZipTest, OtherFilesAreRefused) {
  StoreZipReader reader;
  for (const std::string& bytes :
       {std::string(), std::string("text"), std::string(100000, '\0'), std::string("PK\5\6")}) {
    Write(bytes);
    EXPECT_NE(reader.open(path_), 0) << bytes.size();
    EXPECT_FALSE(reader.error().empty());
  }
  EXPECT_NE(reader.open(path_ + ".absent"), 0);
  EXPECT_NE(reader.open(testing::TempDir()), 0);
}

TEST_F(StoreZipTest, WrittenArchivesReadBack) {
  StoreZipWriter writer;
  ASSERT_EQ(writer.open(path_), 0) << writer.error();
  for (const Member& member : Members()) {
    std::string copy = member.payload;
    ASSERT_EQ(writer.write_file(member.name, copy.data(), copy.size()), 0) << writer.error();
    copy.assign(copy.size(), '?');  // the writer keeps no pointer
  }
  ASSERT_EQ(writer.close(), 0) << writer.error();
  ExpectMembers(Members());
  const std::string first = FileBytes();
  EXPECT_NE(first.find(std::string(61, 'w')), std::string::npos) << "entries are stored";

  StoreZipWriter again;
  ASSERT_EQ(again.open(path_), 0);
  for (const Member& member : Members()) again.write_file(member.name, member.payload.data(), member.payload.size());
  ASSERT_EQ(again.close(), 0);
  EXPECT_EQ(FileBytes(), first) << "the same model gives the same bytes";
}

TEST_F(StoreZipTest, AnArchiveWithoutEntriesIsWritten) {
  Write(Archive32(Members()));
  StoreZipWriter writer;
  ASSERT_EQ(writer.open(path_), 0) << writer.error();
  ASSERT_EQ(writer.close(), 0) << writer.error();
  EXPECT_EQ(FileBytes(), Archive32({}));
  StoreZipReader reader;
  ASSERT_EQ(reader.open(path_), 0) << reader.error();
  EXPECT_TRUE(reader.names().empty());
}

TEST_F(StoreZipTest, AnArchiveThatIsNotClosedIsDiscarded) {
  {
    StoreZipWriter writer;
    ASSERT_EQ(writer.open(path_), 0);
    ASSERT_EQ(writer.write_file("a", "b", 1), 0);
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(StoreZipTest, WriterReportsFailure) {
  StoreZipWriter writer;
  EXPECT_NE(writer.write_file("a", "b", 1), 0);
  EXPECT_FALSE(writer.error().empty());
  StoreZipWriter nowhere;
  const bool failed = nowhere.open("/no/such/folder/m.bin") != 0 || nowhere.close() != 0;
  EXPECT_TRUE(failed);
  EXPECT_FALSE(nowhere.error().empty());
}

}  // namespace
}  // namespace kuiper_infer
