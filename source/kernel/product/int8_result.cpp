// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/product/int8_result.cpp"
#include "kernel/product/int8_result.hpp"

#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

#include "kernel/limits-inl.hpp"
#include "kernel/partial_bytes-inl.hpp"
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

/// Writes rows of sums: all columns of one kind of addend and result.
template <Addend kAddend, bool kBounded, bool kToBytes>
class Writer {
 public:
  Writer(const Int8Result& result, int64_t rows, const int32_t* sums, int64_t lds)
      : p_(result), rows_(rows), sums_(sums), lds_(lds), addend_grid_(result.addend_grid), c_grid_(result.c_grid) {}

  HWY_INLINE void Write() const {
    int64_t j = 0;
    for (; j + kLanes <= p_.columns; j += kLanes) {
      WriteColumns(j, WholeVector<Floats>(), WholeVector<GridVectors::Bytes>());
    }
    if (j < p_.columns)
      WriteColumns(j, PartialVector(p_.columns - j), PartialBytes<GridVectors::Bytes>(p_.columns - j));
  }

 private:
  /// Writes the columns of one vector, which begins with column `j`.
  template <class PartOfFloats, class PartOfBytes>
  HWY_INLINE void WriteColumns(int64_t j, const PartOfFloats& floats, const PartOfBytes& bytes) const {
    const Floats d;
    const hn::RebindToSigned<Floats> di;
    const FloatVector multiplier = hn::LoadU(d, p_.multipliers + j);
    const FloatVector bias = hn::LoadU(d, p_.biases + j);
    const FloatVector least = hn::Set(d, p_.bounds.least);
    const FloatVector most = hn::Set(d, p_.bounds.most);
    const int32_t* sums = sums_ + j;
    int64_t addend = j;
    int64_t place = j;
    const int64_t addend_ld = p_.addend_ld;
    const int64_t ldc = p_.ldc;
    for (int64_t r = 0; r < rows_; ++r, sums += lds_, addend += addend_ld, place += ldc) {
      FloatVector y = hn::Add(hn::Mul(hn::ConvertTo(d, hn::LoadU(di, sums)), multiplier), bias);
      if constexpr (kAddend == Addend::kFloats) y = hn::Add(y, floats.Load(p_.addend + addend));
      if constexpr (kAddend == Addend::kBytes) {
        y = hn::Add(y, addend_grid_.FromBytes(bytes.Load(p_.addend_bytes + addend)));
      }
      if constexpr (kBounded) y = Limited(y, least, most);
      if constexpr (kToBytes) {
        bytes.Store(c_grid_.ToBytes(y), p_.c_bytes + place);
      } else {
        floats.Store(y, p_.c + place);
      }
    }
  }

  const Int8Result p_;  // a copy: what is written can't change it
  const int64_t rows_;
  const int32_t* const sums_;
  const int64_t lds_;
  const GridVectors addend_grid_;
  const GridVectors c_grid_;
};

template <bool kBounded, bool kToBytes>
void WriteSums(const Int8Result& p, int64_t rows, const int32_t* sums, int64_t lds) {
  if (p.addend != nullptr) return Writer<Addend::kFloats, kBounded, kToBytes>(p, rows, sums, lds).Write();
  if (p.addend_bytes != nullptr) return Writer<Addend::kBytes, kBounded, kToBytes>(p, rows, sums, lds).Write();
  Writer<Addend::kNone, kBounded, kToBytes>(p, rows, sums, lds).Write();
}

}  // namespace

void WriteResult(const Int8Result& p, int64_t rows, const int32_t* sums, int64_t lds) {
  const ActivationBounds none;
  const bool bounded = p.bounds.least != none.least || p.bounds.most != none.most;
  if (p.c != nullptr)
    return bounded ? WriteSums<true, false>(p, rows, sums, lds) : WriteSums<false, false>(p, rows, sums, lds);
  bounded ? WriteSums<true, true>(p, rows, sums, lds) : WriteSums<false, true>(p, rows, sums, lds);
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
