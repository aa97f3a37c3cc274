// SPDX-License-Identifier: MIT
// A user's operator: a layer class that is registered under the type string in the model's file. Here it is a module
// that the converter keeps as a whole (pnnx ... moduleop=my.Wave), y = amplitude * sin(x):
//   own_operator 0 0.5 1 1.5
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "kuiper_infer/data/tensor_util.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/layer/abstract/non_param_layer.hpp"
#include "kuiper_infer/runtime/runtime_ir.hpp"

namespace {

using namespace kuiper_infer;  // NOLINT: a program of a few lines

/// Gets one tensor for each element of the batch and fills one for each.
class WaveLayer : public NonParamLayer {
 public:
  explicit WaveLayer(float amplitude) : NonParamLayer("Wave"), amplitude_(amplitude) {}

  using Layer::Forward;
  InferStatus Forward(const std::vector<sftensor>& inputs, std::vector<sftensor>& outputs) override {
    if (inputs.empty()) return InferStatus::kInferFailedInputEmpty;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      outputs[i] = TensorClone(inputs[i]);
      outputs[i]->Transform([this](float x) { return amplitude_ * std::sin(x); });
    }
    return InferStatus::kInferSuccess;
  }

  /// Reads the operator's parameters from the file.
  static ParseParameterAttrStatus Create(const std::shared_ptr<RuntimeOperator>& op, std::shared_ptr<Layer>& layer) {
    const auto found = op->params.find("amplitude");
    const auto amplitude =
        found == op->params.end() ? nullptr : std::dynamic_pointer_cast<RuntimeParameterFloat>(found->second);
    if (amplitude == nullptr) return ParseParameterAttrStatus::kParameterMissingUnknown;
    layer = std::make_shared<WaveLayer>(amplitude->value);
    return ParseParameterAttrStatus::kParameterAttrParseSuccess;
  }

 private:
  float amplitude_;
};

const LayerRegistererWrapper kRegisterWave("my.Wave", WaveLayer::Create);

/// The files that the converter would write for a network of that one module.
void WriteModel(const std::string& param, const std::string& bin, std::size_t count) {
  const std::string shape = "(1," + std::to_string(count) + ")f32";
  pnnx::Graph().save(param, bin);  // the archive of a model without weights
  std::ofstream(param) << "7767517\n3 2\n"
                       << "pnnx.Input pnnx_input_0 0 1 0 #0=" << shape << "\n"
                       << "my.Wave wave 1 1 0 1 amplitude=2.000000e+00 #0=" << shape << " #1=" << shape << "\n"
                       << "pnnx.Output pnnx_output_0 1 0 1 #1=" << shape << "\n";
}

/// Removes the two files with the object.
struct ModelFiles {
  const std::string base =
      (std::filesystem::temp_directory_path() / ("own_operator." + std::to_string(getpid()))).string();
  const std::string param = base + ".pnnx.param";
  const std::string bin = base + ".pnnx.bin";

  ~ModelFiles() {
    std::remove(param.c_str());
    std::remove(bin.c_str());
  }
};

void PrintWave(const std::vector<float>& numbers) {
  const ModelFiles files;
  WriteModel(files.param, files.bin, numbers.size());
  RuntimeGraph graph(files.param, files.bin);
  graph.Build();
  const sftensor input = TensorCreate(static_cast<uint32_t>(numbers.size()));
  input->Fill(numbers);
  const char* separator = "";
  for (const float y : graph.Forward({input}).front()->values()) {
    std::printf("%s%.4f", separator, y);
    separator = " ";
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::strcmp(argv[1], "--help") == 0) {
    std::printf(
        "Runs a model of one operator that the library does not have, and prints 2 sin(x) for each number x.\n"
        "Usage: own_operator NUMBER...\nExample:\n  own_operator 0 0.5 1 -1.5\n");
    return argc < 2 ? 1 : 0;
  }
  std::vector<float> numbers;
  for (int i = 1; i < argc; ++i) {
    char* end = nullptr;
    numbers.push_back(std::strtof(argv[i], &end));
    if (end == argv[i] || *end != '\0') {
      std::fprintf(stderr, "error: '%s' is not a number\n", argv[i]);
      return 1;
    }
  }
  try {
    PrintWave(numbers);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
