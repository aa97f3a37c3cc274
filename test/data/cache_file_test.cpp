// SPDX-License-Identifier: MIT
// Cache files that one process leaves for the next one, whole and broken.
#include "data/cache_file.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "utils/special_files.hpp"

namespace kuiper_infer {
namespace {

NdArray Bytes(const std::string& text) {
  const NdArray array(RuntimeDataType::kTypeUInt8, {static_cast<int64_t>(text.size())});
  std::memcpy(array.raw(), text.data(), text.size());
  return array;
}

class CacheFileTest : public testing::Test {
 protected:
  ~CacheFileTest() override { std::filesystem::remove_all(folder_); }

  /// Returns the bytes of that name; empty if there are none.
  static std::string Found(CacheFile& cache, const std::string& name) {
    const std::optional<NdArray> found = cache.Find(name);
    return found ? std::string(static_cast<const char*>(found->raw()), static_cast<std::size_t>(found->size())) : "";
  }

  CacheFile Open(const std::string& origin = "origin") const { return {folder_, "model", origin}; }

  std::string WriteTwo() const {
    CacheFile cache = Open();
    cache.Add("one", Bytes("1"));
    cache.Add("long", Bytes(std::string(3000000, 'l')));
    cache.Write();
    return cache.path();
  }

  static std::string Contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  int Files() const { return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder_), {})); }

  const std::string folder_ = testing::TempDir() + "cache_file_" + std::to_string(getpid()) + "/deeper";
};

TEST_F(CacheFileTest, KeepsWhatWasAdded) {
  const std::string path = WriteTwo();
  EXPECT_EQ(Files(), 1);
  CacheFile cache = Open();
  EXPECT_EQ(cache.path(), path);
  EXPECT_EQ(Found(cache, "one"), "1");
  EXPECT_EQ(Found(cache, "long"), std::string(3000000, 'l'));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(cache.Find("long")->raw()) % 64, 0U);
  EXPECT_FALSE(cache.Find("two"));
}

TEST_F(CacheFileTest, GrowsByWhatIsAddedLater) {
  WriteTwo();
  CacheFile cache = Open();
  cache.Add("two", Bytes("22"));
  EXPECT_FALSE(cache.Find("two")) << "not written yet";
  cache.Write();
  EXPECT_EQ(Found(cache, "two"), "22");
  CacheFile later = Open();
  EXPECT_EQ(Found(later, "one"), "1");
  EXPECT_EQ(Found(later, "two"), "22");
}

TEST_F(CacheFileTest, DamageThatNobodySawStaysDamageInTheNextFile) {
  const std::string path = WriteTwo();
  std::string damaged = Contents(path);
  damaged[damaged.find("lll") + 5] ^= 1;
  std::ofstream(path, std::ios::binary) << damaged;
  {
    CacheFile cache = Open();
    cache.Add("two", Bytes("22"));
    cache.Write();
  }
  CacheFile later = Open();
  EXPECT_EQ(Found(later, "two"), "22");
  EXPECT_EQ(Found(later, "long"), "");
}

TEST_F(CacheFileTest, WhatWasFoundOutlivesFileAndCache) {
  WriteTwo();
  NdArray found;
  {
    CacheFile cache = Open();
    found = *cache.Find("long");
    cache.Add("two", Bytes("22"));
    cache.Write();
  }
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(static_cast<const char*>(found.raw())[2999999], 'l');
}

TEST_F(CacheFileTest, OtherOriginsHaveOtherFiles) {
  WriteTwo();
  CacheFile other = Open("another origin");
  EXPECT_FALSE(other.Find("one"));
  other.Add("one", Bytes("o"));
  other.Write();
  EXPECT_EQ(Files(), 2);
  CacheFile first = Open();
  EXPECT_EQ(Found(first, "one"), "1");
  std::filesystem::copy_file(first.path(), other.path(), std::filesystem::copy_options::overwrite_existing);
  CacheFile stranger = Open("another origin");
  EXPECT_FALSE(stranger.Find("one")) << "a file of another origin under this one's name";
}

TEST_F(CacheFileTest, BrokenFilesAreMadeAnew) {
  const std::string path = WriteTwo();
  const std::string whole = Contents(path);
  std::vector<std::string> broken = {"", "text", whole.substr(0, 100), whole.substr(0, whole.size() - 1)};
  for (std::size_t at = 0; at < 250; ++at) {  // the header and the table
    broken.push_back(whole);
    broken.back()[at] ^= 0x41;
  }
  for (const std::size_t at : {whole.size() - 3000000, whole.size() - 1}) {
    broken.push_back(whole);
    broken.back()[at] ^= 1;
  }
  for (std::size_t i = 0; i < broken.size(); ++i) {
    std::ofstream(path, std::ios::binary) << broken[i];
    CacheFile cache = Open();
    const std::string one = Found(cache, "one");
    const std::string found = Found(cache, "long");
    EXPECT_TRUE(one.empty() || one == "1") << "damage " << i;
    EXPECT_TRUE(found.empty() || found == std::string(3000000, 'l')) << "damage " << i;
    if (found.empty()) cache.Add("long", Bytes(std::string(3000000, 'l')));
    cache.Write();
    CacheFile mended = Open();
    EXPECT_EQ(Found(mended, "long").size(), 3000000U) << "damage " << i;
  }
}

TEST_F(CacheFileTest, AFolderThatCannotBeIsNoError) {
  const std::string file = testing::TempDir() + "cache_file_" + std::to_string(getpid()) + ".txt";
  std::ofstream(file) << "a file";
  CacheFile cache(file, "model", "origin");
  EXPECT_FALSE(cache.Find("one"));
  cache.Add("one", Bytes("1"));
  cache.Write();
  EXPECT_FALSE(cache.Find("one"));
  std::filesystem::remove(file);
}

TEST_F(CacheFileTest, SeveralWritersLeaveAWholeFile) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([this] {
      for (int k = 0; k < 5; ++k) WriteTwo();
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Files(), 1);
  CacheFile cache = Open();
  EXPECT_EQ(Found(cache, "long"), std::string(3000000, 'l'));
}

/// A path that is no regular file counts as absent, and nothing waits for it.
TEST_F(CacheFileTest, SpecialFilesAreNoEntries) {
  std::filesystem::create_directories(folder_);
  const std::string path = Open().path();
  for (const SpecialFile& special : MakeSpecialFiles(folder_, "")) {
    SCOPED_TRACE(special.kind);
    std::filesystem::rename(special.path, path);
    CacheFile cache = Open();
    EXPECT_EQ(Found(cache, "one"), "");
    cache.Add("one", Bytes("1"));
    cache.Write();
    const bool replaced = special.kind != "a directory";  // nothing can be renamed to its name
    CacheFile again = Open();
    EXPECT_EQ(Found(again, "one"), replaced ? "1" : "");
    std::filesystem::remove_all(path);
  }
}

}  // namespace
}  // namespace kuiper_infer
