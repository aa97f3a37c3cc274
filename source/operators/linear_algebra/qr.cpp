// SPDX-License-Identifier: MIT
#include "kernel/linear_algebra/qr.hpp"

#include <algorithm>

#include "kernel/linear_algebra/column_major.hpp"
#include "operators/linear_algebra/matrix_batch.hpp"
#include "shape/broadcast.hpp"

namespace kuiper_infer {
namespace {

int64_t Scratch(RuntimeDataType type, int64_t rows, int64_t columns) {
  return ScratchFor(type, [&](auto tag) { return kernel::QrScratch<typename decltype(tag)::type>(rows, columns); });
}

/// Where one matrix is factored before Q and R are taken from it.
template <class T>
struct FactorMemory : kernel::ScratchParts {
  FactorMemory(int64_t rows, int64_t columns, int64_t width, std::byte* memory)
      : ScratchParts(memory),
        qr(Take<T>(rows * columns)),
        tau(Take<T>(std::min(rows, columns))),
        scratch(Take<std::byte>(kernel::QrScratch<T>(rows, std::max(columns, width)))) {}

  T* qr;
  T* tau;
  std::byte* scratch;
};

/// Plans Q with `width` columns (none: an array without elements) and R with `height` rows.
OperationPlan PlanFactors(const Arguments& arguments, bool wants_q, bool complete) {
  const MatrixBatch a = ReadMatrices(arguments);
  const int64_t rows = a.rows;
  const int64_t columns = a.columns;
  const int64_t width = complete ? rows : a.least();
  // A square Q of many rows is more than ReadMatrices allows.
  arguments.Require(!wants_q || width <= 2 * a.least() || rows <= int64_t{1} << 14,
                    "input is " + ShapeString(a.tensor.spec.shape) + ", which has too many rows for a square Q");
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), wants_q ? a.With({rows, width}) : Shape{0}),
                  OutputPlan::New(a.type(), a.With({width, columns}))};
  BatchCall call{a.type(), a.count, rows * columns * std::max(width, a.least())};
  call.scratch_bytes = ScratchFor(a.type(), [&](auto tag) {
    return FactorMemory<typename decltype(tag)::type>(rows, columns, width, nullptr).bytes();
  });
  const auto compute = [=](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    const FactorMemory<T> memory(rows, columns, width, scratch);
    kernel::QrFactor(rows, columns, a.At<T>(c, i), memory.qr, memory.tau, memory.scratch);
    T* r = c.outputs[1].as<T>() + i * width * columns;
    std::copy_n(memory.qr, width * columns, r);
    kernel::ClearBelowDiagonal(width, columns, r);
    if (wants_q) {
      kernel::ReflectorProduct(rows, columns, std::min(rows, columns), width, memory.qr, memory.tau,
                               c.outputs[0].as<T>() + i * rows * width, memory.scratch);
    }
    return 0;
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

OperationPlan PlanQr(const Arguments& arguments) {
  const std::string mode = arguments.String("mode");
  arguments.Require(mode == "reduced" || mode == "complete" || mode == "r",
                    "mode is '" + mode + "', expected reduced, complete or r");
  return PlanFactors(arguments, mode != "r", mode == "complete");
}

OperationPlan PlanSomeQr(const Arguments& arguments) { return PlanFactors(arguments, true, !arguments.Bool("some")); }

/// Plans R and the reflectors in one matrix, and their factors tau.
OperationPlan PlanReflectors(const Arguments& arguments) {
  const MatrixBatch a = ReadMatrices(arguments);
  const int64_t rows = a.rows;
  const int64_t columns = a.columns;
  OperationPlan plan;
  plan.outputs = {OutputPlan::New(a.type(), a.tensor.spec.shape), OutputPlan::New(a.type(), a.With({a.least()}))};
  const BatchCall call{a.type(), a.count, rows * columns * a.least(), Scratch(a.type(), rows, columns)};
  const auto compute = [=, least = a.least()](auto tag, const RunContext& c, int64_t i, std::byte* scratch) {
    using T = typename decltype(tag)::type;
    kernel::QrFactor(rows, columns, a.At<T>(c, i), c.outputs[0].as<T>() + i * rows * columns,
                     c.outputs[1].as<T>() + i * least, scratch);
    return 0;
  };
  CallForEachMatrix(arguments, call, compute, plan);
  return plan;
}

}  // namespace

void RegisterQr(OperationTable& table) {
  table.Add({"torch.linalg.qr", "aten::linalg_qr"}, "Tensor input|self|A, str mode=reduced", PlanQr);
  table.Add({"torch.qr", "aten::qr"}, "Tensor input|self, bool some=True", PlanSomeQr);
  table.Add({"torch.geqrf", "aten::geqrf"}, "Tensor input|self", PlanReflectors);
}

}  // namespace kuiper_infer
