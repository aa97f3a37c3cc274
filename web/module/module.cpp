// SPDX-License-Identifier: MIT
// What JavaScript learns about a model beside the C interface. Functions set `text`, which is valid until the next call
// of one of them, to the answer or, unless they return KUIPER_OK, to the error.
#include <map>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "api/c_model.hpp"
#include "cli/report/descriptions.hpp"
#include "cli/report/model_report.hpp"
#include "kuiper_infer/utils/error.hpp"

namespace {

using kuiper_infer::NdArray;
using kuiper_infer::RuntimeGraph;
using kuiper_infer::Shape;

template <class Body>
kuiper_status Answer(const char** text, const Body& body) {
  static std::string answer;
  kuiper_status status = KUIPER_OK;
  try {
    answer = body();
  } catch (const kuiper_infer::Error& error) {
    answer = error.what();
    status = static_cast<kuiper_status>(static_cast<int>(error.code()) + 1);
  } catch (const std::exception& error) {
    answer = error.what();
    status = KUIPER_ERROR_UNKNOWN;
  }
  *text = answer.c_str();
  return status;
}

/// Sets inputs by name, for whose shapes the graph is planned anew.
void SetInputs(RuntimeGraph& graph, std::size_t count, const char* const* names, const kuiper_array* const* arrays) {
  std::map<std::string, Shape> shapes;
  for (std::size_t i = 0; i < count; ++i) {
    const kuiper_array& array = *arrays[i];
    const auto type = static_cast<kuiper_infer::RuntimeDataType>(array.type);
    const Shape shape(array.shape, array.shape + array.rank);
    graph.set_input(names[i], NdArray::View(const_cast<void*>(array.data), {type, shape}));
    shapes[names[i]] = shape;
  }
  graph.InferShapes(shapes);
}

}  // namespace

extern "C" {

/// The model's inputs, outputs, operators, sizes and warnings as JSON.
kuiper_status kuiper_describe(const kuiper_model* model, const char** text) {
  return Answer(text, [&] {
    const RuntimeGraph& graph = kuiper_infer::GraphOf(*model);
    const RuntimeGraph::Report report = graph.report();
    nlohmann::json described = kuiper_infer::cli::DescribeModel(graph, {});
    described["multiply_adds"] = report.planned ? nlohmann::json(report.multiply_adds) : nullptr;
    described["planned_bytes"] = report.planned ? nlohmann::json(report.planned_bytes) : nullptr;
    return described.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  });
}

/// The page of `kuiper report` as HTML, for these inputs. `name` is that of the model's .param file.
kuiper_status kuiper_report(const kuiper_model* model, const char* name, std::size_t count, const char* const* names,
                            const kuiper_array* const* arrays, int runs, const char** text) {
  return Answer(text, [&] {
    const std::unique_ptr<RuntimeGraph> graph = kuiper_infer::GraphOf(*model).Duplicate();
    SetInputs(*graph, count, names, arrays);
    kuiper_infer::cli::ReportSubject subject;
    subject.param = name;
    subject.threads = 1;
    subject.runs = runs;
    subject.means = true;  // browsers round the clock, many of them to 0.1 ms
    return MakeReport(*graph, subject);
  });
}

}  // extern "C"
