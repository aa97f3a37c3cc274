// SPDX-License-Identifier: MIT
#include "model/zoo_model.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/npy.hpp"
#include "kuiper_infer/runtime/store_zip.hpp"

namespace kuiper_infer::test {
namespace {

using Json = nlohmann::json;
using Arrays = std::map<std::string, NdArray>;

Arrays ReadNpz(const std::string& path) {
  Arrays arrays;
  StoreZipReader reader;
  if (reader.open(path) != 0) return arrays;
  for (const std::string& name : reader.names()) {
    std::vector<char> bytes(reader.get_file_size(name));
    if (reader.read_file(name, bytes.data()) != 0) throw std::runtime_error(path + ": cannot read " + name);
    arrays[name.substr(0, name.rfind(".npy"))] = ParseNpy(bytes.data(), bytes.size(), name);
  }
  return arrays;
}

NdArray Fill(const std::string& key, const Json& spec, const Arrays& constants) {
  const std::string fill = spec.at("fill");
  const Shape shape = spec.at("shape").get<Shape>();
  if (fill == "float") {
    const double offset = spec.at("offset");
    const double scale = spec.at("scale");
    NdArray array(RuntimeDataType::kTypeFloat32, shape);
    const std::vector<double> unit = UnitStream(key, array.size());
    for (int64_t i = 0; i < array.size(); ++i) {
      array.data<float>()[i] = static_cast<float>(offset + scale * (2.0 * unit[i] - 1.0));
    }
    return array;
  }
  if (fill == "int") {
    const double low = spec.at("lo");
    const double high = spec.at("hi");
    NdArray array(RuntimeDataType::kTypeInt64, shape);
    const std::vector<double> unit = UnitStream(key, array.size());
    for (int64_t i = 0; i < array.size(); ++i) {
      array.data<int64_t>()[i] = static_cast<int64_t>(low + std::floor(unit[i] * (high - low)));
    }
    return array.To(TypeFromTorchName("torch." + spec.at("dtype").get<std::string>()));
  }
  return constants.at(key);
}

void FillWeights(pnnx::Graph& graph, const Json& meta, const Arrays& constants) {
  for (pnnx::Operator* op : graph.ops) {
    for (auto& [key, attribute] : op->attrs) {
      const std::string name = op->name + "." + key;
      const NdArray array = Fill(name, meta.at("weights").at(name), constants).Contiguous();
      const auto* bytes = array.data<char>();
      attribute.data.assign(bytes, bytes + ByteCount(array.type(), array.shape()));
    }
  }
}

}  // namespace

std::string ZooFolder() { return std::string(KUIPER_SOURCE_DIR) + "/../shared/zoo"; }

bool ZooExists(const std::string& name) { return std::filesystem::exists(ZooFolder() + "/" + name + "/meta.json"); }

std::vector<double> UnitStream(const std::string& key, int64_t count) {
  uint64_t seed = 0xCBF29CE484222325ULL;
  for (const char c : key) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    values[i] = static_cast<double>(z >> 40) / 16777216.0;
  }
  return values;
}

ZooModel LoadZooModel(const std::string& name) {
  const std::string folder = ZooFolder() + "/" + name;
  std::ifstream meta_file(folder + "/meta.json");
  const Json meta = Json::parse(meta_file);
  const Arrays constants = ReadNpz(folder + "/consts.npz");
  const Arrays expected = ReadNpz(folder + "/expect.npz");

  auto graph = std::make_unique<pnnx::Graph>();
  graph->Load(folder + "/" + name + ".pnnx.param", "");
  FillWeights(*graph, meta, constants);
  ZooModel model;
  model.graph = std::make_unique<RuntimeGraph>(std::move(graph));
  for (std::size_t k = 0; k < meta.at("inputs").size(); ++k) {
    model.inputs.push_back(Fill("input:" + std::to_string(k), meta.at("inputs")[k], constants));
  }
  for (std::size_t k = 0; k < meta.at("outputs").size(); ++k) {
    const Json& spec = meta.at("outputs")[k];
    const std::string number = std::to_string(k);
    model.outputs.push_back({spec.at("shape").get<Shape>(), spec.value("atol", 0.0), expected.at(number + "_index"),
                             expected.at(number + "_value")});
  }
  return model;
}

void ExpectEqualsPyTorch(const std::string& name) {
  const ZooModel model = LoadZooModel(name);
  RuntimeGraph& graph = *model.graph;
  graph.Build();
  const std::vector<std::string> names = graph.input_names();
  ASSERT_EQ(names.size(), model.inputs.size());
  for (std::size_t k = 0; k < names.size(); ++k) graph.set_input(names[k], model.inputs[k]);
  graph.Run();
  // Shapes that differ from the recorded ones are no failure here, because some files record shapes from before the
  // converter changed the model.

  const std::vector<NdArray> outputs = graph.outputs();
  ASSERT_EQ(outputs.size(), model.outputs.size());
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const ZooModel::Output& expected = model.outputs[k];
    ASSERT_EQ(outputs[k].shape(), expected.shape) << "output " << k;
    const NdArray got = outputs[k].To(RuntimeDataType::kTypeFloat64);
    const NdArray want = expected.values.To(RuntimeDataType::kTypeFloat64);
    const NdArray positions = expected.positions.To(RuntimeDataType::kTypeInt64);
    const double tolerance = IsFloating(expected.values.type()) ? expected.tolerance : 0.0;
    double worst = 0;
    for (int64_t i = 0; i < want.size(); ++i) {
      const double error = std::abs(got.data<double>()[positions.data<int64_t>()[i]] - want.data<double>()[i]);
      worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
    EXPECT_LE(worst, tolerance) << "output " << k;
  }
}

}  // namespace kuiper_infer::test
