// SPDX-License-Identifier: MIT
// A model built in code, without files: Sobel's two filters as a convolution, and the length of the gradient. Draws the
// edges of a picture:
//   build_model tmp/line_hello.png edges.png
#include <cstdio>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <opencv2/core.hpp>

#include "kuiper_infer/runtime/runtime_graph.hpp"
#include "kuiper_infer/vision/preprocess.hpp"
#include "picture_file.hpp"

namespace {

using kuiper_infer::NdArray;

constexpr int kFloat32 = 1;

/// Adds an operator with one output of that shape; a free extent is -1.
pnnx::Operand* Add(pnnx::Graph& graph, const std::string& type, const std::string& name,
                   const std::vector<pnnx::Operand*>& inputs, std::vector<int> shape) {
  pnnx::Operator* op = graph.new_operator(type, name);
  for (pnnx::Operand* input : inputs) {
    op->inputs.push_back(input);
    input->consumers.push_back(op);
  }
  pnnx::Operand* output = graph.new_operand(name + "_out");
  output->producer = op;
  output->type = kFloat32;
  output->shape = std::move(shape);
  output->has_shape = true;
  op->outputs.push_back(output);
  return output;
}

std::unique_ptr<pnnx::Graph> EdgeDetector() {
  auto graph = std::make_unique<pnnx::Graph>();
  pnnx::Operand* picture = Add(*graph, "pnnx.Input", "picture", {}, {1, 1, -1, -1});

  pnnx::Operand* gradient = Add(*graph, "nn.Conv2d", "sobel", {picture}, {1, 2, -1, -1});
  pnnx::Operator* convolution = gradient->producer;
  convolution->params["kernel_size"] = std::vector<int>{3, 3};
  convolution->params["padding"] = std::vector<int>{1, 1};
  convolution->params["padding_mode"] = std::string("replicate");
  convolution->params["bias"] = false;
  convolution->attrs["weight"] = pnnx::Attribute({2, 1, 3, 3}, {-1, 0, 1, -2, 0, 2, -1, 0, 1,  //
                                                                -1, -2, -1, 0, 0, 0, 1, 2, 1});

  pnnx::Operand* squares = Add(*graph, "pnnx.Expression", "squares", {gradient}, {1, 2, -1, -1});
  squares->producer->params["expr"] = std::string("mul(@0,@0)");
  pnnx::Operand* sum = Add(*graph, "torch.sum", "sum", {squares}, {1, 1, -1, -1});
  sum->producer->params["dim"] = std::vector<int>{1};
  sum->producer->params["keepdim"] = true;
  pnnx::Operand* length = Add(*graph, "pnnx.Expression", "length", {sum}, {1, 1, -1, -1});
  length->producer->params["expr"] = std::string("sqrt(@0)");

  pnnx::Operator* output = graph->new_operator("pnnx.Output", "edges");
  output->inputs.push_back(length);
  length->consumers.push_back(output);
  return graph;
}

void DrawEdges(const std::string& from, const std::string& to) {
  const cv::Mat picture = demos::ReadPicture(from, cv::IMREAD_GRAYSCALE);
  kuiper_infer::RuntimeGraph graph(EdgeDetector());
  graph.Build();
  graph.set_input("picture", ImageToTensor(demos::ViewOf(picture), kuiper_infer::ColorOrder::kGray,
                                           kuiper_infer::ColorOrder::kGray));
  graph.Run();
  const NdArray edges = graph.outputs().front();
  const cv::Mat lengths(picture.rows, picture.cols, CV_32F, edges.raw());
  double strongest = 0;
  cv::minMaxLoc(lengths, nullptr, &strongest);
  cv::Mat drawn;
  lengths.convertTo(drawn, CV_8U, 255 / std::max(strongest, 1e-6));
  demos::WritePicture(to, drawn);
  std::printf("%d x %d pixels, strongest edge %.3f, drawn to %s\n", picture.cols, picture.rows, strongest, to.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Draws the edges of a picture with a model that is built in code."};
  app.footer("Example:\n  build_model tmp/line_hello.png edges.png");
  std::string from;
  std::string to;
  app.add_option("picture", from, "A picture: PNG, JPEG, ...")->required();
  app.add_option("output", to, "The picture to write")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    DrawEdges(from, to);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
