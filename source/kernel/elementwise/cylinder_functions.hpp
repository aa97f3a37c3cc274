// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#ifndef __cpp_lib_math_special_functions
#include <boost/math/special_functions/bessel.hpp>
#endif

namespace kuiper_infer::kernel {

// The Bessel functions of <cmath>, by Boost.Math where the standard library has none (libc++).
#ifdef __cpp_lib_math_special_functions
using std::cyl_bessel_i;
using std::cyl_bessel_j;
using std::cyl_bessel_k;
using std::cyl_neumann;
#else
namespace boost_policy {
using boost::math::policies::errno_on_error;
/// Results that overflow are infinite, as those of <cmath>; nothing is thrown or computed in long double.
using Policy = boost::math::policies::policy<
    boost::math::policies::domain_error<errno_on_error>, boost::math::policies::pole_error<errno_on_error>,
    boost::math::policies::overflow_error<errno_on_error>, boost::math::policies::evaluation_error<errno_on_error>,
    boost::math::policies::promote_double<false> >;
}  // namespace boost_policy

inline double cyl_bessel_i(double order, double x) {
  return boost::math::cyl_bessel_i(order, x, boost_policy::Policy());
}
inline double cyl_bessel_j(double order, double x) {
  return boost::math::cyl_bessel_j(order, x, boost_policy::Policy());
}
inline double cyl_bessel_k(double order, double x) {
  return boost::math::cyl_bessel_k(order, x, boost_policy::Policy());
}
inline double cyl_neumann(double order, double x) { return boost::math::cyl_neumann(order, x, boost_policy::Policy()); }
#endif

}  // namespace kuiper_infer::kernel
