// SPDX-License-Identifier: MIT
#include "cli/picture.hpp"

#include <cstring>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

using testing::HasSubstr;

std::string Path(const std::string& name) { return std::string(KUIPER_SOURCE_DIR) + "/tmp/" + name; }

std::string Bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream stream;
  stream << file.rdbuf();
  return stream.str();
}

std::string FaultOf(const std::string& bytes, ErrorCode code = ErrorCode::kFile) {
  try {
    DecodePicture(bytes, "picture");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "";
}

/// Dark letters on light paper.
void ExpectALine(const Image& picture) {
  ASSERT_EQ(picture.channels(), 3);
  ASSERT_GT(picture.width(), picture.height());
  double sum = 0;
  int darkest = 255;
  const int64_t count = picture.height() * picture.width() * 3;
  for (int64_t i = 0; i < count; ++i) {
    sum += picture.row(0)[i];
    darkest = std::min<int>(darkest, picture.row(0)[i]);
  }
  EXPECT_GT(sum / static_cast<double>(count), 150);
  EXPECT_LT(darkest, 60);
}

TEST(PictureTest, ReadsPngAndJpeg) {
  ExpectALine(ReadPicture(Path("line_hello.png")));
  ExpectALine(ReadPicture(Path("line_invoice.jpg")));
}

/// Written by Pillow: red, green half transparent, blue, transparent white.
TEST(PictureTest, LeavesOutTransparency) {
  const unsigned char png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
                               0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x06, 0x00, 0x00,
                               0x00, 0x72, 0xb6, 0x0d, 0x24, 0x00, 0x00, 0x00, 0x17, 0x49, 0x44, 0x41, 0x54, 0x78,
                               0x9c, 0x05, 0xc1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xa6, 0xf7, 0xdc, 0x40,
                               0x24, 0x43, 0x55, 0x0e, 0x43, 0xd3, 0x08, 0x79, 0x2e, 0x42, 0xa5, 0x36, 0x00, 0x00,
                               0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
  const Image picture = DecodePicture({reinterpret_cast<const char*>(png), sizeof(png)}, "picture");
  ASSERT_EQ(picture.width(), 2);
  ASSERT_EQ(picture.height(), 2);
  EXPECT_THAT(std::vector<int>(picture.row(0), picture.row(0) + 12),
              testing::ElementsAre(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255));
}

/// Beginnings that announce what no camera takes.
TEST(PictureTest, GiantsAreRefusedBeforeMemoryIsTaken) {
  const unsigned char png[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d,
                               0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x4e, 0x20, 0x00, 0x00, 0x4e, 0x20,
                               0x08, 0x02, 0x00, 0x00, 0x00, 0x6c, 0x12, 0xd1, 0x6e, 0x00, 0x00, 0x00,
                               0x00, 0x49, 0x44, 0x41, 0x54, 0x35, 0xaf, 0x06, 0x1e};
  EXPECT_THAT(FaultOf({reinterpret_cast<const char*>(png), sizeof(png)}, ErrorCode::kResource),
              HasSubstr("picture: has 20000 x 20000 pixels, expected at most"));
  std::string jpeg = Bytes(Path("line_invoice.jpg"));
  const std::size_t frame = jpeg.find("\xFF\xC0");  // marker, length (2), precision (1), height (2), width (2)
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\xFD\xE8\xFD\xE8");
  EXPECT_THAT(FaultOf(jpeg, ErrorCode::kResource), HasSubstr("picture: has 65000 x 65000 pixels"));
}

TEST(PictureTest, BrokenFilesAreNamed) {
  EXPECT_THAT(FaultOf(""), HasSubstr("neither a PNG nor a JPEG"));
  EXPECT_THAT(FaultOf("GIF89a"), HasSubstr("neither a PNG nor a JPEG"));
  EXPECT_THAT(FaultOf("\x89PNG"), HasSubstr("picture: "));
  EXPECT_THAT(FaultOf("\xFF\xD8"), HasSubstr("picture: "));
  EXPECT_THROW(ReadPicture("/no/such.png"), Error);
  EXPECT_THROW(ReadPicture("/tmp"), Error);
}

TEST(PictureTest, TruncatedAndDamagedFilesEndInAnErrorOrAPicture) {
  for (const char* name : {"line_hello.png", "line_invoice.jpg"}) {
    const std::string whole = Bytes(Path(name));
    ASSERT_GT(whole.size(), 1000);
    for (std::size_t length = 0; length + 20 < whole.size(); length += 37) {
      EXPECT_NE(FaultOf(whole.substr(0, length)), "") << name << " cut to " << length;
    }
    for (std::size_t at = 0; at < whole.size(); at += 11) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(~damaged[at]);
      FaultOf(damaged);
    }
  }
}

TEST(PictureTest, AnnouncedSizesAreNotBelieved) {
  std::string png = Bytes(Path("line_hello.png"));
  // Width and height in the header, with the checksum that libpng then finds wrong.
  std::memcpy(&png[16], "\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF", 8);
  EXPECT_NE(FaultOf(png), "");
}

}  // namespace
}  // namespace kuiper_infer::cli
