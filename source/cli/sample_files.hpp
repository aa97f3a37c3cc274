// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "cli/image_options.hpp"
#include "quantization/samples.hpp"

namespace kuiper_infer::cli {

/// The PNG and JPEG files of a folder, in the order of their names, as samples of a model with one input. Throws Error
/// where there are none, or several inputs.
quantization::Samples PictureSamples(const std::string& folder, const ImageOptions& options,
                                     const std::shared_ptr<const RuntimeGraph>& model);

/// The .npy files of a folder, in the order of their names, as samples of a model with one input. For several inputs
/// the folder has a subfolder for each, of the input's name, and the files of one name are a sample. `cast` converts
/// arrays to the input's element type. Throws Error where there are none, or where some lack.
quantization::Samples ArraySamples(const std::string& folder, bool cast,
                                   const std::shared_ptr<const RuntimeGraph>& model);

}  // namespace kuiper_infer::cli
