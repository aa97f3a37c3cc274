// SPDX-License-Identifier: MIT
#include "cli/image_options.hpp"

#include "cli/picture/picture.hpp"

namespace kuiper_infer::cli {

void ImageOptions::AddTo(const Command& command) {
  command.Add("--image", files, "A PNG or JPEG file for an input, turned upright: FILE or NAME=FILE");
  AddPreparationTo(command);
}

void ImageOptions::AddPreparationTo(const Command& command) {
  command
      .Add("--image-fit", preparation.fit, "stretch to the input's size, crop the middle of a larger one, or letterbox")
      .OneOf({"stretch", "crop", "letterbox"})
      .ShowsDefault();
  command.Add("--image-size", preparation.size, "Height and width where the model leaves them free")
      .Values(2, 2)
      .InRange(1, 1 << 16);
  command.Add("--color", preparation.color, "The channels' order that the model expects of pictures")
      .OneOf({"rgb", "bgr", "gray"})
      .ShowsDefault();
  command.Add("--divisor", preparation.divisor, "What the bytes of pictures are divided by, before mean and deviation")
      .Positive()
      .ShowsDefault();
  command.Add("--mean", preparation.mean, "Subtracted from each channel then, for example 0.485 0.456 0.406")
      .Values(1, 3);
  command.Add("--std", preparation.deviation, "What each channel is divided by then").Values(1, 3).NotZero();
}

NdArray ImageOptions::Read(const std::string& file, const std::string& input, const TensorSpec& spec) const {
  return PictureAsInput(ReadPicture(file), "picture '" + file + "'", input, spec, preparation);
}

}  // namespace kuiper_infer::cli
