// SPDX-License-Identifier: MIT
// Bytes of a file that are read in pieces, and their checksums.
#include "data/stored_bytes.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/checksum.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "utils/threads/parallel.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

std::vector<char> RandomBytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<char> bytes(count);
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

std::string ErrorOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFile) << error.what();
    return error.what();
  }
  return {};
}

TEST(ChecksumTest, IsThatOfZipArchives) {
  EXPECT_EQ(Crc32("123456789", 9), 0xCBF43926U);  // the check value of the catalogue of such codes
  EXPECT_EQ(Crc32("", 0), 0U);
}

TEST(ChecksumTest, JoinsRuns) {
  const std::vector<char> bytes = RandomBytes(70000, 1);
  for (const std::size_t first : {0, 1, 7, 4096, 69999, 70000}) {
    const std::size_t second = bytes.size() - first;
    EXPECT_EQ(JoinedCrc32(Crc32(bytes.data(), first), Crc32(bytes.data() + first, second), second),
              Crc32(bytes.data(), bytes.size()))
        << first;
  }
}

class StoredBytesTest : public testing::Test {
 protected:
  static constexpr std::size_t kBefore = 100;  ///< bytes in front of the entry

  StoredBytesTest() { Write(bytes_); }
  ~StoredBytesTest() override { std::filesystem::remove(path_); }

  void Write(const std::vector<char>& bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  const char* begin() const { return bytes_.data() + kBefore; }
  std::size_t size() const { return bytes_.size() - kBefore - 1; }
  StoredBytes Entry() const {
    return {ByteSource::OpenFile(path_), kBefore, size(), Crc32(begin(), size()), "fc.weight"};
  }

  const std::string path_ = testing::TempDir() + "stored_bytes_" + std::to_string(getpid()) + ".bin";
  std::vector<char> bytes_ = RandomBytes(3000000, 2);
};

TEST_F(StoredBytesTest, PiecesComeInAnyOrder) {
  const StoredBytes entry = Entry();
  std::vector<std::size_t> cuts(50);
  std::mt19937 random(3);
  for (std::size_t& cut : cuts) cut = random() % size();
  cuts.push_back(0);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  cuts.push_back(size());
  std::vector<std::size_t> order(cuts.size() - 1);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<char> read(size());
  for (const std::size_t i : order) entry.Read(cuts[i], cuts[i + 1] - cuts[i], read.data() + cuts[i]);
  EXPECT_TRUE(std::equal(read.begin(), read.end(), begin()));
  entry.Verify();
}

TEST_F(StoredBytesTest, SeveralThreadsReadOneEntry) {
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    const StoredBytes entry = Entry();
    std::vector<char> read(size());
    ReadAll(entry, read.data());
    EXPECT_TRUE(std::equal(read.begin(), read.end(), begin())) << threads;
  }
}

TEST_F(StoredBytesTest, TheLastPieceTellsOfDamage) {
  bytes_[kBefore + size() / 2] ^= 1;
  const uint32_t crc = Crc32(begin(), size());
  bytes_[kBefore + size() / 2] ^= 1;
  const StoredBytes entry(ByteSource::OpenFile(path_), kBefore, size(), crc, "fc.weight");
  std::vector<char> read(size());
  const std::size_t half = size() / 3;
  entry.Read(half, size() - half, read.data());
  const std::string text = ErrorOf([&] { entry.Read(0, half, read.data()); });
  EXPECT_THAT(text, HasSubstr(path_));
  EXPECT_THAT(text, HasSubstr("'fc.weight' is truncated or damaged"));
  EXPECT_NE(ErrorOf([&] { entry.Verify(); }), "");
  EXPECT_NE(ErrorOf([&] { ReadAll(entry, read.data()); }), "");
}

TEST_F(StoredBytesTest, OverlappingPiecesAreVerifiedInTheEnd) {
  for (const bool damaged : {false, true}) {
    std::vector<char> changed = bytes_;
    if (damaged) changed[kBefore + 10] ^= 4;
    Write(changed);
    const StoredBytes entry = Entry();
    std::vector<char> read(size());
    entry.Read(0, 1000, read.data());
    entry.Read(500, size() - 500, read.data());
    EXPECT_EQ(ErrorOf([&] { entry.Verify(); }) != "", damaged);
  }
}

TEST_F(StoredBytesTest, UnreadBytesAreVerifiedAnew) {
  const StoredBytes entry = Entry();
  std::vector<char> read(size());
  ReadAll(entry, read.data());
  bytes_[kBefore + 5] ^= 1;
  Write(bytes_);
  ReadAll(entry, read.data());  // verified before
  EXPECT_THAT(ErrorOf([&] { ReadAll(*entry.Unread(), read.data()); }),
              HasSubstr("'fc.weight' is truncated or damaged"));
}

TEST_F(StoredBytesTest, AFileThatIsCutMeanwhileIsAnError) {
  const StoredBytes entry = Entry();
  std::filesystem::resize_file(path_, kBefore + size() / 2);
  std::vector<char> read(size());
  EXPECT_THAT(ErrorOf([&] { ReadAll(entry, read.data()); }), HasSubstr("ends before byte"));
}

TEST_F(StoredBytesTest, AnOpenFileStaysWhenItsNameGoes) {
  const StoredBytes entry = Entry();
  std::filesystem::remove(path_);
  std::vector<char> read(size());
  ReadAll(entry, read.data());
  EXPECT_TRUE(std::equal(read.begin(), read.end(), begin()));
}

TEST(ByteSourceTest, FaultsNameTheFile) {
  EXPECT_THAT(ErrorOf([] { ByteSource::OpenFile("/no/such/file.bin"); }), HasSubstr("/no/such/file.bin"));
  EXPECT_THAT(ErrorOf([] { ByteSource::OpenFile(testing::TempDir()); }),
              HasSubstr("is a directory, expected a regular file"));
  const auto memory = ByteSource::OfMemory("kuiper", "the bytes");
  char byte = 0;
  memory->Read(5, 1, &byte);
  EXPECT_EQ(byte, 'r');
  memory->Read(6, 0, &byte);
  EXPECT_THAT(ErrorOf([&] { memory->Read(6, 1, &byte); }), HasSubstr("the bytes: has 6 bytes, expected 1 from byte 6"));
  EXPECT_NE(ErrorOf([&] { memory->Read(UINT64_MAX, 1, &byte); }), "");
  EXPECT_NE(ErrorOf([&] { memory->Read(1, UINT64_MAX, &byte); }), "");
}

}  // namespace
}  // namespace kuiper_infer
