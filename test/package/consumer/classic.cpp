// SPDX-License-Identifier: MIT
// Uses the classic interface: `classic MODEL` prints the sum of the first output for an image of ones.
#include <iostream>
#include <numeric>

#include <kuiper_infer/data/tensor_util.hpp>
#include <kuiper_infer/runtime/runtime_ir.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string base = argv[1];
  kuiper_infer::RuntimeGraph graph(base + ".pnnx.param", base + ".pnnx.bin");
  graph.Build("pnnx_input_0", "pnnx_output_0");
  const kuiper_infer::sftensor image = kuiper_infer::TensorCreate(1, 32, 96);
  image->Ones();
  // The library instantiates these templates; the shared library has to export them.
  kuiper_infer::RuntimeAttribute attribute({2}, kuiper_infer::RuntimeDataType::kTypeFloat32, std::vector<char>(8));
  if (!kuiper_infer::TensorIsSame(image, kuiper_infer::TensorClone(image)) || attribute.get<float>().size() != 2)
    return 1;
  const auto values = graph.Forward({image}).front()->values();
  // Reads a weight as a user's layer does, by a template whose instances are in the library.
  kuiper_infer::RuntimeAttribute zero({1}, kuiper_infer::RuntimeDataType::kTypeFloat32,
                                      std::vector<char>(sizeof(float)));
  std::cout << std::accumulate(values.begin(), values.end(), zero.get<float>().front()) << "\n";
  return 0;
}
