/* SPDX-License-Identifier: MIT */
/* Uses every call of the C interface on the shipped line reader: its input is (1,1,32,width), its output (1,width /
 * 4,96), logarithms of probabilities.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kuiper_infer/kuiper_c.h"
#include "kuiper_infer/version.h"

static int failures = 0;

#define EXPECT(condition)                                                                                            \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      fprintf(stderr, "%s:%d: %s is false (last error: %s)\n", __FILE__, __LINE__, #condition, kuiper_last_error()); \
      ++failures;                                                                                                    \
    }                                                                                                                \
  } while (0)

enum { kWidth = 100, kPixels = 32 * kWidth };

static float pixels[kPixels];

static kuiper_array Image(const int64_t* shape) {
  kuiper_array image;
  image.type = KUIPER_FLOAT32;
  image.rank = 4;
  image.shape = shape;
  image.data = pixels;
  return image;
}

static void TestMistakes(kuiper_model* model, const char* param) {
  static const int64_t wrong_rank[] = {1, 32, kWidth};
  static const int64_t negative[] = {1, 1, 32, -kWidth};
  static const int64_t absurd[] = {INT64_MAX, INT64_MAX, 2, 2};
  kuiper_model* none = (kuiper_model*)1;
  kuiper_array array;
  const char* input = kuiper_input_name(model, 0);
  EXPECT(kuiper_load("/no/such.param", "/no/such.bin", NULL, &none) == KUIPER_ERROR_FILE);
  EXPECT(none == NULL);
  EXPECT(strstr(kuiper_last_error(), "/no/such.param") != NULL);
  EXPECT(kuiper_load(NULL, "x", NULL, &none) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_load(param, param, NULL, NULL) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_load(param, param, NULL, &none) == KUIPER_ERROR_FILE);
  EXPECT(kuiper_clone(NULL, &none) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_run(NULL) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_run(model) == KUIPER_ERROR_INPUT); /* nothing set */
  EXPECT(kuiper_get_output(model, 0, &array) == KUIPER_ERROR_STATE);
  EXPECT(kuiper_get_input(model, 1, &array) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_input_name(model, 1) == NULL && kuiper_input_name(NULL, 0) == NULL);
  EXPECT(kuiper_input_count(NULL) == 0 && kuiper_output_count(NULL) == 0 && kuiper_output_count(model) == 0);
  array = Image(wrong_rank);
  array.rank = 3;
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  EXPECT(strstr(kuiper_last_error(), "(1,32,100)") != NULL);
  array = Image(negative);
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_SHAPE);
  array = Image(absurd);
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_SHAPE);
  array.rank = -1;
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  array = Image(NULL);
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  array.type = 99;
  EXPECT(kuiper_set_input(model, input, &array) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_set_input(model, "nobody", &array) == KUIPER_ERROR_INPUT);
  kuiper_free(NULL);
  kuiper_cancel(NULL);
}

static void TestRuns(kuiper_model* model) {
  static const int64_t shape[] = {1, 1, 32, kWidth};
  kuiper_model* clone = NULL;
  kuiper_array image = Image(shape);
  kuiper_array scores;
  kuiper_array again;
  float sum;
  int i;
  EXPECT(kuiper_set_input(model, kuiper_input_name(model, 0), &image) == KUIPER_OK);
  EXPECT(kuiper_run(model) == KUIPER_OK);
  EXPECT(kuiper_output_count(model) == 1);
  EXPECT(kuiper_get_output(model, 1, &scores) == KUIPER_ERROR_INPUT);
  EXPECT(kuiper_get_output(model, 0, &scores) == KUIPER_OK);
  EXPECT(scores.type == KUIPER_FLOAT32 && scores.rank == 3);
  EXPECT(scores.shape[0] == 1 && scores.shape[1] == kWidth / 4 && scores.shape[2] == 96);
  sum = 0;
  for (i = 0; i < 96; ++i) sum += expf(((const float*)scores.data)[i]);
  EXPECT(fabsf(sum - 1.0F) < 1e-5F);

  EXPECT(kuiper_clone(model, &clone) == KUIPER_OK);
  EXPECT(kuiper_set_input(clone, kuiper_input_name(clone, 0), &image) == KUIPER_OK);
  kuiper_cancel(clone);
  EXPECT(kuiper_run(clone) == KUIPER_ERROR_CANCELLED);
  EXPECT(kuiper_output_count(clone) == 0);
  EXPECT(kuiper_run_for(clone, 0.0) == KUIPER_ERROR_DEADLINE);
  EXPECT(kuiper_run_for(clone, 1000.0) == KUIPER_OK);
  EXPECT(kuiper_run_for(clone, HUGE_VAL) == KUIPER_OK);
  EXPECT(kuiper_get_output(clone, 0, &again) == KUIPER_OK);
  EXPECT(kuiper_get_output(model, 0, &scores) == KUIPER_OK);
  EXPECT(again.data != scores.data);
  EXPECT(memcmp(again.data, scores.data, 96 * sizeof(float)) == 0);
  kuiper_free(clone);
}

int main(void) {
  static const char param[] = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.param";
  static const char bin[] = KUIPER_SOURCE_DIR "/tmp/line_reader.pnnx.bin";
  kuiper_model* model = NULL;
  kuiper_options options;
  kuiper_array info;
  int i;
  for (i = 0; i < kPixels; ++i) pixels[i] = (float)(i % 17) / 8.0F - 1.0F;
  EXPECT(strcmp(kuiper_version(), KUIPER_VERSION) == 0);

  memset(&options, 0, sizeof options);
  options.max_memory_bytes = 1000;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_ERROR_RESOURCE);
  options.max_memory_bytes = 0;
  options.num_threads = 1;
  EXPECT(kuiper_load(param, bin, &options, &model) == KUIPER_OK);
  if (model == NULL) return 1;
  EXPECT(kuiper_input_count(model) == 1);
  EXPECT(kuiper_get_input(model, 0, &info) == KUIPER_OK);
  EXPECT(info.type == KUIPER_FLOAT32 && info.rank == 4 && info.shape[1] == 1 && info.shape[3] == -1 &&
         info.data == NULL);
  TestMistakes(model, param);
  TestRuns(model);
  kuiper_free(model);
  if (failures == 0) puts("[  PASSED  ] the C interface");
  return failures == 0 ? 0 : 1;
}
