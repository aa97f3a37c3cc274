// SPDX-License-Identifier: MIT
// Models and their inputs in C; c_runs.cpp has runs and outputs, c_states.cpp states.
#include "kuiper_infer/kuiper_c.h"

#include "api/c_handle.hpp"
#include "api/c_options.hpp"
#include "kuiper_infer/version.h"

using kuiper_infer::ArrayOf;
using kuiper_infer::Error;
using kuiper_infer::ErrorCode;
using kuiper_infer::Guard;
using kuiper_infer::NdArray;
using kuiper_infer::ReadBuildOptions;
using kuiper_infer::Require;
using kuiper_infer::RequireIndex;
using kuiper_infer::SharedModel;

const char* kuiper_version(void) { return KUIPER_VERSION; }

kuiper_status kuiper_load(const char* param_path, const char* bin_path, const kuiper_options* options,
                          kuiper_model** model) {
  return Guard([&] {
    Require(model, "model");
    *model = nullptr;
    Require(param_path, "param_path");
    Require(bin_path, "bin_path");
    kuiper_infer::RuntimeGraph graph(param_path, bin_path);
    graph.set_build_options(ReadBuildOptions(options));
    graph.Build();
    *model = new kuiper_model(std::make_shared<SharedModel>(std::move(graph)));
  });
}

kuiper_status kuiper_load_memory(const void* param_text, size_t param_size, const void* bin_bytes, size_t bin_size,
                                 const kuiper_options* options, kuiper_model** model) {
  return Guard([&] {
    Require(model, "model");
    *model = nullptr;
    Require(param_text, "param_text");
    Require(bin_bytes, "bin_bytes");
    auto graph = kuiper_infer::RuntimeGraph::FromMemory({static_cast<const char*>(param_text), param_size},
                                                        {static_cast<const char*>(bin_bytes), bin_size},
                                                        ReadBuildOptions(options));
    graph.Build();
    *model = new kuiper_model(std::make_shared<SharedModel>(std::move(graph)));
  });
}

kuiper_status kuiper_clone(const kuiper_model* model, kuiper_model** clone) {
  return Guard([&] {
    Require(clone, "clone");
    *clone = nullptr;
    Require(model, "model");
    *clone = new kuiper_model(model->shared);
  });
}

void kuiper_free(kuiper_model* model) { delete model; }

size_t kuiper_input_count(const kuiper_model* model) { return model == nullptr ? 0 : model->shared->names.size(); }

const char* kuiper_input_name(const kuiper_model* model, size_t index) {
  return index < kuiper_input_count(model) ? model->shared->names[index].c_str() : nullptr;
}

kuiper_status kuiper_get_input(const kuiper_model* model, size_t index, kuiper_array* array) {
  return Guard([&] {
    Require(model, "model");
    Require(array, "array");
    RequireIndex(index, model->shared->specs.size(), "input");
    *array = ArrayOf(model->shared->specs[index], nullptr);
  });
}

kuiper_status kuiper_set_input(kuiper_model* model, const char* name, const kuiper_array* array) {
  return Guard([&] {
    Require(model, "model");
    Require(name, "name");
    Require(array, "array");
    const auto type = static_cast<kuiper_infer::RuntimeDataType>(array->type);
    if (kuiper_infer::ElementBytes(type) == 0) {
      throw Error(ErrorCode::kInput, "array type is " + std::to_string(array->type) + ", expected one of kuiper_type");
    }
    constexpr int kMostAxes = 64;
    if (array->rank < 0 || array->rank > kMostAxes) {
      throw Error(ErrorCode::kInput, "array rank is " + std::to_string(array->rank) + ", expected 0 to 64");
    }
    if (array->rank > 0) Require(array->shape, "array shape");
    const kuiper_infer::TensorSpec spec(type, kuiper_infer::Shape(array->shape, array->shape + array->rank));
    if (kuiper_infer::ByteCount(type, spec.shape) > 0) Require(array->data, "array data");
    model->session.set_input(name, NdArray::View(const_cast<void*>(array->data), spec));
  });
}
