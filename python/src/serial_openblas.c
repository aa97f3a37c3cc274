/* SPDX-License-Identifier: MIT */
/* What OpenBLAS's serial build needs as a part of a module (serial_openblas.cmake). */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* Debian's serial build takes its buffers without a lock: two calls at once may get the same one, and one product in
   5,000 of four threads' was wrong. The linker's --wrap puts these functions before its own. */
void* __real_blas_memory_alloc(int position);
void __real_blas_memory_free(void* buffer);

static pthread_mutex_t buffers = PTHREAD_MUTEX_INITIALIZER;

void* __wrap_blas_memory_alloc(int position) {
  pthread_mutex_lock(&buffers);
  void* const buffer = __real_blas_memory_alloc(position);
  pthread_mutex_unlock(&buffers);
  return buffer;
}

void __wrap_blas_memory_free(void* buffer) {
  pthread_mutex_lock(&buffers);
  __real_blas_memory_free(buffer);
  pthread_mutex_unlock(&buffers);
}

/* A child made by fork while another thread holds the lock would wait for ever. */
static void take_lock(void) { pthread_mutex_lock(&buffers); }
static void give_lock(void) { pthread_mutex_unlock(&buffers); }
__attribute__((constructor)) static void handle_forks(void) { pthread_atfork(take_lock, give_lock, give_lock); }

/* The one function of GCC's Fortran library that LAPACK calls: a // b. The static library is not for modules, and the
   shared one another MB. */
void _gfortran_concat_string(size_t size, char* to, size_t a_size, const char* a, size_t b_size, const char* b) {
  const size_t a_part = a_size < size ? a_size : size;
  const size_t b_part = b_size < size - a_part ? b_size : size - a_part;
  memcpy(to, a, a_part);
  memcpy(to + a_part, b, b_part);
  memset(to + a_part + b_part, ' ', size - a_part - b_part);
}
