// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/picture/image_options.hpp"
#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::cli {

/// The options of all commands that run a model.
struct ModelOptions {
  std::string param;
  std::string bin;
  std::vector<std::string> inputs;  ///< [NAME=]FILE
  std::vector<std::string> shapes;  ///< NAME=1,3,224,224
  std::vector<std::string> plugins;
  BuildOptions build;
  bool cast = false;
  ImageOptions images;

  /// Returns the option --bin, which is required. The object must outlive the command.
  Option AddTo(const Command& command, bool with_shapes);
};

/// Creates the folder of --cache if it does not exist. Throws Error(kFile) if that fails; the library by itself would
/// only log that and go on without a cache.
void CheckCacheFolder(const std::string& folder);

/// The shapes of --shape by the names of inputs, which have to be in `names`. Throws Error.
std::map<std::string, Shape> ParseShapes(const std::vector<std::string>& shapes, const std::vector<std::string>& names);

/// Throws Error if an extent of the input's shape is free, because --shape has to give it.
void CheckIsGiven(const std::string& input, const Shape& shape);

/// A NumPy file's array for an input. If its element type is not the input's, the array is converted if `cast`;
/// otherwise that is an Error.
NdArray ReadArray(const std::string& file, const RuntimeGraph& graph, const std::string& input, bool cast);

/// The model, not loaded yet. Without a .bin file all weights are zero. Throws Error.
RuntimeGraph OpenModel(const std::string& param, const std::string& bin);

/// Loads plugins and model and builds it; throws Error.
RuntimeGraph LoadModel(const ModelOptions& options);

/// An array for every input of the graph, from the files. If `random`, an input without a file is filled from a fixed
/// seed, in the recorded shape or the shape given by --shape. Otherwise a missing file is an error.
std::map<std::string, NdArray> ReadInputs(const RuntimeGraph& graph, const ModelOptions& options, bool random);

/// Sets the arrays of ReadInputs. Returns their shapes.
std::map<std::string, Shape> SetInputs(RuntimeGraph& graph, const ModelOptions& options, bool random);

}  // namespace kuiper_infer::cli
