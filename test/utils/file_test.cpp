// SPDX-License-Identifier: MIT
#include "utils/system/file.hpp"

#include <fcntl.h>
#include <fstream>

#include <gmock/gmock.h>

#include "utils/error_text.hpp"
#include "utils/special_files.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

class FileTest : public testing::Test {
 protected:
  FileTest() {
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error(folder_ + ": cannot be created");
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_ = testing::TempDir() + "kuiper_file_XXXXXX";
};

TEST_F(FileTest, ReadsRegularFiles) {
  const std::string path = folder_ + "/seven";
  std::ofstream(path) << "7 bytes";
  const File file = File::ToRead(path);
  EXPECT_EQ(file.Size(path), 7U);
  char bytes[8] = {};
  EXPECT_EQ(read(file.descriptor(), bytes, sizeof(bytes)), 7);
  EXPECT_STREQ(bytes, "7 bytes");
}

/// std::ifstream would wait for ever or read without end.
TEST_F(FileTest, NothingElseIsRead) {
  for (const SpecialFile& special : MakeSpecialFiles(folder_, "")) {
    EXPECT_EQ(ErrorText(ErrorCode::kFile, [&] { File::ToRead(special.path); }),
              special.path + ": is " + special.kind + ", expected a regular file");
  }
}

TEST_F(FileTest, FaultsNamePathAndReason) {
  const std::string absent = folder_ + "/absent";
  EXPECT_EQ(ErrorText(ErrorCode::kFile, [&] { File::ToRead(absent); }),
            absent + ": cannot be opened: No such file or directory");
  EXPECT_EQ(ErrorText(ErrorCode::kFile, [&] { File::ToWrite(absent + "/file"); }),
            absent + "/file: cannot be written: No such file or directory");
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [] { File::ToRead(""); }), HasSubstr("empty"));
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [] { File::ToRead(std::string("/dev\0/x", 7)); }), HasSubstr("zero byte"));
}

TEST_F(FileTest, WritesToNobodyAreErrors) {
  for (const SpecialFile& special : MakeSpecialFiles(folder_, "")) {
    if (special.kind == "a device") continue;
    EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { File::ToWrite(special.path); }),
                HasSubstr(special.path + ": cannot be written: "));
  }
  EXPECT_GE(File::ToWrite("/dev/null").descriptor(), 0);
}

/// A writer must wait for a reader that is slower, not fail.
TEST_F(FileTest, WritesToAReadFifoBlock) {
  const std::string path = folder_ + "/fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  {
    const File file = File::ToWrite(path);
    EXPECT_EQ(fcntl(file.descriptor(), F_GETFL) & O_NONBLOCK, 0);
    EXPECT_EQ(write(file.descriptor(), "x", 1), 1);
  }
  char byte = 0;
  EXPECT_EQ(read(reader, &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  close(reader);
}

TEST_F(FileTest, PathsNeedNoUtf8) {
  const std::string path = folder_ + "/\xFF\xFE gr\xFC\xDF";
  EXPECT_GE(File::ToWrite(path).descriptor(), 0);
  EXPECT_EQ(File::ToRead(path).Size(path), 0U);
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { File::ToRead(path + "\xFF"); }), HasSubstr(path));
}

}  // namespace
}  // namespace kuiper_infer
