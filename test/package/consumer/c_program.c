/* SPDX-License-Identifier: MIT */
/* The C interface: the same as classic.cpp. */
#include <stdio.h>

#include <kuiper_infer/kuiper_c.h>
#include <kuiper_infer/version.h>

int main(int argc, char** argv) {
  static float pixels[32 * 96];
  static const int64_t shape[] = {1, 1, 32, 96};
  char param[1024];
  char bin[1024];
  kuiper_model* model = NULL;
  kuiper_array image = {KUIPER_FLOAT32, 4, shape, pixels};
  kuiper_array scores;
  float sum = 0;
  int64_t count = 1;
  int64_t i;
  if (argc != 2) return 2;
  for (i = 0; i < 32 * 96; ++i) pixels[i] = 1.0F;
  snprintf(param, sizeof param, "%s.pnnx.param", argv[1]);
  snprintf(bin, sizeof bin, "%s.pnnx.bin", argv[1]);
  if (kuiper_load(param, bin, NULL, &model) != KUIPER_OK ||
      kuiper_set_input(model, "pnnx_input_0", &image) != KUIPER_OK || kuiper_run(model) != KUIPER_OK ||
      kuiper_get_output(model, 0, &scores) != KUIPER_OK) {
    fprintf(stderr, "%s\n", kuiper_last_error());
    return 1;
  }
  for (i = 0; i < scores.rank; ++i) count *= scores.shape[i];
  for (i = 0; i < count; ++i) sum += ((const float*)scores.data)[i];
  printf("%g\n", (double)sum);
  kuiper_free(model);
  return 0;
}
