// SPDX-License-Identifier: MIT
#include "quantization/observation/samples.hpp"

#include "kuiper_infer/utils/error.hpp"
#include "quantization/number_checks.hpp"

namespace kuiper_infer::quantization {

Samples SomeOf(const Samples& samples, std::size_t most) {
  if (most == 0 || samples.count <= most) return samples;
  const auto place = [all = samples.count, most](std::size_t index) { return index * all / most; };
  return {most, [=](std::size_t index) { return samples.read(place(index)); },
          [=](std::size_t index) { return samples.name(place(index)); }};
}

std::vector<NdArray> RunSample(RuntimeGraph& graph, const Samples& samples, std::size_t index) {
  const std::vector<NdArray> arrays = samples.read(index);
  const std::vector<std::string> inputs = graph.input_names();
  try {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      RequireNoNan(arrays.at(i), "input '" + inputs[i] + "'");
      graph.set_input(inputs[i], arrays[i]);
    }
    graph.Run();
  } catch (const Error& error) {
    throw Error(error.code(), samples.name(index) + ": " + error.what());
  }
  return graph.outputs();
}

}  // namespace kuiper_infer::quantization
