// SPDX-License-Identifier: MIT
#include "cli/picture.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <jerror.h>
#include <jpeglib.h>
#include <png.h>
#include <vector>

#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

[[noreturn]] void Fail(const std::string& name, const std::string& text) {
  throw Error(ErrorCode::kFile, name + ": " + text);
}

/// A few bytes can announce a picture beyond any camera's, and decoding takes up to 9 bytes a pixel.
void CheckPixels(const std::string& name, int64_t width, int64_t height) {
  constexpr int64_t kMostPixels = 1 << 27;
  if (width * height <= kMostPixels) return;
  throw Error(ErrorCode::kResource, name + ": has " + std::to_string(width) + " x " + std::to_string(height) +
                                        " pixels, expected at most " + std::to_string(kMostPixels));
}

Image DecodePng(const std::string& bytes, const std::string& name) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) Fail(name, png.message);
  png.format = PNG_FORMAT_RGBA;
  try {
    CheckPixels(name, png.width, png.height);
    Image rgba(png.height, png.width, 4);
    if (png_image_finish_read(&png, nullptr, rgba.row(0), 0, nullptr) == 0) Fail(name, png.message);
    Image picture(rgba.height(), rgba.width(), 3);
    for (int64_t i = 0; i < rgba.height() * rgba.width(); ++i) {
      std::copy_n(rgba.row(0) + 4 * i, 3, picture.row(0) + 3 * i);
    }
    return picture;
  } catch (...) {
    png_image_free(&png);
    throw;
  }
}

/// libjpeg ends the process on errors unless its handler jumps away.
struct JpegFailure {
  jpeg_error_mgr manager;
  std::jmp_buf place;
  char text[JMSG_LENGTH_MAX];

  static void Handle(j_common_ptr reader) {
    auto* failure = reinterpret_cast<JpegFailure*>(reader->err);
    (*reader->err->format_message)(reader, failure->text);
    std::longjmp(failure->place, 1);
  }
  /// Warnings are borne, but a file that ends early is no picture.
  static void Warn(j_common_ptr reader, int level) {
    if (level < 0 && reader->err->msg_code == JWRN_JPEG_EOF) Handle(reader);
  }
};

/// Only plain data here: a jump passes over destructors. Reads the header (`rows` empty), or all rows. False on
/// failure.
bool RunJpeg(const std::string& bytes, jpeg_decompress_struct& reader, JpegFailure& failure,
             const std::vector<JSAMPROW>& rows) {
  if (setjmp(failure.place) != 0) return false;
  if (rows.empty()) {
    jpeg_create_decompress(&reader);
    jpeg_mem_src(&reader, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&reader, TRUE);
    reader.out_color_space = JCS_RGB;
    return true;
  }
  jpeg_start_decompress(&reader);
  while (reader.output_scanline < reader.output_height) {
    JSAMPROW row = rows[reader.output_scanline];
    jpeg_read_scanlines(&reader, &row, 1);
  }
  jpeg_finish_decompress(&reader);
  return true;
}

Image DecodeJpeg(const std::string& bytes, const std::string& name) {
  jpeg_decompress_struct reader{};
  JpegFailure failure{};
  reader.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = JpegFailure::Handle;
  failure.manager.emit_message = JpegFailure::Warn;
  struct Cleanup {
    jpeg_decompress_struct& reader;
    ~Cleanup() { jpeg_destroy_decompress(&reader); }
  } const cleanup{reader};
  if (!RunJpeg(bytes, reader, failure, {})) Fail(name, failure.text);
  CheckPixels(name, reader.image_width, reader.image_height);
  Image picture(reader.image_height, reader.image_width, 3);
  std::vector<JSAMPROW> rows;
  for (int64_t y = 0; y < picture.height(); ++y) rows.push_back(picture.row(y));
  if (!RunJpeg(bytes, reader, failure, rows)) Fail(name, failure.text);
  return picture;
}

}  // namespace

Image DecodePicture(const std::string& bytes, const std::string& name) {
  if (bytes.compare(0, 4, "\x89PNG") == 0) return DecodePng(bytes, name);
  if (bytes.compare(0, 2, "\xFF\xD8") == 0) return DecodeJpeg(bytes, name);
  Fail(name, "is neither a PNG nor a JPEG file");
}

Image ReadPicture(const std::string& path) {
  constexpr int64_t kMostBytes = 512 << 20;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) Fail(path, "cannot be opened");
  std::string bytes;
  std::vector<char> block(1 << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (static_cast<int64_t>(bytes.size()) > kMostBytes) Fail(path, "is larger than 512 MiB");
  }
  return DecodePicture(bytes, path);
}

}  // namespace kuiper_infer::cli
