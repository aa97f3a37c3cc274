// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "utils/wrapping.hpp"

namespace kuiper_infer::kernel {

/// The functors of reduce_driver-inl.hpp. The element type T is float, double or int64.

template <class T>
bool IsNan([[maybe_unused]] T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x != x;
  } else {
    return false;
  }
}

/// The type in which elements are summed.
template <class T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;

struct Unshifted {
  static constexpr const double* shifts = nullptr;
};

/// The sum of term(x, shift), with shift 0 unless a derived class has shifts.
template <class T, class Term>
struct SumOf : Unshifted {
  Term term;
  explicit SumOf(Term function) : term(function) {}
  Wide<T> Start() const { return 0; }
  void Add(Wide<T>& into, T x, double shift, int64_t) const { into = WrappingAdd(into, term(x, shift)); }
  void Merge(Wide<T>& into, const Wide<T>& other) const { into = WrappingAdd(into, other); }
};

/// The sum of term(x, shift) with a shift for each output.
template <class T, class Term>
struct ShiftedSumOf : SumOf<T, Term> {
  const double* shifts;
  ShiftedSumOf(Term function, const double* numbers) : SumOf<T, Term>(function), shifts(numbers) {}
};

template <class T>
struct ProductOf : Unshifted {
  Wide<T> Start() const { return 1; }
  void Add(Wide<T>& into, T x, double, int64_t) const { into = WrappingMultiply(into, static_cast<Wide<T>>(x)); }
  void Merge(Wide<T>& into, const Wide<T>& other) const { into = WrappingMultiply(into, other); }
};

/// The number of elements that are not zero.
template <class T>
struct CountOf : Unshifted {
  int64_t Start() const { return 0; }
  void Add(int64_t& into, T x, double, int64_t) const { into += x != T(0) ? 1 : 0; }
  void Merge(int64_t& into, const int64_t& other) const { into += other; }
};

struct Identity {
  template <class T>
  T operator()(T x) const {
    return x;
  }
};
struct Magnitude {
  template <class T>
  T operator()(T x) const {
    return std::abs(x);
  }
};

/// The largest or smallest of Map()(x).
template <class T, bool kLargest, class Map = Identity>
struct ExtremeOf : Unshifted {
  T Start() const {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>) {
      return kLargest ? -Limits::infinity() : Limits::infinity();
    } else {
      return kLargest ? Limits::min() : Limits::max();
    }
  }
  void Add(T& into, T x, double, int64_t) const { Merge(into, Map()(x)); }
  void Merge(T& into, const T& x) const {
    // "not worse" is true for a NaN x; a NaN in `into` must not give way to a number.
    const bool worse = kLargest ? x <= into : x >= into;
    into = (worse | IsNan(into)) ? into : x;
  }
};

/// Sum and count of the elements that are numbers, not NaN.
struct NumbersOf : Unshifted {
  struct Part {
    double sum;
    int64_t count;
  };
  Part Start() const { return {0, 0}; }
  void Add(Part& into, double x, double, int64_t) const {
    into.sum += IsNan(x) ? 0.0 : x;
    into.count += IsNan(x) ? 0 : 1;
  }
  void Merge(Part& into, const Part& other) const {
    into.sum += other.sum;
    into.count += other.count;
  }
};

/// The best element so far and where it was; position -1 before the first.
template <class T, bool kLargest>
struct PositionOf : Unshifted {
  struct Best {
    T value;
    int64_t position;
  };
  Best Start() const { return {T(0), -1}; }
  void Add(Best& into, T x, double, int64_t position) const { Merge(into, {x, position}); }
  void Merge(Best& into, const Best& other) const {
    if (other.position >= 0 && (into.position < 0 || Precedes(other, into))) into = other;
  }
  static bool Precedes(const Best& a, const Best& b) {
    if (IsNan(a.value) || IsNan(b.value)) {
      if (IsNan(a.value) != IsNan(b.value)) return IsNan(a.value);
    } else if (a.value != b.value) {
      return kLargest ? a.value > b.value : a.value < b.value;
    }
    return a.position < b.position;
  }
};

}  // namespace kuiper_infer::kernel
