// SPDX-License-Identifier: MIT
// Pictures, compared with the results of torchvision, Pillow and OpenCV (tools/make_image_cases.py).
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/vision/preprocess.hpp"

namespace kuiper_infer {
namespace {

using testing::HasSubstr;

class Cases {
 public:
  Cases() { EXPECT_EQ(reader_.open(std::string(KUIPER_SOURCE_DIR) + "/test/vision/cases.zip"), 0) << reader_.error(); }

  std::string Text(const std::string& name) {
    std::string text(reader_.get_file_size(name), '\0');
    EXPECT_EQ(reader_.read_file(name, text.data()), 0) << reader_.error();
    return text;
  }
  NdArray Array(const std::string& name) {
    const std::string bytes = Text(name + ".npy");
    return ParseNpy(bytes.data(), bytes.size(), name);
  }

 private:
  StoreZipReader reader_;
};

ImageView ViewOf(const NdArray& picture) {
  return {picture.data<uint8_t>(), picture.shape()[0], picture.shape()[1], picture.shape()[2]};
}

/// Returns the largest difference of the pictures' bytes, or a larger number if the sizes differ.
int LargestDifference(const Image& found, const NdArray& expected) {
  if (Shape{found.height(), found.width(), found.channels()} != expected.shape()) return 1000;
  int largest = 0;
  for (int64_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(found.row(0)[i] - expected.data<uint8_t>()[i]));
  }
  return largest;
}

void ExpectSameBits(const NdArray& found, const NdArray& expected) {
  ASSERT_EQ(found.shape(), expected.shape());
  EXPECT_EQ(std::memcmp(found.raw(), expected.raw(), static_cast<std::size_t>(found.size()) * sizeof(float)), 0);
}

TEST(VisionTest, EqualsTorchvisionPillowAndOpenCv) {
  Cases cases;
  std::istringstream index(cases.Text("index.txt"));
  int count = 0;
  for (std::string line; std::getline(index, line); ++count) {
    SCOPED_TRACE(line);
    std::istringstream words(line);
    std::string name;
    std::string picture;
    std::string operation;
    words >> name >> picture >> operation;
    std::vector<int64_t> n;
    for (int64_t number; words >> number;) n.push_back(number);
    const NdArray source = cases.Array(picture);
    const ImageView image = ViewOf(source);
    const NdArray expected = cases.Array(name);
    const Normalization imagenet = Normalization::ImageNet();
    if (operation == "antialias") {
      // Pillow 13 resizes this one's columns first.
      const int tolerance = name == "noise_antialias_30_131" ? 1 : 0;
      EXPECT_LE(LargestDifference(Resize(image, n[0], n[1], Interpolation::kAntialias), expected), tolerance);
    } else if (operation == "shorter") {
      EXPECT_EQ(LargestDifference(ResizeShorterSide(image, n[0], Interpolation::kAntialias), expected), 0);
    } else if (operation == "center") {
      EXPECT_EQ(LargestDifference(CenterCrop(image, n[0], n[1]), expected), 0);
    } else if (operation == "nearest") {
      EXPECT_EQ(LargestDifference(Resize(image, n[0], n[1], Interpolation::kNearest), expected), 0);
    } else if (operation == "bilinear") {  // OpenCV's versions differ among themselves by one
      EXPECT_LE(LargestDifference(Resize(image, n[0], n[1], Interpolation::kBilinear), expected), 1);
    } else if (operation == "letterbox") {
      EXPECT_LE(LargestDifference(Letterbox(image, n[0], n[1]).image, expected), 1);
    } else if (operation == "tensor") {
      ExpectSameBits(ImageToTensor(image, ColorOrder::kRgb), expected);
    } else if (operation == "normalized") {
      ExpectSameBits(ImageToTensor(image, ColorOrder::kRgb, ColorOrder::kRgb, imagenet), expected);
    } else if (operation == "grey") {
      ExpectSameBits(ImageToTensor(image, ColorOrder::kRgb, ColorOrder::kGray), expected);
    } else if (operation == "imagenet") {
      const Image resized = ResizeShorterSide(image, n[0], Interpolation::kAntialias);
      const Image crop = CenterCrop(resized, n[1], n[1]);
      ExpectSameBits(ImageToTensor(crop, ColorOrder::kRgb, ColorOrder::kRgb, imagenet), expected);
    } else {
      ADD_FAILURE() << "unknown operation";
    }
  }
  EXPECT_GT(count, 40);
}

TEST(VisionTest, OrdersOfChannels) {
  const std::array<uint8_t, 8> pixels{10, 20, 30, 255, 40, 50, 60, 0};  // two of RGBA
  const ImageView rgba(pixels.data(), 1, 2, 4);
  const Normalization bytes{1, {0, 0, 0}, {1, 1, 1}};
  const auto values = [&](const ImageView& view, ColorOrder from, ColorOrder to) {
    const NdArray tensor = ImageToTensor(view, from, to, bytes);
    return std::vector<float>(tensor.data<float>(), tensor.data<float>() + tensor.size());
  };
  EXPECT_THAT(values(rgba, ColorOrder::kRgba, ColorOrder::kRgb), testing::ElementsAre(10, 40, 20, 50, 30, 60));
  EXPECT_THAT(values(rgba, ColorOrder::kRgba, ColorOrder::kBgr), testing::ElementsAre(30, 60, 20, 50, 10, 40));
  EXPECT_THAT(values(rgba, ColorOrder::kBgra, ColorOrder::kRgb), testing::ElementsAre(30, 60, 20, 50, 10, 40));
  const ImageView bgr(pixels.data(), 1, 1, 3);
  EXPECT_THAT(values(bgr, ColorOrder::kBgr, ColorOrder::kRgb), testing::ElementsAre(30, 20, 10));
  EXPECT_THAT(values(bgr, ColorOrder::kBgr, ColorOrder::kBgr), testing::ElementsAre(10, 20, 30));
  const ImageView grey(pixels.data(), 1, 2, 1);
  EXPECT_THAT(values(grey, ColorOrder::kGray, ColorOrder::kGray), testing::ElementsAre(10, 20));
  EXPECT_THAT(values(grey, ColorOrder::kGray, ColorOrder::kRgb), testing::ElementsAre(10, 20, 10, 20, 10, 20));
}

TEST(VisionTest, RowsMayHaveGaps) {
  Cases cases;
  const NdArray source = cases.Array("noise");
  const ImageView image = ViewOf(source);
  const ImageView part(image.row(3) + 5 * 3, 20, 30, 3, image.row_bytes);
  const Image copy = Crop(image, 3, 5, 20, 30);
  for (const Interpolation how : {Interpolation::kNearest, Interpolation::kBilinear, Interpolation::kAntialias}) {
    const Image one = Resize(part, 13, 44, how);
    const Image other = Resize(copy, 13, 44, how);
    EXPECT_TRUE(std::equal(one.row(0), one.row(0) + 13 * 44 * 3, other.row(0)));
  }
}

TEST(VisionTest, ALetterboxTellsTheWayBack) {
  const Image image(100, 200, 3);
  const Letterboxed boxed = Letterbox(image, 64, 64);
  EXPECT_DOUBLE_EQ(boxed.scale, 0.32);
  EXPECT_EQ(boxed.left, 0);
  EXPECT_EQ(boxed.top, 16);
  EXPECT_EQ(boxed.image.row(0)[0], 114);
  EXPECT_EQ(boxed.image.row(16)[0], 0);
  EXPECT_EQ(Letterbox(image, 64, 64, 0).image.row(0)[0], 0);
}

TEST(VisionTest, MistakesAreNamed) {
  const Image image(4, 5, 3);
  const auto fault = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(fault([] { Image(0, 5, 3); }), HasSubstr("5 x 0"));
  EXPECT_THAT(fault([] { Image(5, 5, 5); }), HasSubstr("5 channels"));
  EXPECT_THAT(fault([] { Image(1 << 20, 1 << 20, 3); }), HasSubstr("bytes"));
  EXPECT_THAT(fault([&] { Resize(image, -1, 5, Interpolation::kNearest); }), HasSubstr("5 x -1"));
  EXPECT_THAT(fault([&] { Resize(image, 1 << 20, 1 << 20, Interpolation::kBilinear); }), HasSubstr("bytes"));
  EXPECT_THAT(fault([&] { Crop(image, 1, 0, 4, 5); }), HasSubstr("out of 5 x 4"));
  EXPECT_THAT(fault([&] { Crop(image, INT64_MAX, 0, 4, 5); }), HasSubstr("out of 5 x 4"));
  EXPECT_THAT(fault([] { Resize(ImageView(), 3, 3, Interpolation::kNearest); }), HasSubstr("0 x 0"));
  EXPECT_THAT(fault([&] { ImageToTensor(ImageView(image.row(0), 4, 5, 3, 7), ColorOrder::kRgb); }),
              HasSubstr("7 bytes"));
  EXPECT_THAT(fault([&] { ImageToTensor(image, ColorOrder::kGray); }), HasSubstr("expected 1 for grey"));
  EXPECT_THAT(fault([&] { ImageToTensor(image, ColorOrder::kRgb, ColorOrder::kRgba); }), HasSubstr("RGBA"));
}

TEST(VisionTest, NormalisationsGiveFiniteNumbers) {
  const Image image(4, 5, 3);
  const auto fault = [&](const Normalization& normalization, ColorOrder to = ColorOrder::kRgb) {
    try {
      ImageToTensor(image, ColorOrder::kRgb, to, normalization);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInput);
      return std::string(error.what());
    }
    return std::string();
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float wrong : {nan, infinity, 0.0F, -0.0F}) {
    SCOPED_TRACE(wrong);
    EXPECT_THAT(fault({255, {0, 0, 0}, {1, 1, wrong}}), HasSubstr("for channel 2, expected finite numbers"));
    EXPECT_THAT(fault({wrong, {0, 0, 0}, {1, 1, 1}}), HasSubstr("divisor is "));
  }
  EXPECT_THAT(fault({255, {0, nan, 0}, {1, 1, 1}}), HasSubstr("mean nan, deviation 1 for channel 1"));
  EXPECT_THAT(fault({255, {infinity, 0, 0}, {1, 1, 1}}), HasSubstr("for channel 0"));
  EXPECT_THAT(fault({255, {1e38F, 0, 0}, {1e-10F, 1, 1}}), HasSubstr("for channel 0")) << "the quotient overflows";
  EXPECT_EQ(fault({255, {0.5F, nan, nan}, {0.5F, 0, 0}}, ColorOrder::kGray), "") << "grey has one channel";
  EXPECT_EQ(fault({-255, {-1, 0, 1}, {-1, 2, 1e-3F}}), "");
}

}  // namespace
}  // namespace kuiper_infer
