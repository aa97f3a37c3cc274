// SPDX-License-Identifier: MIT
#include "cli/picture/image_options.hpp"

#include "cli/picture/picture.hpp"

namespace kuiper_infer::cli {

void ImageOptions::AddTo(const Command& command) {
  command.Add("--image", files,
              "A PNG or JPEG file: NAME=FILE, or FILE for the next input. It is turned upright as its EXIF data says");
  AddPreparationTo(command);
}

void ImageOptions::AddPreparationTo(const Command& command) {
  command
      .Add("--image-fit", preparation.fit,
           "How a picture gets the input's size: stretch it; scale it larger than needed and crop the middle; or "
           "letterbox it")
      .OneOf({"stretch", "crop", "letterbox"})
      .ShowsDefault();
  command.Add("--image-size", preparation.size, "Height and width of the input, if the model leaves them free")
      .Values(2, 2)
      .InRange(1, 1 << 16);
  command.Add("--color", preparation.color, "The order of colour channels that the model expects")
      .OneOf({"rgb", "bgr", "gray"})
      .ShowsDefault();
  command.Add("--divisor", preparation.divisor, "Divide the bytes of pictures by this number, before --mean and --std")
      .Positive()
      .ShowsDefault();
  command.Add("--mean", preparation.mean, "Subtract these numbers from the channels, for example 0.485 0.456 0.406")
      .Values(1, 3);
  command.Add("--std", preparation.deviation, "Divide the channels by these numbers after the subtraction")
      .Values(1, 3)
      .NotZero();
}

NdArray ImageOptions::Read(const std::string& file, const std::string& input, const TensorSpec& spec) const {
  return PictureAsInput(ReadPicture(file), "picture '" + file + "'", input, spec, preparation);
}

}  // namespace kuiper_infer::cli
