// SPDX-License-Identifier: MIT
// Does the same as classic.cpp by the façade, and catches an error that the library throws.
#include <iostream>
#include <numeric>
#include <vector>

#include <kuiper_infer/model.hpp>
#include <kuiper_infer/utils/error.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string base = argv[1];
  try {
    kuiper_infer::Model::Load("/no/such", "/no/such");
    return 3;
  } catch (const kuiper_infer::Error& error) {
    if (error.code() != kuiper_infer::ErrorCode::kFile) return 4;
  }
  const auto model = kuiper_infer::Model::Load(base + ".pnnx.param", base + ".pnnx.bin");
  const std::vector<float> pixels(32 * 96, 1.0F);
  const auto outputs = model.Run({{"pnnx_input_0", kuiper_infer::NdArray::View(pixels.data(), {1, 1, 32, 96})}});
  const auto* first = outputs.front().data<float>();
  std::cout << std::accumulate(first, first + outputs.front().size(), 0.0F) << "\n";
  return 0;
}
