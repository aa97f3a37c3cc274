/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

/* Fortran's a // b, as GCC's Fortran calls it. LAPACK joins one-letter options with it. */
void _gfortran_concat_string(size_t size, char* to, size_t a_size, const char* a, size_t b_size, const char* b) {
  const size_t a_part = a_size < size ? a_size : size;
  const size_t b_part = b_size < size - a_part ? b_size : size - a_part;
  memcpy(to, a, a_part);
  memcpy(to + a_part, b, b_part);
  memset(to + a_part + b_part, ' ', size - a_part - b_part);
}
