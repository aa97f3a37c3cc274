// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/int8_result.cpp"
#include "kernel/product/int8_result.hpp"

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

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

/// Whole vectors of floats and of bytes, with the functions of PartialVector and PartialBytes.
template <class Tag>
struct WholeVector {
  template <class T>
  HWY_INLINE hn::Vec<Tag> Load(const T* from) const {
    return hn::LoadU(Tag(), from);
  }
  template <class T>
  HWY_INLINE void Store(const hn::Vec<Tag> v, T* to) const {
    hn::StoreU(v, Tag(), to);
  }
};

enum class Addend { kNone, kFloats, kBytes };

/// Writes the columns of one vector, which begins with column `j`.
template <Addend kAddend, bool kToBytes, class PartOfFloats, class PartOfBytes>
HWY_INLINE void WriteColumns(const Int8Result& p, int64_t rows, const int32_t* sums, int64_t lds, int64_t j,
                             const PartOfFloats& floats, const PartOfBytes& bytes) {
  const Floats d;
  const hn::RebindToSigned<Floats> di;
  const GridVectors addend_grid(p.addend_grid);
  const GridVectors c_grid(p.c_grid);
  const FloatVector multiplier = hn::LoadU(d, p.multipliers + j);
  const FloatVector bias = hn::LoadU(d, p.biases + j);
  const FloatVector least = hn::Set(d, p.bounds.least);
  const FloatVector most = hn::Set(d, p.bounds.most);
  for (int64_t r = 0; r < rows; ++r) {
    FloatVector y = hn::Add(hn::Mul(hn::ConvertTo(d, hn::LoadU(di, sums + r * lds + j)), multiplier), bias);
    const int64_t addend = r * p.addend_ld + j;
    if constexpr (kAddend == Addend::kFloats) y = hn::Add(y, floats.Load(p.addend + addend));
    if constexpr (kAddend == Addend::kBytes) {
      y = hn::Add(y, addend_grid.FromBytes(bytes.Load(p.addend_bytes + addend)));
    }
    y = Limited(y, least, most);
    if constexpr (kToBytes) {
      bytes.Store(c_grid.ToBytes(y), p.c_bytes + r * p.ldc + j);
    } else {
      floats.Store(y, p.c + r * p.ldc + j);
    }
  }
}

template <Addend kAddend, bool kToBytes>
void WriteAllColumns(const Int8Result& p, int64_t rows, const int32_t* sums, int64_t lds) {
  int64_t j = 0;
  for (; j + kLanes <= p.columns; j += kLanes) {
    WriteColumns<kAddend, kToBytes>(p, rows, sums, lds, j, WholeVector<Floats>(), WholeVector<GridVectors::Bytes>());
  }
  if (j == p.columns) return;
  WriteColumns<kAddend, kToBytes>(p, rows, sums, lds, j, PartialVector(p.columns - j), PartialBytes(p.columns - j));
}

template <bool kToBytes>
void WriteSums(const Int8Result& p, int64_t rows, const int32_t* sums, int64_t lds) {
  if (p.addend != nullptr) return WriteAllColumns<Addend::kFloats, kToBytes>(p, rows, sums, lds);
  if (p.addend_bytes != nullptr) return WriteAllColumns<Addend::kBytes, kToBytes>(p, rows, sums, lds);
  WriteAllColumns<Addend::kNone, kToBytes>(p, rows, sums, lds);
}

}  // namespace

void WriteResult(const Int8Result& p, int64_t rows, const int32_t* sums, int64_t lds) {
  p.c != nullptr ? WriteSums<false>(p, rows, sums, lds) : WriteSums<true>(p, rows, sums, lds);
}

}  // namespace kuiper_infer::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kuiper_infer::kernel {

KUIPER_SIMD_TABLE(WriteResult);

void WriteInt8Result(const Int8Result& result, int64_t rows, const int32_t* sums, int64_t lds) {
  KUIPER_SIMD(WriteResult)(result, rows, sums, lds);
}

}  // namespace kuiper_infer::kernel
#endif
