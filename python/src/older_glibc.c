/* SPDX-License-Identifier: MIT */
/* The functions that would keep a wheel from running with glibc 2.34 and GCC 11's libstdc++ (RHEL 9), which have other
   versions of them. The linker's --wrap leads here. */
#if defined(__x86_64__)
__asm__(".symver former_hypot, hypot@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver former_hypot, hypot@GLIBC_2.17");
#else
#define former_hypot __real_hypot
#endif

/* glibc 2.35 has another hypot, which differs in errno only. */
double former_hypot(double x, double y);
double __wrap_hypot(double x, double y);

double __wrap_hypot(double x, double y) { return former_hypot(x, y); }

/* std::condition_variable::wait(std::unique_lock<std::mutex>&): GCC 12 has another one; exceptions pass through it. */
#if defined(__x86_64__) || defined(__aarch64__)
__asm__(".symver former_wait, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
#else
#define former_wait __real__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE
#endif

void former_wait(void* condition, void* lock);
void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void* condition, void* lock);

void __wrap__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void* condition, void* lock) {
  former_wait(condition, lock);
}
