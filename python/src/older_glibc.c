/* SPDX-License-Identifier: MIT */
/* The one function that would keep a wheel from running with glibc 2.34 (RHEL 9): 2.35 has another hypot, which differs
   in errno only. The linker's --wrap=hypot leads here. */
#if defined(__x86_64__)
__asm__(".symver former_hypot, hypot@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver former_hypot, hypot@GLIBC_2.17");
#else
#define former_hypot __real_hypot
#endif

double former_hypot(double x, double y);
double __wrap_hypot(double x, double y);

double __wrap_hypot(double x, double y) { return former_hypot(x, y); }
