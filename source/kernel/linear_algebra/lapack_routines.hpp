// SPDX-License-Identifier: MIT
#pragma once

#include <cblas.h>
#include <cstddef>

// The routines of LAPACK as its Fortran compiler names them. Fortran passes the length of each text behind all other
// arguments.
#define KUIPER_LAPACK(T, letter)                                                                                      \
  void letter##potrf_(const char*, const blasint*, T*, const blasint*, blasint*, std::size_t);                        \
  void letter##getrf_(const blasint*, const blasint*, T*, const blasint*, blasint*, blasint*);                        \
  void letter##geqrf_(const blasint*, const blasint*, T*, const blasint*, T*, T*, const blasint*, blasint*);          \
  void letter##orgqr_(const blasint*, const blasint*, const blasint*, T*, const blasint*, const T*, T*,               \
                      const blasint*, blasint*);                                                                      \
  void letter##ormqr_(const char*, const char*, const blasint*, const blasint*, const blasint*, const T*,             \
                      const blasint*, const T*, T*, const blasint*, T*, const blasint*, blasint*, std::size_t,        \
                      std::size_t);                                                                                   \
  void letter##gesdd_(const char*, const blasint*, const blasint*, T*, const blasint*, T*, T*, const blasint*, T*,    \
                      const blasint*, T*, const blasint*, blasint*, blasint*, std::size_t);                           \
  void letter##syevd_(const char*, const char*, const blasint*, T*, const blasint*, T*, T*, const blasint*, blasint*, \
                      const blasint*, blasint*, std::size_t, std::size_t);                                            \
  void letter##geev_(const char*, const char*, const blasint*, T*, const blasint*, T*, T*, T*, const blasint*, T*,    \
                     const blasint*, T*, const blasint*, blasint*, std::size_t, std::size_t);                         \
  void letter##gels_(const char*, const blasint*, const blasint*, const blasint*, T*, const blasint*, T*,             \
                     const blasint*, T*, const blasint*, blasint*, std::size_t);                                      \
  void letter##gelsy_(const blasint*, const blasint*, const blasint*, T*, const blasint*, T*, const blasint*,         \
                      blasint*, const T*, blasint*, T*, const blasint*, blasint*);                                    \
  void letter##gelsd_(const blasint*, const blasint*, const blasint*, T*, const blasint*, T*, const blasint*, T*,     \
                      const T*, blasint*, T*, const blasint*, blasint*, blasint*);                                    \
  void letter##gelss_(const blasint*, const blasint*, const blasint*, T*, const blasint*, T*, const blasint*, T*,     \
                      const T*, blasint*, T*, const blasint*, blasint*);

extern "C" {
KUIPER_LAPACK(float, s)
KUIPER_LAPACK(double, d)
}
#undef KUIPER_LAPACK

namespace kuiper_infer::kernel::lapack {

/// The routines for one element type.
template <class T>
struct Routines;

#define KUIPER_ROUTINES(T, letter)                 \
  template <>                                      \
  struct Routines<T> {                             \
    static constexpr auto kPotrf = letter##potrf_; \
    static constexpr auto kGetrf = letter##getrf_; \
    static constexpr auto kGeqrf = letter##geqrf_; \
    static constexpr auto kOrgqr = letter##orgqr_; \
    static constexpr auto kOrmqr = letter##ormqr_; \
    static constexpr auto kGesdd = letter##gesdd_; \
    static constexpr auto kSyevd = letter##syevd_; \
    static constexpr auto kGeev = letter##geev_;   \
    static constexpr auto kGels = letter##gels_;   \
    static constexpr auto kGelsy = letter##gelsy_; \
    static constexpr auto kGelsd = letter##gelsd_; \
    static constexpr auto kGelss = letter##gelss_; \
  };

KUIPER_ROUTINES(float, s)
KUIPER_ROUTINES(double, d)
#undef KUIPER_ROUTINES

}  // namespace kuiper_infer::kernel::lapack
