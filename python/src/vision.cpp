// SPDX-License-Identifier: MIT
// The library's picture preparation on arrays of shape (height, width, channels).
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "cli/picture/picture.hpp"
#include "cli/picture/picture_input.hpp"
#include "kuiper_infer/utils/data_type.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/vision/image.hpp"
#include "kuiper_infer/vision/preprocess.hpp"
#include "parts.hpp"

namespace kuiper_infer::python {
namespace {

using PictureArray = nb::ndarray<nb::numpy, uint8_t, nb::ndim<3>>;
using Picture = nb::ndarray<const uint8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

ImageView ViewOf(const Picture& picture) {
  constexpr std::size_t kMostChannels = 4;
  if (picture.size() == 0 || picture.shape(2) > kMostChannels) {
    throw Error(ErrorCode::kShape,
                "a picture has the shape " +
                    ShapeString({static_cast<int64_t>(picture.shape(0)), static_cast<int64_t>(picture.shape(1)),
                                 static_cast<int64_t>(picture.shape(2))}) +
                    ", expected (height,width,channels) with 1 to 4 channels");
  }
  return {picture.data(), static_cast<int64_t>(picture.shape(0)), static_cast<int64_t>(picture.shape(1)),
          static_cast<int64_t>(picture.shape(2))};
}

PictureArray ArrayOf(Image image) {
  auto* kept = new Image(std::move(image));
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<Image*>(pointer); });
  const std::size_t shape[] = {static_cast<std::size_t>(kept->height()), static_cast<std::size_t>(kept->width()),
                               static_cast<std::size_t>(kept->channels())};
  return {kept->row(0), 3, shape, owner};
}

/// Does the work without the GIL.
template <class Work>
auto Released(const Work& work) {
  const nb::gil_scoped_release release;
  return work();
}

PictureArray ResizeTo(const Picture& picture, int64_t height, int64_t width, Interpolation interpolation) {
  const ImageView view = ViewOf(picture);
  return ArrayOf(Released([&] { return Resize(view, height, width, interpolation); }));
}

PictureArray ResizeShorter(const Picture& picture, int64_t size, Interpolation interpolation) {
  const ImageView view = ViewOf(picture);
  return ArrayOf(Released([&] { return ResizeShorterSide(view, size, interpolation); }));
}

PictureArray CropOf(const Picture& picture, int64_t top, int64_t left, int64_t height, int64_t width) {
  const ImageView view = ViewOf(picture);
  return ArrayOf(Released([&] { return Crop(view, top, left, height, width); }));
}

PictureArray CenterCropOf(const Picture& picture, int64_t height, int64_t width) {
  const ImageView view = ViewOf(picture);
  return ArrayOf(Released([&] { return CenterCrop(view, height, width); }));
}

/// (picture, scale, left, top).
nb::tuple LetterboxOf(const Picture& picture, int64_t height, int64_t width, uint8_t filling,
                      Interpolation interpolation) {
  const ImageView view = ViewOf(picture);
  Letterboxed result = Released([&] { return Letterbox(view, height, width, filling, interpolation); });
  return nb::make_tuple(ArrayOf(std::move(result.image)), result.scale, result.left, result.top);
}

NumpyResult TensorOf(const Picture& picture, ColorOrder from, ColorOrder to, float divisor, std::array<float, 3> mean,
                     std::array<float, 3> deviation) {
  const ImageView view = ViewOf(picture);
  return NumpyArray(Released([&] { return ImageToTensor(view, from, to, {divisor, mean, deviation}); }));
}

NumpyResult InputOf(const Picture& picture, const std::string& input, const std::string& type, const Shape& shape,
                    const cli::PictureInput& options) {
  const ImageView view = ViewOf(picture);
  TensorSpec spec;  // without strides, which the recorded shape's free extents do not have
  spec.type = TypeFromTorchName("torch." + type);
  spec.shape = shape;
  return NumpyArray(Released([&] { return cli::PictureAsInput(view, "a picture", input, spec, options); }));
}

}  // namespace

void AddVision(nb::module_& module) {
  nb::enum_<Interpolation>(module, "Interpolation", "How a picture's size changes.")
      .value("NEAREST", Interpolation::kNearest, "The pixel under the output's centre.")
      .value("BILINEAR", Interpolation::kBilinear, "Between four pixels, as OpenCV's INTER_LINEAR.")
      .value("ANTIALIAS", Interpolation::kAntialias, "As Pillow's BILINEAR, and so torchvision's Resize of pictures.");
  nb::enum_<ColorOrder>(module, "ColorOrder", "The order of a picture's channels.")
      .value("GRAY", ColorOrder::kGray)
      .value("RGB", ColorOrder::kRgb)
      .value("BGR", ColorOrder::kBgr)
      .value("RGBA", ColorOrder::kRgba)
      .value("BGRA", ColorOrder::kBgra);
  module.def(
      "read_picture",
      [](const nb::bytes& path) {
        const std::string of_any_encoding(path.c_str(), path.size());
        return ArrayOf(Released([&] { return cli::ReadPicture(of_any_encoding); }));
      },
      nb::arg("path"));
  module.def(
      "decode_picture",
      [](const nb::bytes& bytes, const std::string& name) {
        const std::string contents(bytes.c_str(), bytes.size());
        return ArrayOf(Released([&] { return cli::DecodePicture(contents, name); }));
      },
      nb::arg("bytes"), nb::arg("name"));
  module.def("resize", &ResizeTo, nb::arg("picture"), nb::arg("height"), nb::arg("width"), nb::arg("interpolation"));
  module.def("resize_shorter_side", &ResizeShorter, nb::arg("picture"), nb::arg("size"), nb::arg("interpolation"));
  module.def("crop", &CropOf, nb::arg("picture"), nb::arg("top"), nb::arg("left"), nb::arg("height"), nb::arg("width"));
  module.def("center_crop", &CenterCropOf, nb::arg("picture"), nb::arg("height"), nb::arg("width"));
  module.def("letterbox", &LetterboxOf, nb::arg("picture"), nb::arg("height"), nb::arg("width"), nb::arg("filling"),
             nb::arg("interpolation"));
  module.def("to_tensor", &TensorOf, nb::arg("picture"), nb::arg("from_order"), nb::arg("to_order"), nb::arg("divisor"),
             nb::arg("mean"), nb::arg("deviation"));
  module.def(
      "picture_as_input",
      [](const Picture& picture, const std::string& input, const std::string& type, const Shape& shape,
         const std::string& fit, const std::string& color, const std::vector<int64_t>& size, float divisor,
         const std::vector<float>& mean, const std::vector<float>& deviation) {
        return InputOf(picture, input, type, shape, {fit, color, size, divisor, mean, deviation});
      },
      nb::arg("picture"), nb::arg("input"), nb::arg("type"), nb::arg("shape"), nb::arg("fit"), nb::arg("color"),
      nb::arg("size"), nb::arg("divisor"), nb::arg("mean"), nb::arg("deviation"));
}

}  // namespace kuiper_infer::python
