// SPDX-License-Identifier: MIT
#include "cli/picture/picture.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <jpeglib.h>
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

/// Expects dark letters on light paper.
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

/// Headers that announce more pixels than any camera has.
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

using Colour = std::array<uint8_t, 3>;
constexpr Colour kRed = {255, 0, 0};
constexpr Colour kGreen = {0, 255, 0};
constexpr Colour kBlue = {0, 0, 255};
constexpr Colour kWhite = {255, 255, 255};

/// Returns a JPEG file that libjpeg wrote.
std::string Jpeg(int width, int height, bool progressive, const std::function<Colour(int, int)>& colour) {
  jpeg_compress_struct writer{};
  jpeg_error_mgr errors{};
  writer.err = jpeg_std_error(&errors);
  jpeg_create_compress(&writer);
  unsigned char* memory = nullptr;
  unsigned long size = 0;  // NOLINT: libjpeg's type
  jpeg_mem_dest(&writer, &memory, &size);
  writer.image_width = static_cast<JDIMENSION>(width);
  writer.image_height = static_cast<JDIMENSION>(height);
  writer.input_components = 3;
  writer.in_color_space = JCS_RGB;
  jpeg_set_defaults(&writer);
  jpeg_set_quality(&writer, 100, TRUE);
  if (progressive) jpeg_simple_progression(&writer);
  jpeg_start_compress(&writer, TRUE);
  std::vector<uint8_t> row(static_cast<std::size_t>(width) * 3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Colour pixel = colour(y, x);
      std::copy(pixel.begin(), pixel.end(), row.begin() + 3 * x);
    }
    JSAMPROW pointer = row.data();
    jpeg_write_scanlines(&writer, &pointer, 1);
  }
  jpeg_finish_compress(&writer);
  jpeg_destroy_compress(&writer);
  const std::string bytes(reinterpret_cast<const char*>(memory), size);
  std::free(memory);
  return bytes;
}

std::string BigEndian(std::size_t value, int count) {
  std::string bytes;
  for (int i = count - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

std::string Numbered(std::size_t value, int count, bool big_endian) {
  const std::string bytes = BigEndian(value, count);
  return big_endian ? bytes : std::string(bytes.rbegin(), bytes.rend());
}

/// Returns EXIF data: a directory with the width and the orientation.
std::string Exif(std::size_t orientation, bool big_endian) {
  const auto number = [&](std::size_t value, int count) { return Numbered(value, count, big_endian); };
  return std::string("Exif\0\0", 6) + (big_endian ? "MM" : "II") + number(42, 2) + number(8, 4) + number(2, 2) +
         number(0x0100, 2) + number(4, 2) + number(1, 4) + number(40, 4) +                          // the width
         number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + number(0, 2) +  // as a short
         number(0, 4);
}

/// Returns the file with an application segment behind its first marker.
std::string WithSegment(const std::string& jpeg, const std::string& data) {
  return jpeg.substr(0, 2) + "\xFF\xE1" + BigEndian(data.size() + 2, 2) + data + jpeg.substr(2);
}

/// Returns a JPEG file with a red, a green, a blue and a white quarter.
std::string Quarters() {
  return Jpeg(64, 32, false,
              [](int y, int x) { return y < 16 ? (x < 32 ? kRed : kGreen) : (x < 32 ? kBlue : kWhite); });
}

/// Returns the colour in the middle of each quarter as a letter, in reading order.
std::string QuartersOf(const Image& picture) {
  std::string letters;
  for (const int64_t y : {picture.height() / 4, picture.height() * 3 / 4}) {
    for (const int64_t x : {picture.width() / 4, picture.width() * 3 / 4}) {
      const uint8_t* pixel = picture.row(y) + 3 * x;
      const bool bright[] = {pixel[0] > 128, pixel[1] > 128, pixel[2] > 128};
      letters += bright[0] && bright[1] && bright[2] ? 'W' : bright[0] ? 'R' : bright[1] ? 'G' : bright[2] ? 'B' : '?';
    }
  }
  return letters;
}

/// Each number says at which sides of the scene the stored picture's first row and first column lie (EXIF 2.3, 4.6.4).
TEST(PictureTest, CamerasHeldAnyWayGiveUprightPictures) {
  const std::string expected[] = {
      "RGBW",  // 1: top, left
      "GRWB",  // 2: top, right
      "WBGR",  // 3: bottom, right
      "BWRG",  // 4: bottom, left
      "RBGW",  // 5: left, top
      "BRWG",  // 6: right, top
      "WGBR",  // 7: right, bottom
      "GWRB",  // 8: left, bottom
  };
  const std::string stored = Quarters();
  EXPECT_EQ(QuartersOf(DecodePicture(stored, "picture")), "RGBW");
  for (std::size_t orientation = 1; orientation <= 8; ++orientation) {
    for (const bool big_endian : {false, true}) {
      SCOPED_TRACE(orientation);
      const Image picture = DecodePicture(WithSegment(stored, Exif(orientation, big_endian)), "picture");
      EXPECT_EQ(QuartersOf(picture), expected[orientation - 1]);
      EXPECT_EQ(picture.width(), orientation < 5 ? 64 : 32);
      EXPECT_EQ(picture.height(), orientation < 5 ? 32 : 64);
    }
  }
  // Other data may come first, and markers may be padded.
  const std::string behind = WithSegment(WithSegment(stored, Exif(3, true)), "http://ns.adobe.com/xap/1.0/");
  EXPECT_EQ(QuartersOf(DecodePicture(behind.substr(0, 2) + "\xFF\xFF" + behind.substr(2), "picture")), "WBGR");
}

TEST(PictureTest, OrientationsThatMeanNothingAreIgnored) {
  const std::string stored = Quarters();
  const auto decode = [&](const std::string& data) {
    return QuartersOf(DecodePicture(WithSegment(stored, data), "picture"));
  };
  for (const std::size_t orientation : {0, 9, 65535}) EXPECT_EQ(decode(Exif(orientation, true)), "RGBW") << orientation;
  for (const bool big_endian : {false, true}) {
    const std::string whole = Exif(3, big_endian);
    const std::size_t end_of_value = whole.size() - 6;
    for (std::size_t length = 0; length < end_of_value; ++length) {
      EXPECT_EQ(decode(whole.substr(0, length)), "RGBW") << length;
    }
    // Offsets and counts that point behind the end.
    for (std::size_t at = 6; at < whole.size(); ++at) {
      for (const char c : {'\x00', '\x7F', '\xFF'}) {
        std::string damaged = whole;
        damaged[at] = c;
        EXPECT_THAT(decode(damaged), testing::AnyOf("RGBW", "WBGR"));
      }
    }
  }
}

/// A scan of a few bytes makes the decoder visit the whole picture.
TEST(PictureTest, ScansOfProgressivePicturesAreLimited) {
  const std::string jpeg = Jpeg(4096, 2048, true, [](int, int) { return kRed; });
  EXPECT_EQ(DecodePicture(jpeg, "picture").width(), 4096);
  const std::size_t last = jpeg.rfind("\xFF\xDA");
  ASSERT_NE(last, std::string::npos);
  std::string repeated = jpeg.substr(0, jpeg.size() - 2);
  for (int i = 0; i < 1000; ++i) repeated += jpeg.substr(last, jpeg.size() - 2 - last);
  ASSERT_LT(repeated.size(), 1 << 20);
  EXPECT_EQ(FaultOf(repeated + "\xFF\xD9", ErrorCode::kResource),
            "picture: has more than 128 scans of 4096 x 2048 pixels");
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
