// SPDX-License-Identifier: MIT
#include <filesystem>
#include <process.h>

#include <gmock/gmock.h>

#include "utils/error_text.hpp"
#include "utils/system/file.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

class FileTest : public testing::Test {
 protected:
  FileTest() { std::filesystem::create_directory(std::filesystem::u8path(folder_)); }
  ~FileTest() override { std::filesystem::remove_all(std::filesystem::u8path(folder_)); }

  std::string Read(const std::string& path) const {
    const File file = File::ToRead(path);
    std::string text(file.Size(path), ' ');
    EXPECT_EQ(file.ReadAt(0, text.size(), text.data()), static_cast<int64_t>(text.size()));
    return text;
  }
  static void Write(const std::string& path, const std::string& text) {
    EXPECT_EQ(File::ToWrite(path).Write(text), static_cast<int64_t>(text.size()));
  }

  const std::string folder_ = testing::TempDir() + "kuiper file " + std::to_string(_getpid()) + " \xC3\xBC\xE6\x97\xA5";
};

TEST_F(FileTest, NamesAreUtf8AndLinesKeepTheirEnds) {
  for (const std::string& name :
       {std::string("plain"), std::string("with space"), std::string("\xE6\x9C\xAC \xC3\x9F")}) {
    const std::string path = folder_ + "/" + name;
    Write(path, "1\n2\r\n\x1A 3");
    EXPECT_EQ(Read(path), "1\n2\r\n\x1A 3");
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::u8path(path)));
    std::string backslashes = path;
    for (char& letter : backslashes) letter = letter == '/' ? '\\' : letter;
    EXPECT_EQ(Read(backslashes), "1\n2\r\n\x1A 3");
  }
}

TEST_F(FileTest, ReadsFromAnyOffset) {
  Write(folder_ + "/x", "0123456789");
  const File file = File::ToRead(folder_ + "/x");
  char bytes[4] = {};
  EXPECT_EQ(file.ReadAt(8, 4, bytes), 2);
  EXPECT_EQ(std::string(bytes, 2), "89");
  EXPECT_EQ(file.ReadAt(0, 3, bytes), 3);
  EXPECT_EQ(std::string(bytes, 3), "012");
  EXPECT_EQ(file.ReadAt(10, 1, bytes), 0);
}

TEST_F(FileTest, FaultsNamePathAndReason) {
  const std::string absent = folder_ + "/absent";
  EXPECT_EQ(ErrorText(ErrorCode::kFile, [&] { File::ToRead(absent); }),
            absent + ": cannot be opened: No such file or directory");
  EXPECT_EQ(ErrorText(ErrorCode::kFile, [&] { File::ToWrite(absent + "/file"); }),
            absent + "/file: cannot be written: No such file or directory");
  EXPECT_EQ(ErrorText(ErrorCode::kFile, [&] { File::ToRead(folder_); }),
            folder_ + ": is a directory, expected a regular file");
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [&] { File::ToWrite(folder_); }),
              HasSubstr(folder_ + ": cannot be written: "));
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [] { File::ToRead(""); }), HasSubstr("empty"));
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [] { File::ToRead(std::string("a\0b", 3)); }), HasSubstr("zero byte"));
  EXPECT_THAT(ErrorText(ErrorCode::kFile, [] { File::ToRead("gr\xFC\xDF"); }), HasSubstr("not UTF-8"));
  EXPECT_GE(File::ToWrite("NUL").descriptor(), 0);
}

}  // namespace
}  // namespace kuiper_infer
