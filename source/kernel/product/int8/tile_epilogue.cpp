// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/int8/tile_epilogue.cpp"
#include "kernel/product/int8/tile_epilogue.hpp"

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/elementwise/tile_functions-inl.hpp"
#include "kernel/fused_multiply_add-inl.hpp"
#include "kernel/limits-inl.hpp"
#include "kernel/partial_vector-inl.hpp"
#include "kernel/quantization/grid-inl.hpp"
#include "utils/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace kuiper_infer::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = GridVectors::Floats;
using FloatVector = GridVectors::FloatVector;
constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Floats()));

enum class Residual { kNone, kFloats, kBytes };

/// What the epilogue makes of sums with their residual: values of a function, limited numbers, or bytes if the sums are
/// in steps of the grid.
enum class Form { kFunction, kBounds, kSteps };

/// Writes rows of sums: all columns of one kind of residual, function and result.
template <Residual kResidual, Form kForm, TileFunction kFunction, bool kToBytes>
class Writer {
 public:
  Writer(const Int8TileEpilogue& result, int64_t rows, const int32_t* sums, int64_t lds)
      : p_(result), rows_(rows), sums_(sums), lds_(lds), residual_grid_(result.residual_grid), c_grid_(result.c_grid) {}

  HWY_INLINE void Write() const {
    int64_t j = 0;
    for (; j + kLanes <= p_.columns; j += kLanes) {
      WriteColumns(j, WholeLanes<Floats>(), WholeLanes<GridVectors::Bytes>());
    }
    if (j < p_.columns)
      WriteColumns(j, PartialVector(p_.columns - j), PartialLanes<GridVectors::Bytes>(p_.columns - j));
  }

 private:
  /// Writes the columns of one vector, which begins with column `j`.
  template <class PartOfFloats, class PartOfBytes>
  HWY_INLINE void WriteColumns(int64_t j, const PartOfFloats& floats, const PartOfBytes& bytes) const {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const FloatVector multiplier = hn::LoadU(d, p_.multipliers + j);
    const FloatVector bias = hn::LoadU(d, p_.biases + j);
    const FloatVector least = hn::Set(d, static_cast<float>(p_.bounds.least));
    const FloatVector most = hn::Set(d, static_cast<float>(p_.bounds.most));
    const int32_t* sums = sums_ + j;
    int64_t residual = j;
    int64_t place = j;
    const int64_t residual_ld = p_.residual_ld;
    const int64_t ldc = p_.ldc;
    for (int64_t r = 0; r < rows_; ++r, sums += lds_, residual += residual_ld, place += ldc) {
      FloatVector y = FusedMultiplyAdd(hn::ConvertTo(d, hn::LoadU(di, sums)), multiplier, bias);
      if constexpr (kResidual == Residual::kFloats) y = hn::Add(y, floats.Load(p_.residual + residual));
      if constexpr (kResidual == Residual::kBytes && kForm == Form::kSteps) {
        const auto q = hn::ConvertTo(d, hn::PromoteTo(di, bytes.Load(p_.residual_bytes + residual)));
        y = FusedMultiplyAdd(q, hn::Set(d, p_.residual_step), y);
      } else if constexpr (kResidual == Residual::kBytes) {
        y = hn::Add(y, residual_grid_.FromBytes(bytes.Load(p_.residual_bytes + residual)));
      }
      if constexpr (kForm == Form::kBounds) y = Limited(y, least, most);
      if constexpr (kForm == Form::kFunction) y = TileFunctionOf<kFunction>(y);
      if constexpr (kForm == Form::kSteps) {
        bytes.Store(c_grid_.StepsToBytes(y), p_.c_bytes + place);
      } else if constexpr (kToBytes) {
        bytes.Store(c_grid_.ToBytes(y), p_.c_bytes + place);
      } else {
        floats.Store(y, p_.c + place);
      }
    }
  }

  const Int8TileEpilogue p_;  // a copy: what is written can't change it
  const int64_t rows_;
  const int32_t* const sums_;
  const int64_t lds_;
  const GridVectors residual_grid_;
  const GridVectors c_grid_;
};

template <Form kForm, bool kToBytes, TileFunction kFunction = TileFunction::kNone>
void WriteSums(const Int8TileEpilogue& p, int64_t rows, const int32_t* sums, int64_t lds) {
  if (p.residual != nullptr) return Writer<Residual::kFloats, kForm, kFunction, kToBytes>(p, rows, sums, lds).Write();
  if (p.residual_bytes != nullptr)
    return Writer<Residual::kBytes, kForm, kFunction, kToBytes>(p, rows, sums, lds).Write();
  Writer<Residual::kNone, kForm, kFunction, kToBytes>(p, rows, sums, lds).Write();
}

void WriteBytes(const Int8TileEpilogue& p, bool bounded, int64_t rows, const int32_t* sums, int64_t lds) {
  if (p.in_steps) return WriteSums<Form::kSteps, true>(p, rows, sums, lds);
  if (p.function == TileFunction::kNone && bounded) return WriteSums<Form::kBounds, true>(p, rows, sums, lds);
  DispatchByteTileFunction(p.function, [&](auto function) {
    WriteSums<Form::kFunction, true, decltype(function)::value>(p, rows, sums, lds);
  });
}

}  // namespace

void WriteResult(const Int8TileEpilogue& p, int64_t rows, const int32_t* sums, int64_t lds) {
  const ActivationBounds none;
  const bool bounded = p.bounds.least != none.least || p.bounds.most != none.most;
  if (p.c == nullptr) return WriteBytes(p, bounded, rows, sums, lds);
  bounded ? WriteSums<Form::kBounds, false>(p, rows, sums, lds) : WriteSums<Form::kFunction, false>(p, rows, sums, lds);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(WriteResult);

void WriteInt8Sums(const Int8TileEpilogue& result, int64_t rows, const int32_t* sums, int64_t lds) {
  KUIPER_SIMD(WriteResult)(result, rows, sums, lds);
}

}  // namespace kuiper_infer::kernel
#endif
