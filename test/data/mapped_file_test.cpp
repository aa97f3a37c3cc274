// SPDX-License-Identifier: MIT
#include "data/mapped_file.hpp"

#include <filesystem>
#include <iterator>
#include <unistd.h>

#include <gtest/gtest.h>

#include "data/file_writer.hpp"

namespace kuiper_infer {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  MappedFileTest() { std::filesystem::create_directory(folder_); }
  ~MappedFileTest() override { std::filesystem::remove_all(folder_); }

  int Files() const { return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder_), {})); }

  const std::string folder_ = testing::TempDir() + "mapped_file_" + std::to_string(getpid());
  const std::string path_ = folder_ + "/file";
};

TEST_F(MappedFileTest, OpenAndMappedFilesCanBeReplaced) {
  WriteFile(path_, "old");
  {
    const File open = File::ToRead(path_);
    const auto mapped = MappedFile::Open(path_);
    ASSERT_NE(mapped, nullptr);
    WriteFile(path_ + ".new", "newer");
    EXPECT_TRUE(SyncFile(path_ + ".new"));
    ASSERT_TRUE(MoveFileTo(path_ + ".new", path_));
    EXPECT_EQ(MappedFile::Open(path_)->bytes(), "newer");
    EXPECT_EQ(mapped->bytes(), "old");
    char bytes[3] = {};
    EXPECT_EQ(open.ReadAt(0, 3, bytes), 3);
    EXPECT_EQ(std::string(bytes, 3), "old");
  }
  WriteFile(path_ + ".new", "newest");
  ASSERT_TRUE(MoveFileTo(path_ + ".new", path_));
  EXPECT_EQ(MappedFile::Open(path_)->bytes(), "newest");
  EXPECT_EQ(Files(), 1);
}

TEST_F(MappedFileTest, WhatCannotBeMappedIsNull) {
  WriteFile(path_, "");
  EXPECT_EQ(MappedFile::Open(path_), nullptr);
  EXPECT_EQ(MappedFile::Open(folder_), nullptr);
  EXPECT_EQ(MappedFile::Open(folder_ + "/absent"), nullptr);
}

}  // namespace
}  // namespace kuiper_infer
