// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kuiper_infer/runtime/runtime_graph.hpp"

namespace kuiper_infer::test {

/// A folder of real models with PyTorch's outputs: NAME/{NAME.pnnx.param, meta.json, consts.npz, expect.npz}. The
/// weights are not stored but generated from their names, so that a test needs no archive on disk.
struct ZooModel {
  struct Output {
    Shape shape;
    double tolerance = 0;
    NdArray positions;  ///< flat row-major indices
    NdArray values;     ///< PyTorch's results there
  };

  std::unique_ptr<RuntimeGraph> graph;
  std::vector<NdArray> inputs;
  std::vector<Output> outputs;
};

/// Returns the path of the zoo, whether or not it exists.
std::string ZooFolder();
bool ZooExists(const std::string& name);
ZooModel LoadZooModel(const std::string& name);

/// Returns `count` values in [0, 1) of the stream named `key`: splitmix64 seeded with the FNV-1a hash of the key, top
/// 24 bits.
std::vector<double> UnitStream(const std::string& key, int64_t count);

/// Runs the model and checks every output's shape, type and stored positions.
void ExpectEqualsPyTorch(const std::string& name);

}  // namespace kuiper_infer::test
