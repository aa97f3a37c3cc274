// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "cli/picture/image_options.hpp"
#include "quantization/observation/samples.hpp"

namespace kuiper_infer::cli {

/// The PNG and JPEG files of a folder, in the order of their names, as samples of a model with one input. Throws Error
/// if there are none, or if the model has several inputs.
quantization::Samples PictureSamples(const std::string& folder, const ImageOptions& options,
                                     const std::shared_ptr<const RuntimeGraph>& model);

/// The .npy files of a folder, in the order of their names, as samples of a model with one input. For several inputs
/// the folder has a subfolder for each, of the input's name, and files of the same name form a sample. `cast` converts
/// arrays to the input's element type. Throws Error if there are no samples, or if a sample lacks an input.
quantization::Samples ArraySamples(const std::string& folder, bool cast,
                                   const std::shared_ptr<const RuntimeGraph>& model);

}  // namespace kuiper_infer::cli
