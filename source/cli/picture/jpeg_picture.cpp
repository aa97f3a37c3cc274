// SPDX-License-Identifier: MIT
#include "cli/picture/jpeg_picture.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <jerror.h>
#include <jpeglib.h>
#include <vector>

#include "cli/picture/exif_orientation.hpp"
#include "cli/picture/picture.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace kuiper_infer::cli {
namespace {

/// libjpeg ends the process on errors unless its handler jumps away.
struct JpegFailure {
  jpeg_error_mgr manager;
  std::jmp_buf place;
  ErrorCode code = ErrorCode::kFile;
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

/// Stops a picture of too many scans: a few bytes make one, and each passes over all coefficients. Real pictures have
/// about ten.
struct ScanLimit {
  jpeg_progress_mgr manager;

  static void Check(j_common_ptr common) {
    const auto* reader = reinterpret_cast<j_decompress_ptr>(common);
    constexpr int64_t kMostPixels = 1 << 30;  // of all scans together
    constexpr int64_t kAlwaysAllowed = 16;
    const int64_t pixels = int64_t{reader->image_width} * reader->image_height;
    const int64_t most = std::max(kAlwaysAllowed, kMostPixels / pixels);
    if (reader->input_scan_number <= most) return;
    auto* failure = reinterpret_cast<JpegFailure*>(reader->err);
    failure->code = ErrorCode::kResource;
    std::snprintf(failure->text, sizeof(failure->text), "has more than %d scans of %u x %u pixels",
                  static_cast<int>(most), reader->image_width, reader->image_height);
    std::longjmp(failure->place, 1);
  }
};

/// Reads a JPEG file's header (`rows` empty), or all rows. False on failure. Its variables are plain data: a jump
/// passes over destructors.
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

}  // namespace

Image DecodeJpeg(const std::string& bytes, const std::string& name) {
  jpeg_decompress_struct reader{};
  JpegFailure failure{};
  reader.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = JpegFailure::Handle;
  failure.manager.emit_message = JpegFailure::Warn;
  ScanLimit limit{};
  limit.manager.progress_monitor = ScanLimit::Check;
  struct Cleanup {
    jpeg_decompress_struct& reader;
    ~Cleanup() { jpeg_destroy_decompress(&reader); }
  } const cleanup{reader};
  const auto fail = [&] { throw Error(failure.code, name + ": " + failure.text); };
  if (!RunJpeg(bytes, reader, failure, {})) fail();
  CheckPixels(name, reader.image_width, reader.image_height);
  Image picture(reader.image_height, reader.image_width, 3);
  std::vector<JSAMPROW> rows;
  for (int64_t y = 0; y < picture.height(); ++y) rows.push_back(picture.row(y));
  reader.progress = &limit.manager;
  if (!RunJpeg(bytes, reader, failure, rows)) fail();
  return Oriented(std::move(picture), ExifOrientation(bytes));
}

}  // namespace kuiper_infer::cli
